import { IconFlag2, IconLogin2 } from '@tabler/icons-react';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { PortView } from '#renderer/document/graph/graph-view.ts';
import { startRename } from '#renderer/editor/actions/rename-store.ts';
import { useNodeMark, useRunShown, useTokenMark } from '#renderer/editor/marks/use-run-mark.ts';
import { type ProblemTone, toneLooks } from '#renderer/editor/problems/problem-tone.ts';
import { useNodeTone } from '#renderer/editor/problems/use-node-tone.ts';
import { WaitingBadge } from '#renderer/runs/inbox/waiting-badge.tsx';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import { showInvisible } from '#shared/invisible-characters.ts';
import type { CanvasNode } from './canvas-nodes.ts';
import { BranchBreakpoint, BreakpointsInside, CardBreakpoints } from './card-breakpoints.tsx';
import styles from './node-card.module.css';
import { NodeCardDetail } from './node-card-detail.tsx';
import { NodeTitle } from './node-title.tsx';
import { texts } from './texts.ts';
import { tokenTitle } from './token-title.ts';

/** A node on the canvas: its kind, title, ports and detail, and its status in the current run. */
export const NodeCard = memo(function NodeCard({ data, selected }: NodeProps<CanvasNode>) {
  const { view } = data;
  const mark = useNodeMark(view.id);
  const runShown = useRunShown();
  const tone = useNodeTone(view.id);
  const look = kindLooks[view.kind];
  const status = mark?.status ?? (runShown ? 'untouched' : '');
  const classes = [styles.card, styles[look.shape], status && styles[status], mark?.differs && styles.differs, selected && styles.selected]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={classes} data-kind={view.kind} data-status={mark?.status}>
      {(mark?.status === 'next' || mark?.status === 'waiting') && <span className={styles['next-arrow']} aria-hidden="true" />}
      <CardBreakpoints node={view.id} />
      {view.detail?.type === 'flow' && <BreakpointsInside file={view.detail.text} />}
      <div className={styles.header}>
        <KindChip kind={view.kind} />
        <NodeTitle view={view} />
        {tone && (
          <span className={styles.problem} data-tone={tone} role="img" aria-label={toneLooks[tone].node}>
            <ToneIcon tone={tone} />
          </span>
        )}
        {mark?.badge &&
          (mark.status === 'waiting' ? <WaitingBadge text={mark.badge} /> : <span className={styles.badge}>{mark.badge}</span>)}
      </div>
      <div className={styles.ports} />
      {view.inputs.map((port, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position; two may have the same name until the user fixes that
        <Port key={index} port={port} index={index} side="input" />
      ))}
      {view.outputs.map((port, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Port key={index} port={port} index={index} side="output" fired={(mark?.count ?? 0) > 0} />
      ))}
      {view.outputs.length > 1 &&
        view.outputs.map((port, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <BranchBreakpoint key={index} node={view.id} state={port.state} top={portOffset(index)} />
        ))}
      {view.detail && <NodeCardDetail detail={view.detail} text={mark?.detail} ran={mark?.ran} />}
      {/* Inline code has no line for it, and the header has no room. */}
      {mark?.ran && !mark.failure && !view.detail && <span className={`${styles.ran} ${styles.below}`}>{mark.ran}</span>}
      {mark?.failure && (
        <div className={styles.failure} title={showInvisible(mark.failure)}>
          <VisibleName text={mark.failure} title={null} />
        </div>
      )}
    </div>
  );
});

function ToneIcon({ tone }: { tone: ProblemTone }) {
  const Icon = toneLooks[tone].icon;
  return <Icon size={15} />;
}

interface PortProps {
  readonly port: PortView;
  readonly index: number;
  readonly side: 'input' | 'output';
  /** For an output: whether its node has run at the selected step. */
  readonly fired?: boolean;
}

function Port({ port, index, side, fired = true }: PortProps) {
  const top = portOffset(index);
  // The flow's input and output have no wire, so their token is on the port.
  const token = useTokenMark(fired && (port.open || port.entry || port.terminal) ? port.state : '');
  const title = token ? tokenTitle(port.state, token) : portTitle(port, side);
  return (
    <>
      <Handle
        id={`${side}:${index}`}
        type={side === 'input' ? 'target' : 'source'}
        position={side === 'input' ? Position.Left : Position.Right}
        className={styles.handle ?? ''}
        style={{ top }}
        data-open={port.open && !port.entry}
        data-state={port.state}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has Shift+F2 on the card, and the inspector */}
      <div
        onDoubleClick={(event) => {
          event.stopPropagation();
          startRename(port.state);
        }}
        className={`${styles.port} ${styles[side]} ${token ? styles.token : ''}`}
        style={{ top: top - 11 }}
        title={showInvisible(title)}
        data-wrong={token?.wrong}
      >
        {port.entry && <IconLogin2 size={12} aria-label={texts.node.flowInput} />}
        <VisibleName text={port.state} title={null} />
        {port.terminal && <IconFlag2 size={12} aria-label={texts.node.flowOutput} />}
      </div>
    </>
  );
}

function portTitle(port: PortView, side: 'input' | 'output'): string {
  if (port.entry) return texts.node.isFlowInput(port.state);
  if (port.terminal) return texts.node.isFlowOutput(port.state);
  if (port.open) return side === 'input' ? texts.node.notProduced(port.state) : texts.node.notConsumed(port.state);
  return port.state;
}
