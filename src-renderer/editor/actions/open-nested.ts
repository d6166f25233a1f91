import { currentFlow } from '#renderer/document/flows/editor.ts';
import { goInto } from '#renderer/document/flows/nesting.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import { nodeAt } from '#renderer/document/graph/readable-flow.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { texts } from './texts.ts';

/** Opens the flow that a node runs. Returns false if the node runs no flow. */
export function openNested(key: string): boolean {
  const flow = currentFlow();
  const node = flow?.view.nodes.find((candidate) => candidate.key === key);
  // The inner flows of a flow in code are in its own file or in one that it imports.
  if (!flow || flow.code || (node?.kind !== 'flow' && node?.kind !== 'each') || !flow.readable) return false;
  const named = nodeAt(flow.readable, node.index)?.raw.flow;
  const path = typeof named === 'string' ? flowPathIn(flow.path, named) : null;
  if (path === null) return false;
  void goInto(path, key);
  return true;
}

/** Opens the flow that the selected node runs, or announces that a nested flow must be selected. */
export function openSelectedNested(): void {
  const key = selectionStore.getState().nodes.at(-1);
  if (key === undefined || !openNested(key)) announce(texts.nested.select);
}
