import type { Viewport } from '@xyflow/react';
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { openingViewport } from '#renderer/document/layout/viewport-for.ts';

/** The initial viewport, chosen so that the flow is readable, or null until all nodes have positions. */
export function useFirstFit(flow: DrawnFlow, frame: RefObject<HTMLDivElement | null>): Viewport | null {
  const [viewport, setViewport] = useState<Viewport | null>(null);
  useLayoutEffect(() => {
    if (viewport || !frame.current || !flow.view.nodes.every((node) => flow.positions[node.key])) return;
    const { clientWidth, clientHeight } = frame.current;
    setViewport(openingViewport(flow.view.nodes, flow.positions, clientWidth, clientHeight));
  }, [viewport, flow.view, flow.positions, frame]);
  return viewport;
}
