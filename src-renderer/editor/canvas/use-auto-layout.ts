import { useEffect, useMemo } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { takeAutomaticPositions } from '#renderer/document/flows/editor.ts';
import { autoLayout } from '#renderer/document/layout/auto-layout.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';

/** Lays out a flow that has no saved layout. */
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
      (thrown: unknown) => noticeProblem(actionTexts.layoutFailed, String(thrown)),
    );
    return () => {
      current = false;
    };
  }, [path, view, arranged, placed]);
}
