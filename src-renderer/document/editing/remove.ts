import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { isOpenSchema } from './states.ts';
import { texts } from './texts.ts';

/** Plans the removal of nodes by position, with schemas that are no longer used and have no specific content. */
export function removeNodes(flow: ReadableFlow, indices: readonly number[]): EditPlan {
  const gone = new Set(indices.filter((index) => nodeAt(flow, index)));
  if (gone.size === 0) return refuse(texts.nothingSelected);
  const edits: FlowEdit[] = [...gone].sort((a, b) => b - a).map((index) => ({ type: 'remove', path: ['nodes', index] }));
  const states = (nodes: readonly OutlineNode[]) => new Set(nodes.flatMap((node) => [...node.from, ...node.to]));
  const wasUsed = states(flow.nodes.filter((node) => gone.has(node.index)));
  const stillUsed = states(flow.nodes.filter((node) => !gone.has(node.index)))
    .add(flow.input)
    .add(flow.output);
  for (const [state, schema] of Object.entries(flow.schemas)) {
    if (wasUsed.has(state) && !stillUsed.has(state) && isOpenSchema(schema)) edits.push({ type: 'remove', path: ['schemas', state] });
  }
  return { ok: true, label: texts.deleteNodes(gone.size), edits, select: [] };
}
