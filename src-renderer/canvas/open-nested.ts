import { flowPathIn } from '#renderer/library/flow-path.ts';
import { currentFlow, showFlow } from '#renderer/stores/editor.ts';

/** Opens the flow that a nested-flow node runs. False for every other node. */
export function openNested(key: string): boolean {
  const flow = currentFlow();
  const node = flow?.view.nodes.find((candidate) => candidate.key === key);
  // Of a flow in code the inner flows are in its file, or in one that this imports.
  if (!flow || flow.code || (node?.kind !== 'flow' && node?.kind !== 'each') || !node.detail) return false;
  const path = flowPathIn(flow.path, node.detail.text);
  if (path === null) return false;
  void showFlow(path);
  return true;
}
