import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { viewportFor } from './viewport-for.ts';

/** Shows the whole flow once, as soon as its nodes have places. */
export function useFirstFit(flow: OpenFlow, frame: RefObject<HTMLDivElement | null>): void {
  const { setViewport } = useReactFlow();
  const done = useRef(false);
  useEffect(() => {
    if (done.current || !frame.current || flow.view.nodes.length === 0) return;
    if (!flow.view.nodes.every((node) => flow.positions[node.key])) return;
    done.current = true;
    const { clientWidth, clientHeight } = frame.current;
    void setViewport(viewportFor(flow.view, flow.positions, clientWidth, clientHeight));
  }, [flow.view, flow.positions, setViewport, frame]);
}
