import { useReactFlow } from '@xyflow/react';
import { useCallback, useMemo } from 'react';
import type { WireView } from '#renderer/document/graph/graph-view.ts';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';
import { runMarksStore } from '#renderer/editor/marks/shown-marks.ts';
import type { CardIndex } from './card-index.ts';
import { detailLevel } from './detail-level.tsx';
import { farWirePath, tokenPlaces, wireEnds } from './far-scene.ts';

/** What the surface draws at a point. */
export type FarHit =
  | { readonly what: 'token'; readonly state: string }
  | { readonly what: 'node'; readonly key: string }
  | { readonly what: 'wire'; readonly wire: WireView };

/** A point of the window, in pixels. */
type Point = { readonly x: number; readonly y: number };

/** How far beside a wire or a token it is still hit, in pixels on the screen. */
const near = 8;

/** What can be found on the canvas by where it is, whether it is mounted or not. */
export interface FoundAt {
  /** The token, else the card, else the wire at a point. */
  drawnAt(point: Point): FarHit | null;
  /** The uppermost wire at a point, and its line, in canvas pixels at 100 %. */
  wireAt(point: Point): { readonly wire: WireView; readonly path: string } | null;
}

/** Finds what is drawn at points of the window. */
export function useFoundAt(index: CardIndex, channels: ReadonlyMap<string, RowChannel>): FoundAt {
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const wireAt = useCallback(
    (point: Point) => {
      const { x, y } = screenToFlowPosition(point, { snapToGrid: false });
      const level = detailLevel(getZoom()) === 'map' ? 'map' : 'blocks';
      const reach = near / getZoom();
      const lines = index.wiresIn({ x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }).flatMap((at) => {
        const wire = index.view.wires[at];
        const ends = wire && wireEnds(index, wire);
        return wire && ends ? [{ wire, path: farWirePath(ends, channels.get(wire.key), level) }] : [];
      });
      // A line that is pointed at exactly counts before one that passes beside it.
      for (const within of [reach / 4, reach]) {
        const found = lines.findLast(({ path }) => passes(path, x, y, within));
        if (found) return found;
      }
      return null;
    },
    [index, channels, screenToFlowPosition, getZoom],
  );
  const drawnAt = useCallback(
    (point: Point): FarHit | null => {
      const { x, y } = screenToFlowPosition(point, { snapToGrid: false });
      const tokens = tokenPlaces({ index, channels, marks: runMarksStore.getState() });
      const token = tokens.find((place) => Math.hypot(place.x - x, place.y - y) * getZoom() <= near);
      if (token) return { what: 'token', state: token.state };
      const at = index.cardAt(x, y);
      const key = at === undefined ? undefined : index.view.nodes[at]?.key;
      if (key !== undefined) return { what: 'node', key };
      const found = wireAt(point);
      return found && { what: 'wire', wire: found.wire };
    },
    [index, channels, screenToFlowPosition, getZoom, wireAt],
  );
  return useMemo(() => ({ drawnAt, wireAt }), [drawnAt, wireAt]);
}

let measuring: CanvasRenderingContext2D | null = null;

/** Whether a line passes within `reach` of a point. */
function passes(path: string, x: number, y: number, reach: number): boolean {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (!measuring) return false;
  measuring.lineWidth = 2 * reach;
  return measuring.isPointInStroke(new Path2D(path), x, y);
}
