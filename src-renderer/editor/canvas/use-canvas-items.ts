import { applyNodeChanges, type NodeChange, useStoreApi } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';
import { useRunMarks } from '#renderer/editor/marks/shown-marks.ts';
import type { RunMarks } from '#renderer/runs/model/run-marks.ts';
import { type CanvasNode, type CanvasWire, canvasNodes, canvasWires } from './canvas-nodes.ts';
import { CardIndex } from './card-index.ts';
import { isFar } from './detail-level.tsx';
import { mostMounted, shownFar, shownNear } from './shown-cards.ts';
import type { Sight } from './sight.ts';
import { useCardContrast } from './use-card-contrast.ts';

/** What the canvas hands to React Flow, and what it draws by itself. */
export interface CanvasItems {
  readonly nodes: CanvasNode[];
  readonly wires: CanvasWire[];
  /** Whether most cards are drawn on the surface. */
  readonly onSurface: boolean;
  onNodesChange(changes: NodeChange<CanvasNode>[]): void;
  /** Mounts the card under the pointer, so that it can be selected and dragged. Null for none. */
  setHovered(key: string | null): void;
}

/** Ids of the nodes whose titles stay in sight on blocks, joined by line breaks. */
function namedIds({ nodes }: RunMarks): string {
  const named = Object.entries(nodes).filter(([, { status }]) => status !== 'ran');
  return named.map(([id]) => id).join('\n');
}

/** The index of a flow's cards, and the flow as it was when a card was last moved, added, removed or resized: what depends on places alone. */
export function useCardIndex({ view, positions }: DrawnFlow): {
  readonly index: CardIndex;
  readonly placed: Pick<DrawnFlow, 'view' | 'positions'>;
} {
  const known = useRef<CardIndex | null>(null);
  const index = useMemo(() => CardIndex.of(view, positions, known.current), [view, positions]);
  known.current = index;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit that moves no card does not change what is placed
  const placed = useMemo(() => ({ view, positions }), [index.places]);
  return { index, placed };
}

/** Chooses the cards and wires that are mounted: those around what is in sight, or from far away only those that are used. */
export function useCanvasItems(
  flow: DrawnFlow,
  index: CardIndex,
  sight: Sight | null,
  channels: ReadonlyMap<string, RowChannel>,
  frame: RefObject<HTMLElement | null>,
): CanvasItems {
  const store = useStoreApi();
  const selection = useSelection((state) => state);
  const [hovered, setHovered] = useState<string | null>(null);
  const focused = useFocusedNode(frame);
  const keepsCards = useCardContrast(flow.view.nodes.length);
  const onSurface = sight !== null && isFar(sight.level) && !keepsCards;
  const named = useRunMarks((marks) => (sight?.level === 'blocks' ? namedIds(marks) : ''));

  const shown = useMemo(() => {
    if (!sight) return { nodes: [], wires: [] };
    const chosen = selection.nodes.slice(-mostMounted);
    if (!onSurface) return shownNear(index, sight, focused === null ? chosen : [...chosen, focused]);
    const marked = new Set(named.split('\n').slice(0, mostMounted));
    const titled = marked.size === 0 ? [] : index.view.nodes.flatMap((node) => (marked.has(node.id) ? [node.key] : []));
    // The first node is where the Tab key enters.
    const used = [index.view.nodes[0]?.key, hovered, focused, ...chosen, ...titled].filter((key) => typeof key === 'string');
    return shownFar(index, used);
  }, [index, sight, onSurface, selection.nodes, focused, hovered, named]);

  const [nodes, setNodes] = useState<CanvasNode[]>([]);
  const [wires, setWires] = useState<CanvasWire[]>([]);
  // Before the browser paints: a level is never drawn with the cards of another one.
  useLayoutEffect(() => {
    setNodes((previous) => canvasNodes(shown.nodes, flow.positions, new Set(selection.nodes), previous, hovered));
  }, [shown.nodes, flow.positions, selection.nodes, hovered]);
  useLayoutEffect(() => {
    setWires((previous) => canvasWires(shown.wires, new Set(selection.wires), previous, channels));
  }, [shown.wires, selection.wires, channels]);

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const selecting = changes.filter((change) => change.type === 'select');
      if (selecting.length > 0) {
        const { nodeLookup, multiSelectionActive } = store.getState();
        const before = selectionStore.getState();
        // React Flow unselects the cards that it knows; where nothing is added to a selection, the others go, too.
        const chosen = new Set(multiSelectionActive ? before.nodes : before.nodes.filter((key) => nodeLookup.has(key)));
        for (const change of selecting) {
          if (change.selected) chosen.add(change.id);
          else chosen.delete(change.id);
        }
        select([...chosen], before.wires, before.notes);
      }
      const drawn = changes.filter((change) => change.type === 'position' || change.type === 'dimensions');
      if (drawn.length > 0) setNodes((previous) => applyNodeChanges(drawn, previous));
    },
    [store],
  );

  return { nodes, wires, onSurface, onNodesChange, setHovered };
}

/** Key of the node whose card has the focus, or null. */
function useFocusedNode(frame: RefObject<HTMLElement | null>): string | null {
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const update = ({ target }: FocusEvent) => {
      const node = target instanceof Element ? target.closest<HTMLElement>('.react-flow__node') : null;
      setFocused(node?.dataset.id ?? null);
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) setFocused(null);
    };
    element.addEventListener('focusin', update);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', update);
      element.removeEventListener('focusout', leave);
    };
  }, [frame]);
  return focused;
}
