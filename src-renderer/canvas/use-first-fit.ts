import { useReactFlow } from '@xyflow/react';
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { viewportFor } from './viewport-for.ts';

/** Shows the whole flow once, as soon as its nodes have places. False until then, when nothing is to be seen yet. */
export function useFirstFit(flow: OpenFlow, frame: RefObject<HTMLDivElement | null>): boolean {
  const { setViewport } = useReactFlow();
  const [done, setDone] = useState(false);
  useLayoutEffect(() => {
    if (done || !frame.current || !flow.view.nodes.every((node) => flow.positions[node.key])) return;
    const { clientWidth, clientHeight } = frame.current;
    void setViewport(viewportFor(flow.view, flow.positions, clientWidth, clientHeight)).then(() => setDone(true));
  }, [done, flow.view, flow.positions, setViewport, frame]);
  return done;
}
