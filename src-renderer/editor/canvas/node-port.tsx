import { IconFlag2, IconLogin2 } from '@tabler/icons-react';
import { Handle, Position } from '@xyflow/react';
import { isGate, portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView, PortView } from '#renderer/document/graph/graph-view.ts';
import { startRename } from '#renderer/editor/actions/rename-store.ts';
import { useTokenMark } from '#renderer/editor/marks/use-run-mark.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { showInvisible } from '#shared/invisible-characters.ts';
import { useDetail } from './detail-level.tsx';
import styles from './node-port.module.css';
import { isLong } from './text-length.ts';
import { texts } from './texts.ts';
import { tokenTitle } from './token-title.ts';

/** All ports of a card. `fired` says whether its node has run at the selected step. */
export function NodePorts({ view, fired }: { view: NodeView; fired: boolean }) {
  return (
    <>
      {view.inputs.map((port, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position; two may have the same name until the user fixes that
        <NodePort key={index} node={view} port={port} index={index} side="input" />
      ))}
      {view.outputs.map((port, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <NodePort key={index} node={view} port={port} index={index} side="output" fired={fired} />
      ))}
    </>
  );
}

/** A name with at most this many characters fits beside an icon. */
const shortName = 10;

interface PortProps {
  readonly node: NodeView;
  readonly port: PortView;
  readonly index: number;
  readonly side: 'input' | 'output';
  /** For an output: whether its node has run at the selected step. */
  readonly fired?: boolean;
}

/** A port of a card: its handle, and the name of its state; seen from farther away, the name only while a token waits there. */
function NodePort({ node, port, index, side, fired = true }: PortProps) {
  const [own, other] = side === 'input' ? [node.inputs, node.outputs] : [node.outputs, node.inputs];
  const top = portOffset(index, node);
  // The flow's input and output have no wire, so their token is on the port.
  const token = useTokenMark(fired && (port.open || port.entry || port.terminal) ? port.state : '');
  const isNamed = (useDetail() === 'full' && !isGate(node)) || token !== undefined;
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
        data-port={port.state}
        data-side={side}
        data-crowded={own.length > 1}
      />
      {isNamed && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has Shift+F2 on the card, and the inspector
        <div
          onDoubleClick={(event) => {
            event.stopPropagation();
            startRename(port.state);
          }}
          className={`${styles.port} ${styles[side]} ${token ? styles.token : ''}`}
          style={{ gridRow: index + 1, top: top - 11, maxWidth: nameWidth(other[index]?.state) }}
          title={showInvisible(token ? tokenTitle(port.state, token) : portTitle(port, side))}
          data-port={port.state}
          data-side={side}
          data-token={token ? port.state : undefined}
          data-wrong={token?.wrong}
        >
          {port.entry && <IconLogin2 size={12} aria-label={texts.node.flowInput} />}
          <VisibleName className={isLong(port.state, shortName) ? '' : styles.short} text={port.state} title={null} />
          {port.terminal && <IconFlag2 size={12} aria-label={texts.node.flowOutput} />}
        </div>
      )}
    </>
  );
}

/** Pixels that a row of a card has for its names, and for one letter of them. */
const rowWidth = 174;
const letterWidth = 6.7;

/** The most that a name may take: what the name beside it leaves, and at least half of the row. */
function nameWidth(beside: string | undefined): number {
  if (beside === undefined) return rowWidth;
  return Math.max(rowWidth / 2, rowWidth - 16 - beside.length * letterWidth);
}

function portTitle(port: PortView, side: 'input' | 'output'): string {
  if (port.entry) return texts.node.isFlowInput(port.state);
  if (port.terminal) return texts.node.isFlowOutput(port.state);
  if (port.open) return side === 'input' ? texts.node.notProduced(port.state) : texts.node.notConsumed(port.state);
  return port.state;
}
