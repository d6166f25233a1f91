import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { DrawnFlow } from '#renderer/editing/open-flow.ts';
import { card, cardHeight } from '#renderer/graph/card-geometry.ts';
import { useSelection } from '#renderer/stores/use-selection.ts';

/** Below this zoom a card cannot be read, and to be in sight is not enough. */
const smallestReadable = 0.3;
const margin = 24;

/** How far something must be moved to lie in a frame of this size, by no more than is needed. */
function shift(start: number, length: number, frame: number): number {
  if (start < margin) return margin - start;
  return Math.min(0, frame - margin - (start + length));
}

/** Brings the node that somebody asked for into sight, and the keyboard to it where that was asked too. */
export function useReveal(flow: DrawnFlow, frame: RefObject<HTMLDivElement | null>): void {
  const reveal = useSelection((state) => state.reveal);
  const { setCenter, setViewport, getViewport } = useReactFlow();
  const latest = useRef(flow);
  latest.current = flow;
  // A flow that has just been opened may have to be laid out first.
  const placed = reveal !== null && flow.positions[reveal.key] !== undefined;
  useEffect(() => {
    if (!reveal || !placed) return;
    const node = latest.current.view.nodes.find((candidate) => candidate.key === reveal.key);
    const position = latest.current.positions[reveal.key];
    if (!node || !position || !frame.current) return;
    const viewport = getViewport();
    if (viewport.zoom < smallestReadable) {
      void setCenter(position.x + card.width / 2, position.y + cardHeight(node) / 2, { zoom: 0.6 });
    } else {
      const { x, y, zoom } = viewport;
      const right = shift(position.x * zoom + x, card.width * zoom, frame.current.clientWidth);
      const down = shift(position.y * zoom + y, cardHeight(node) * zoom, frame.current.clientHeight);
      if (right !== 0 || down !== 0) void setViewport({ x: x + right, y: y + down, zoom });
    }
    if (!reveal.focus) return;
    // Mounted by one of the next drawings, when it comes into sight; and a dialog that closes gives the focus back first.
    let drawings = 60;
    let request = 0;
    const take = () => {
      const element = frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(reveal.key)}"]`);
      if (element) element.focus({ preventScroll: true });
      else if (drawings-- > 0) request = requestAnimationFrame(take);
    };
    const timer = setTimeout(take, 30);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(request);
    };
  }, [reveal, placed, setCenter, setViewport, getViewport, frame]);
}
