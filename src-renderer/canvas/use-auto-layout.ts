import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { autoLayout } from '#renderer/layout/auto-layout.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { takeAutomaticPositions } from '#renderer/stores/editor.ts';

/** Lays out a flow that nobody has arranged, and shows all of it the first time. */
export function useAutoLayout(flow: OpenFlow): void {
  const { fitView } = useReactFlow();
  const { path, view, arranged } = flow;
  const placed = view.nodes.every((node) => flow.positions[node.key]);
  useEffect(() => {
    if (arranged || placed) return;
    let current = true;
    autoLayout(view).then(
      (positions) => {
        if (!current) return;
        takeAutomaticPositions(path, positions);
        // After the next drawing, when the cards stand where they belong.
        requestAnimationFrame(() => requestAnimationFrame(() => void fitView({ padding: 0.12, maxZoom: 1, minZoom: 0.35 })));
      },
      (thrown: unknown) => noticeProblem('The flow could not be laid out', String(thrown)),
    );
    return () => {
      current = false;
    };
  }, [path, view, arranged, placed, fitView]);
}
