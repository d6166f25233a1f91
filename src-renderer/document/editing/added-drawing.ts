import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import type { Layout, LayoutExtras } from '#shared/flow/layout/layout.ts';
import type { AddedDrawing } from './edit-plan.ts';

/** Where the added nodes are, by the keys that they have after the edits. */
export function addedPlaces({ nodes }: AddedDrawing, view: GraphView): Layout['nodes'] {
  const places = new Map(nodes.map(({ index, place }) => [index, place]));
  return Object.fromEntries(
    view.nodes.flatMap(({ key, index }) => {
      const place = places.get(index);
      return place ? [[key, place]] : [];
    }),
  );
}

/** Notes and groups with the added ones. */
export function withAdded(extras: LayoutExtras, { notes, groups }: AddedDrawing, view: GraphView): LayoutExtras {
  const keyOf = new Map(view.nodes.map(({ index, key }) => [index, key]));
  const added = groups.flatMap(({ indices, ...group }) => {
    const nodes = indices.flatMap((index) => keyOf.get(index) ?? []);
    return nodes.length === 0 ? [] : [{ ...group, nodes }];
  });
  return { ...extras, notes: [...(extras.notes ?? []), ...notes], groups: [...(extras.groups ?? []), ...added] };
}
