import { IconFlag2, IconLogin2 } from '@tabler/icons-react';
import { Handle, Position } from '@xyflow/react';
import type { HTMLAttributes } from 'react';
import { isGate, portOffset } from '#renderer/document/graph/card-geometry.ts';
import type { NodeView, PortView } from '#renderer/document/graph/graph-view.ts';
import { startRename } from '#renderer/editor/actions/rename-store.ts';
import { useTokenMark } from '#renderer/editor/marks/use-run-mark.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { showInvisible } from '#shared/invisible-characters.ts';
import { useDetail } from './detail-level.tsx';
import styles from './node-port.module.css';
import { useIsPointed } from './pointed-card.ts';
import { isLong } from './text-length.ts';
import { texts } from './texts.ts';
import { tokenTitle } from './token-title.ts';

/** All ports of a card. `fired` says whether its node has run at the selected step. */
export function NodePorts({ view, fired }: { view: NodeView; fired: boolean }) {
  const isPointed = useIsPointed(view.key);
  return (
    <>
      {view.inputs.map((port, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position; two may have the same name until the user fixes that
        <NodePort key={index} node={view} port={port} index={index} side="input" isPointed={isPointed} />
      ))}
      {view.outputs.map((port, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <NodePort key={index} node={view} port={port} index={index} side="output" isPointed={isPointed} fired={fired} />
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
  readonly isPointed: boolean;
  /** For an output: whether its node has run at the selected step. */
  readonly fired?: boolean;
}

/** A port of a card: its handle, and the name of its state; seen from farther away, the name only while a token waits there. */
function NodePort({ node, port, index, side, isPointed, fired = true }: PortProps) {
  const [own, other] = side === 'input' ? [node.inputs, node.outputs] : [node.outputs, node.inputs];
  const top = portOffset(index, node);
  // The flow's input and output have no wire, so their token is on the port.
  const token = useTokenMark(fired && (port.open || port.entry || port.terminal) ? port.state : '');
  const isNamed = (useDetail() === 'full' && !isGate(node)) || token !== undefined;
  return (
    <>
      <PortHandle
        node={node.key}
        id={`${side}:${index}`}
        isPointed={isPointed}
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

interface PortHandleProps extends HTMLAttributes<HTMLDivElement> {
  readonly node: string;
  readonly id: string;
  readonly isPointed: boolean;
  readonly 'data-side': 'input' | 'output';
}

/**
 * The handle of a port: React Flow's on a card that can be used, else an element with all that React Flow reads of a handle. React Flow's own is told of every
 * movement on the canvas, each for itself.
 */
function PortHandle({ node, id, isPointed, ...shown }: PortHandleProps) {
  const isInput = shown['data-side'] === 'input';
  const [type, position] = isInput ? (['target', Position.Left] as const) : (['source', Position.Right] as const);
  if (isPointed) return <Handle id={id} type={type} position={position} className={styles.handle ?? ''} {...shown} />;
  return (
    <div
      className={`react-flow__handle react-flow__handle-${position} nodrag nopan ${styles.handle} ${type} ${connectable}`}
      data-handleid={id}
      data-nodeid={node}
      data-handlepos={position}
      data-id={`1-${node}-${id}-${type}`}
      {...shown}
    />
  );
}

/** Classes of a handle at which a wire may begin and end. */
const connectable = 'connectable connectablestart connectableend connectionindicator';

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
