import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { isGate, portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { useNodeLayer, useNodeMark, useRunShown } from '#renderer/editor/marks/use-run-mark.ts';
import { toneLooks } from '#renderer/editor/problems/problem-tone.ts';
import { useNodeTone } from '#renderer/editor/problems/use-node-tone.ts';
import { WaitingBadge } from '#renderer/runs/inbox/waiting-badge.tsx';
import { PinSign } from '#renderer/runs/supplied/pin-sign.tsx';
import { useIsMocked, useNodePin } from '#renderer/runs/supplied/use-supplied.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import { showInvisible } from '#shared/invisible-characters.ts';
import type { CanvasNode } from './canvas-nodes.ts';
import { BranchBreakpoint, BreakpointsInside, CardBreakpoints } from './card-breakpoints.tsx';
import { useDetail } from './detail-level.tsx';
import { GateCard } from './gate-card.tsx';
import styles from './node-card.module.css';
import { NodeCardDetail } from './node-card-detail.tsx';
import { NodeLayer } from './node-layer.tsx';
import { NodePorts } from './node-port.tsx';
import { NodeTitle } from './node-title.tsx';
import { SelectedRounds } from './selected-rounds.tsx';
import { SmallCard } from './small-card.tsx';
import { ToneIcon } from './tone-icon.tsx';

/** A node on the canvas, drawn as far as its zoom shows it. */
export const NodeCard = memo(function NodeCard({ data, selected }: NodeProps<CanvasNode>) {
  const level = useDetail();
  if (isGate(data.view) && (level === 'full' || level === 'titles')) return <GateCard view={data.view} selected={selected} />;
  if (level === 'full') return <FullCard view={data.view} selected={selected} />;
  return <SmallCard view={data.view} selected={selected} level={level} />;
});

/** A whole card: the kind, title, ports and detail of a node, and its status in the current run. */
function FullCard({ view, selected }: { view: NodeView; selected: boolean }) {
  const mark = useNodeMark(view.id);
  const runShown = useRunShown();
  const tone = useNodeTone(view.id);
  const look = kindLooks[view.kind];
  const status = mark?.status ?? (runShown ? 'untouched' : '');
  const pin = useNodePin(view.id);
  const mocked = useIsMocked(view.id);
  const layer = useNodeLayer(view.id);
  const classes = [styles.card, styles[look.shape], status && styles[status], mark?.differs && styles.differs, selected && styles.selected]
    .filter(Boolean)
    .join(' ');
  return (
    <div
      className={classes}
      data-kind={view.kind}
      data-status={mark?.status}
      data-untouched={status === 'untouched'}
      data-supplied={pin?.state === 'on'}
      data-layered={layer.kind !== null}
    >
      {(mark?.status === 'next' || mark?.status === 'waiting') && <span className={styles['next-arrow']} aria-hidden="true" />}
      <NodeLayer {...layer} />
      {pin && <PinSign node={view.id} />}
      {view.detail?.type === 'flow' && <BreakpointsInside file={view.detail.text} />}
      <div className={styles.header}>
        <CardBreakpoints node={view.id} card={view.key} />
        <KindChip kind={view.kind} isMuted={status === 'untouched'} />
        <NodeTitle view={view} />
        {tone && (
          <span className={styles.problem} data-tone={tone} role="img" aria-label={toneLooks[tone].node}>
            <ToneIcon tone={tone} />
          </span>
        )}
        {mark?.badge &&
          (mark.status === 'waiting' ? <WaitingBadge text={mark.badge} /> : <span className={styles.badge}>{mark.badge}</span>)}
      </div>
      {selected && mark && <SelectedRounds node={view.id} nested={view.kind === 'flow'} count={mark.count} />}
      <div className={styles.ports}>
        <NodePorts view={view} fired={(mark?.count ?? 0) > 0} />
      </div>
      {view.outputs.length > 1 &&
        view.outputs.map((port, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position; two may have the same name until the user fixes that
          <BranchBreakpoint key={index} node={view.id} state={port.state} top={portOffset(index, view)} />
        ))}
      {view.detail && <NodeCardDetail detail={view.detail} text={mark?.detail} ran={mark?.ran} mocked={mocked} />}
      {/* Inline code has no line for it, and the header has no room. */}
      {mark?.ran && !mark.failure && !view.detail && <span className={`${styles.rounds} ${styles.below}`}>{mark.ran}</span>}
      {mark?.failure && (
        <div className={styles.failure} title={showInvisible(mark.failure)}>
          <VisibleName text={mark.failure} title={null} />
        </div>
      )}
    </div>
  );
}
