import { flowPathIn } from '#renderer/library/flow-path.ts';
import { currentFlow, showFlow } from '#renderer/stores/editor.ts';

/** Opens the flow that a nested-flow node runs. False for every other node. */
export function openNested(key: string): boolean {
  const flow = currentFlow();
  const node = flow?.view.nodes.find((candidate) => candidate.key === key);
  if (!flow || (node?.kind !== 'flow' && node?.kind !== 'each') || !node.detail) return false;
  const path = flowPathIn(flow.path, node.detail.text);
  if (path === null) return false;
  void showFlow(path);
  return true;
}
