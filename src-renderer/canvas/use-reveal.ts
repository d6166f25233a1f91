import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { card, cardHeight } from '#renderer/graph/card-geometry.ts';
import { useSelection } from '#renderer/stores/use-selection.ts';

/** Brings the node that somebody asked for into sight, and the keyboard to it where that was asked too. */
export function useReveal(flow: OpenFlow, frame: RefObject<HTMLDivElement | null>): void {
  const reveal = useSelection((state) => state.reveal);
  const { setCenter, getViewport } = useReactFlow();
  const latest = useRef(flow);
  latest.current = flow;
  useEffect(() => {
    if (!reveal) return;
    const node = latest.current.view.nodes.find((candidate) => candidate.key === reveal.key);
    const position = latest.current.positions[reveal.key];
    if (!node || !position || !frame.current) return;
    const { x, y, zoom } = getViewport();
    const height = cardHeight(node);
    const left = position.x * zoom + x;
    const top = position.y * zoom + y;
    const { clientWidth, clientHeight } = frame.current;
    const inSight = left >= 0 && top >= 0 && left + card.width * zoom <= clientWidth && top + height * zoom <= clientHeight;
    if (!inSight) void setCenter(position.x + card.width / 2, position.y + height / 2, { zoom: Math.max(zoom, 0.6) });
    if (!reveal.focus) return;
    // Mounted by the next drawing, when it comes into sight.
    const timer = setTimeout(() => {
      frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(reveal.key)}"]`)?.focus({ preventScroll: true });
    }, 30);
    return () => clearTimeout(timer);
  }, [reveal, setCenter, getViewport, frame]);
}
