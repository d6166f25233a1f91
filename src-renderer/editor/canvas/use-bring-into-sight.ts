import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback } from 'react';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { viewportFor } from '#renderer/document/layout/viewport-for.ts';

/**
 * Fits the whole flow or its selected nodes into view. React Flow's own `fitView` only knows the sizes of cards that
 * have been visible before.
 */
export function useBringIntoSight(): (what: 'flow' | 'selection') => void {
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (what) => {
      const flow = currentFlow();
      if (!flow) return;
      const { width, height } = store.getState();
      const selected = new Set(selectionStore.getState().nodes);
      const nodes = what === 'flow' ? flow.view.nodes : flow.view.nodes.filter(({ key }) => selected.has(key));
      if (nodes.length > 0) void setViewport(viewportFor(nodes, flow.positions, width, height));
    },
    [setViewport, store],
  );
}
