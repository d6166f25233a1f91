import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { BaseEdge, type EdgeProps } from '@xyflow/react';
import { memo, useRef } from 'react';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';
import { useNodeMark, useTokenMark, useWireLayer } from '#renderer/editor/marks/use-run-mark.ts';
import type { CanvasWire } from './canvas-nodes.ts';
import { WireBreakpoint } from './card-breakpoints.tsx';
import { useDetail } from './detail-level.tsx';
import styles from './state-wire.module.css';
import { tokenTitle } from './token-title.ts';
import { useTokenMotion } from './use-token-motion.ts';
import { WireLabels } from './wire-labels.tsx';
import { layerStyle, WireLayerLabel } from './wire-layer.tsx';
import { wirePath } from './wire-path.ts';

/** Width of one character of a label, in pixels at 100 %. */
const characterWidth = 6.1;

/** A wire with the name of the state that it carries; while that state waits, a token on it. */
export const StateWire = memo(function StateWire(props: EdgeProps<CanvasWire>) {
  const { sourceX, sourceY, targetX, targetY, selected, data } = props;
  const [path, labelX, labelY] = wirePath(props, data?.channel);
  const state = data?.wire.state ?? '';
  const token = useTokenMark(state);
  const ran = useNodeMark(data?.wire.target ?? '');
  const layer = useWireLayer(data?.wire.source ?? '', state);
  const label = useRef<HTMLDivElement>(null);
  useTokenMotion(label, path, { x: labelX, y: labelY }, token?.fresh === true);
  const isFull = useDetail() === 'full';
  const fits = Math.hypot(targetX - sourceX, targetY - sourceY) > state.length * characterWidth + 24;
  const room = token && isFull ? roomOf(props, state) : null;
  const classes = [styles.wire, ran && styles.ran, token && styles.occupied, selected && styles.selected].filter(Boolean).join(' ');
  return (
    <>
      <BaseEdge id={props.id} path={path} className={classes} style={layerStyle(layer)} interactionWidth={16} />
      <WireBreakpoint state={state} x={sourceX} y={sourceY} />
      {layer.mark && <WireLayerLabel kind={layer.kind} mark={layer.mark} x={labelX + apart(data?.channel)} y={labelY} />}
      {(token || (isFull && (fits || selected))) && (
        <WireLabels>
          <div className={`${styles.at} ${token ? styles.above : ''}`} style={{ left: labelX, top: labelY }}>
            <div
              ref={label}
              className={`${styles.label} ${token ? styles.token : ''} ${token?.fresh ? styles.fresh : ''} ${room === null ? '' : styles.narrow}`}
              {...(room !== null && { style: { maxWidth: room } })}
              data-wrong={token?.wrong}
              data-wire={props.id}
              data-token={token ? state : undefined}
              title={token ? tokenTitle(state, token) : state}
            >
              {token?.wrong && <IconAlertTriangleFilled size={10} aria-hidden="true" />}
              {state}
            </div>
          </div>
        </WireLabels>
      )}
    </>
  );
});

/** Width of one character of a token, of its edges, and the least width of a token, in pixels at 100 %. */
const [tokenCharacter, tokenEdges, leastToken] = [6.7, 14, 18];

/** The width that a token may have on a wire so short that it would cover the names of the ports at both ends, which say it in full; null if it has room. */
function roomOf({ sourceX, sourceY, targetX, targetY }: EdgeProps<CanvasWire>, state: string): number | null {
  const room = targetX - sourceX - 12;
  const isShort = room > -leastToken && Math.abs(targetY - sourceY) < 44;
  return isShort && state.length * tokenCharacter + tokenEdges > room ? Math.max(leastToken, room) : null;
}

/** How far the number on a wire between two rows is from its middle: wires there run so close to each other that their numbers would overlap. */
function apart(channel: RowChannel | undefined): number {
  return channel ? channel.out * 4 : 0;
}
