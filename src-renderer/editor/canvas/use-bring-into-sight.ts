import { useReactFlow, useStoreApi, type Viewport } from '@xyflow/react';
import { useCallback } from 'react';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { viewportFor } from '#renderer/document/layout/viewport-for.ts';
import { clearPart } from './clear-part.ts';

const fitListeners = new Set<(viewport: Viewport) => void>();

/** Listens to viewports that show the whole flow because the user asked for it. Returns the function that unsubscribes. */
export function onCanvasFitted(listener: (viewport: Viewport) => void): () => void {
  fitListeners.add(listener);
  return () => fitListeners.delete(listener);
}

/**
 * Fits the whole flow or its selected nodes into the part of the canvas that no panel covers. React Flow's own `fitView`
 * only knows the sizes of cards that have been visible before.
 */
export function useBringIntoSight(): (what: 'flow' | 'selection') => void {
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (what) => {
      const flow = currentFlow();
      const frame = store.getState().domNode;
      if (!flow || !frame) return;
      const { left, width, height } = clearPart(frame);
      const selected = new Set(selectionStore.getState().nodes);
      const nodes = what === 'flow' ? flow.view.nodes : flow.view.nodes.filter(({ key }) => selected.has(key));
      if (nodes.length === 0) return;
      const viewport = viewportFor(nodes, flow.positions, width, height);
      const fitted = { ...viewport, x: viewport.x + left };
      void setViewport(fitted);
      if (what === 'flow') for (const listener of fitListeners) listener(fitted);
    },
    [setViewport, store],
  );
}
