import { nodeAt } from '#renderer/graph/readable-flow.ts';
import { flowPathIn } from '#renderer/library/flow-path.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { currentFlow } from '#renderer/stores/editor.ts';
import { goInto } from '#renderer/stores/nesting.ts';
import { selectionStore } from '#renderer/stores/selection.ts';

/** Opens the flow that a nested-flow node runs. False for every other node. */
export function openNested(key: string): boolean {
  const flow = currentFlow();
  const node = flow?.view.nodes.find((candidate) => candidate.key === key);
  // Of a flow in code the inner flows are in its file, or in one that this imports.
  if (!flow || flow.code || (node?.kind !== 'flow' && node?.kind !== 'each') || !flow.readable) return false;
  const named = nodeAt(flow.readable, node.index)?.raw.flow;
  const path = typeof named === 'string' ? flowPathIn(flow.path, named) : null;
  if (path === null) return false;
  void goInto(path, key);
  return true;
}

/** Opens the flow that the selected node runs, or says that it runs none. */
export function openSelectedNested(): void {
  const key = selectionStore.getState().nodes.at(-1);
  if (key === undefined || !openNested(key)) announce('Select a node that runs a nested flow');
}
