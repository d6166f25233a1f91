import { IconHandStop, IconPlayerPlayFilled, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { cardHeight } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { useNodeLayer, useNodeMark, useRunShown } from '#renderer/editor/marks/use-run-mark.ts';
import { toneLooks } from '#renderer/editor/problems/problem-tone.ts';
import { useNodeTone } from '#renderer/editor/problems/use-node-tone.ts';
import type { NodeMark } from '#renderer/runs/model/run-marks.ts';
import { PinSign } from '#renderer/runs/supplied/pin-sign.tsx';
import { useNodePin } from '#renderer/runs/supplied/use-supplied.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import { BreakpointsInside, CardBreakpoints } from './card-breakpoints.tsx';
import type { DetailLevel } from './detail-level.tsx';
import { NodeLayer } from './node-layer.tsx';
import { NodePorts } from './node-port.tsx';
import { NodeTitle } from './node-title.tsx';
import styles from './small-card.module.css';
import { ToneIcon } from './tone-icon.tsx';

/** Cards lower than this have room for one line of their title at the lowest zooms that show it. */
const low = 80;

interface SmallCardProps {
  readonly view: NodeView;
  readonly selected: boolean;
  readonly level: Exclude<DetailLevel, 'full'>;
}

/** A card seen from farther away: its kind, its title at a constant size on the screen, and the marks that are drawn at every zoom. */
export const SmallCard = memo(function SmallCard({ view, selected, level }: SmallCardProps) {
  const mark = useNodeMark(view.id);
  const runShown = useRunShown();
  const layer = useNodeLayer(view.id);
  const tone = useNodeTone(view.id);
  const isUntouched = runShown && !mark;
  const pinned = useNodePin(view.id)?.state === 'on';
  const isBlock = level !== 'titles';
  return (
    <div
      className={`${styles.card} ${isBlock ? styles.block : ''}`}
      data-kind={view.kind}
      data-shape={kindLooks[view.kind].shape}
      data-status={mark?.status}
      data-differs={mark?.differs}
      data-untouched={isUntouched}
      data-selected={selected}
      data-hue={isBlock && !isUntouched ? view.kind : undefined}
      data-supplied={pinned}
      data-labelled={selected || (mark !== undefined && mark.status !== 'ran')}
      data-low={cardHeight(view) < low}
    >
      {(mark?.status === 'next' || mark?.status === 'waiting') && <span className={styles['next-arrow']} aria-hidden="true" />}
      <NodeLayer {...layer} />
      <CardBreakpoints node={view.id} card={view.key} />
      {!isBlock && <PinSign node={view.id} />}
      {view.detail?.type === 'flow' && <BreakpointsInside file={view.detail.text} />}
      <div className={isBlock ? styles.middle : styles.inside}>
        <KindChip kind={view.kind} size={16} isMuted={isUntouched} />
        <NodeTitle view={view} className={isBlock ? styles.label : styles.title} breaks />
      </div>
      {!isBlock && <NodePorts view={view} fired={(mark?.count ?? 0) > 0} />}
      <div className={styles.marks}>
        {mark && <StatusMark mark={mark} />}
        {tone && (
          <span className={styles.problem} data-tone={tone} role="img" aria-label={toneLooks[tone].node}>
            <ToneIcon tone={tone} size={14} />
          </span>
        )}
      </div>
    </div>
  );
});

const statusIcons = { running: IconPlayerPlayFilled, waiting: IconHandStop, failed: IconX } as const;

/** What a node does in the shown run, where its card has no room for a word. */
function StatusMark({ mark: { status, badge = status, failure } }: { mark: NodeMark }) {
  if (status === 'ran' || status === 'next') return null;
  const Icon = statusIcons[status];
  const icon = <Icon size={10} stroke={2.6} aria-hidden="true" />;
  if (status !== 'waiting') {
    return (
      <span className={styles.status} data-mark={status} role="img" aria-label={badge} title={failure ?? badge}>
        {icon}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={`nodrag ${styles.status}`}
      data-mark={status}
      aria-label={badge}
      title={badge}
      onClick={() => panelsStore.getState().showRight('waiting')}
    >
      {icon}
    </button>
  );
}
