import { bodyEvaluator } from '#main/engine/bodies/body.ts';
import type { EvaluateBody, NodeShape } from '#main/engine/step/node-plan.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';

/** Calls a function of a program that belongs to an agent (`what`, for messages). Throws `BuildError` where the program is not there. */
export function programFunction(
  { node, inputs, outputs }: NodeShape,
  body: Extract<NodeBody, { type: 'function' }>,
  what: string,
): EvaluateBody {
  const evaluate = typeof body.call === 'function' ? bodyEvaluator({ node: { ...node, body }, inputs, outputs }) : null;
  if (evaluate) return evaluate;
  const message = `${what} of ${node.id} is a function of a program. Continue the run from that program.`;
  throw new FlowError('BuildError', message, { node: node.id });
}
