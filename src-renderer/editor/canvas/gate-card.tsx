import { portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { useNodeLayer, useNodeMark, useRunShown } from '#renderer/editor/marks/use-run-mark.ts';
import { toneLooks } from '#renderer/editor/problems/problem-tone.ts';
import { useNodeTone } from '#renderer/editor/problems/use-node-tone.ts';
import { BranchBreakpoint, CardBreakpoints } from './card-breakpoints.tsx';
import { useDetail } from './detail-level.tsx';
import styles from './gate-card.module.css';
import { NodeLayer } from './node-layer.tsx';
import { NodePorts } from './node-port.tsx';
import { ToneIcon } from './tone-icon.tsx';

/** A helper node of an imported workflow: its rule, small and quiet, and what it does in the current run. */
export function GateCard({ view, selected }: { view: NodeView; selected: boolean }) {
  const mark = useNodeMark(view.id);
  const runShown = useRunShown();
  const layer = useNodeLayer(view.id);
  const tone = useNodeTone(view.id);
  const isFull = useDetail() === 'full';
  const rule = view.detail?.text ?? '';
  return (
    <div
      className={styles.gate}
      data-gate={view.kind}
      data-kind={view.kind}
      data-status={mark?.status}
      data-differs={mark?.differs}
      data-untouched={runShown && !mark}
      data-selected={selected}
      title={`${view.title}: ${rule}`}
    >
      {(mark?.status === 'next' || mark?.status === 'waiting') && <span className={styles['next-arrow']} aria-hidden="true" />}
      <NodeLayer {...layer} />
      <CardBreakpoints node={view.id} card={view.key} />
      <span className={styles.icon} data-icon={`kind-${view.kind}-muted`} aria-hidden="true" />
      {isFull && <span className={styles.rule}>{rule}</span>}
      {isFull && (mark?.count ?? 0) > 1 && <span className={styles.count}>{`×${mark?.count}`}</span>}
      {tone && (
        <span className={styles.problem} data-tone={tone} role="img" aria-label={toneLooks[tone].node}>
          <ToneIcon tone={tone} size={12} />
        </span>
      )}
      <NodePorts view={view} fired={(mark?.count ?? 0) > 0} />
      {view.outputs.length > 1 &&
        view.outputs.map((port, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position; two may have the same name until the user fixes that
          <BranchBreakpoint key={index} node={view.id} state={port.state} top={portOffset(index, view)} />
        ))}
      {mark?.failure && (
        <div className={styles.failure} title={mark.failure}>
          {mark.failure}
        </div>
      )}
    </div>
  );
}
