import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { nodeOfPointer } from '#renderer/document/graph/workflow-source.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { Problem } from '#shared/flow/problem.ts';

/** Selects the node of a problem, by its position in the document, its origin in a workflow, or its id. */
export function goToProblem(flow: Pick<OpenFlow, 'view' | 'code'>, problem: Problem): void {
  const index = /^\/nodes\/(\d+)/.exec(problem.path)?.[1] ?? nodeOfPointer(flow.code?.origins ?? [], problem.path);
  const node =
    flow.view.nodes.find((candidate) => index !== undefined && candidate.index === Number(index)) ??
    flow.view.nodes.find((candidate) => problem.nodes.includes(candidate.id));
  if (node) revealNode(node.key);
  panelsStore.getState().showRight(node ? 'node' : 'flow');
}
