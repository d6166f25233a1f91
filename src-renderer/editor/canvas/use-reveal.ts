import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import { clearPart } from './clear-part.ts';
import { viewportShowing } from './in-sight.ts';

function focusedDialog(): Element | null {
  return document.activeElement?.closest('[role="dialog"]') ?? null;
}

/** Brings a requested node into view and, if requested, focuses it. */
export function useReveal(flow: DrawnFlow, frame: RefObject<HTMLDivElement | null>): void {
  const reveal = useSelection((state) => state.reveal);
  const { setViewport, getViewport } = useReactFlow();
  const latest = useRef(flow);
  latest.current = flow;
  // A flow that was just opened may need a layout first.
  const placed = reveal !== null && flow.positions[reveal.key] !== undefined;
  useEffect(() => {
    if (!reveal || !placed) return;
    const node = latest.current.view.nodes.find((candidate) => candidate.key === reveal.key);
    const position = latest.current.positions[reveal.key];
    if (!node || !position || !frame.current) return;
    const next = viewportShowing(node, position, getViewport(), clearPart(frame.current));
    if (next) void setViewport(next);
    if (!reveal.focus) return;
    // The node mounts in one of the next renders, and a closing dialog restores the focus first.
    let drawings = 60;
    let request = 0;
    const dialog = focusedDialog();
    const take = () => {
      // The user has opened another dialog meanwhile.
      if (focusedDialog() !== null && focusedDialog() !== dialog) return;
      const element = frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(reveal.key)}"]`);
      if (element) element.focus({ preventScroll: true });
      else if (drawings-- > 0) request = requestAnimationFrame(take);
    };
    const timer = setTimeout(take, 30);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(request);
    };
  }, [reveal, placed, setViewport, getViewport, frame]);
}
