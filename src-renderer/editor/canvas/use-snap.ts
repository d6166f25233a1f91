import { type NodeChange, useReactFlow } from '@xyflow/react';
import { useCallback } from 'react';
import type { Layout } from '#shared/contract/flows.ts';
import type { CanvasNode } from './canvas-nodes.ts';
import type { CardIndex } from './card-index.ts';
import { snapped } from './snap.ts';
import { snapStore } from './snap-lines.tsx';

type Changes = NodeChange<CanvasNode>[];

/** Snaps a card that is dragged alone to the edges of its neighbours. React Flow itself keeps the position under the pointer. */
export function useSnap(
  index: CardIndex,
  positions: Layout['nodes'],
  onNodesChange: (changes: Changes) => void,
): (changes: Changes) => void {
  const { getZoom } = useReactFlow();
  return useCallback(
    (changes) => {
      const [only, other] = changes.filter((change) => change.type === 'position' && change.dragging);
      if (only?.type !== 'position' || !only.position || other) return onNodesChange(changes);
      const lines = snapped(only.id, only.position, index, positions, getZoom());
      snapStore.setState({ lines });
      onNodesChange(changes.map((change) => (change === only ? { ...only, position: { x: lines.x, y: lines.y } } : change)));
    },
    [onNodesChange, index, positions, getZoom],
  );
}

/** The dragged cards as they are drawn at the end of a drag. */
export function endSnap(dragged: readonly CanvasNode[]): readonly CanvasNode[] {
  const { lines } = snapStore.getState();
  snapStore.setState({ lines: null });
  const [only] = dragged;
  return lines && only && dragged.length === 1 ? [{ ...only, position: { x: lines.x, y: lines.y } }] : dragged;
}
