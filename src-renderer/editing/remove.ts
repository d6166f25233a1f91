import { nodeAt, type ReadableFlow } from '#renderer/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { isOpenSchema } from './states.ts';

/** Plans the removal of nodes by their positions. Schemas that nobody uses any more and that say nothing go with them. */
export function removeNodes(flow: ReadableFlow, indices: readonly number[]): EditPlan {
  const gone = new Set(indices.filter((index) => nodeAt(flow, index)));
  if (gone.size === 0) return refuse('Nothing is selected.');
  const edits: FlowEdit[] = [...gone].sort((a, b) => b - a).map((index) => ({ type: 'remove', path: ['nodes', index] }));
  const states = (nodes: readonly OutlineNode[]) => new Set(nodes.flatMap((node) => [...node.from, ...node.to]));
  const wasUsed = states(flow.nodes.filter((node) => gone.has(node.index)));
  const stillUsed = states(flow.nodes.filter((node) => !gone.has(node.index)))
    .add(flow.input)
    .add(flow.output);
  for (const [state, schema] of Object.entries(flow.schemas)) {
    if (wasUsed.has(state) && !stillUsed.has(state) && isOpenSchema(schema)) edits.push({ type: 'remove', path: ['schemas', state] });
  }
  return { ok: true, label: gone.size === 1 ? 'Delete node' : `Delete ${gone.size} nodes`, edits, select: [] };
}
