import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { groupsOf } from '#renderer/document/flows/folded-regions.ts';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { groupKey } from '#renderer/document/layout/groups.ts';
import type { LayoutNote } from '#shared/flow/layout/layout.ts';

/** The selected nodes of a flow, in its order; those of a folded group with its card. */
export function selectedNodes(flow: OpenFlow): NodeView[] {
  const selected = new Set(selectionStore.getState().nodes);
  for (const { id, nodes } of groupsOf(flow)) if (selected.has(groupKey(id))) for (const key of nodes) selected.add(key);
  return flow.view.nodes.filter(({ key }) => selected.has(key));
}

/** The selected notes of a flow. */
export function selectedNotes({ extras }: OpenFlow): LayoutNote[] {
  const { notes } = selectionStore.getState();
  return extras.notes?.filter(({ id }) => notes.includes(id)) ?? [];
}

/** Selects all nodes and notes of the shown flow. */
export function selectEverything(): void {
  const flow = currentFlow();
  select(flow?.view.nodes.map(({ key }) => key) ?? [], [], flow?.extras.notes?.map(({ id }) => id) ?? []);
}
