import { useEffect, useMemo } from 'react';
import type { DrawnFlow } from '#renderer/editing/open-flow.ts';
import { autoLayout } from '#renderer/layout/auto-layout.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { takeAutomaticPositions } from '#renderer/stores/editor.ts';

/** Lays out a flow that nobody has arranged. */
export function useAutoLayout(flow: DrawnFlow): void {
  const { path, view, arranged } = flow;
  const { positions } = flow;
  const placed = useMemo(() => view.nodes.every((node) => positions[node.key]), [view, positions]);
  useEffect(() => {
    if (arranged || placed) return;
    let current = true;
    autoLayout(view).then(
      (positions) => {
        if (!current) return;
        takeAutomaticPositions(path, positions);
      },
      (thrown: unknown) => noticeProblem('The flow could not be laid out', String(thrown)),
    );
    return () => {
      current = false;
    };
  }, [path, view, arranged, placed]);
}
