import type { EvaluateBody, NodeShape } from '#main/engine/step/node-plan.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import type { NodeSession } from '#shared/flow/session.ts';
import { evaluateFunctionBody } from './function-body.ts';
import { lazyBody } from './lazy-body.ts';
import { evaluateHandlerBody, evaluateModuleBody, evaluateSandboxBody, evaluateSessionBody } from './registered-bodies.ts';

export type BodyOf<Type extends NodeBody['type']> = Extract<NodeBody, { type: Type }>;

const evaluateExpressionBody = lazyBody<BodyOf<'expr'>>(async () => {
  return (await import('./expression-body.ts')).evaluateExpressionBody;
});
const evaluateToolBody = lazyBody<BodyOf<'tool'>>(async () => {
  return (await import('./tool-body.ts')).evaluateToolBody;
});
const evaluateBuiltinBody = lazyBody<BodyOf<'builtin'>>(async () => {
  return (await import('./builtin-body.ts')).evaluateBuiltinBody;
});

/** The function that evaluates a node's body; null where the node's kind needs none. */
export function bodyEvaluator({ node }: NodeShape): EvaluateBody | null {
  const { body } = node;
  switch (body.type) {
    case 'expr':
      return evaluateExpressionBody(body);
    case 'run':
      return evaluateSandboxBody(body);
    case 'tool':
      return evaluateToolBody(body);
    case 'module':
      return evaluateModuleBody(body);
    case 'function':
      return evaluateFunctionBody(body);
    case 'handler':
      return evaluateHandlerBody(body);
    case 'builtin':
      return evaluateBuiltinBody(body);
    case 'session':
      return evaluateSessionBody(body);
    case 'default':
    case 'agent':
    case 'suspend':
    case 'each':
      return null;
  }
}

/** Whether a step with this body touches nothing outside, so that it can be computed again after a crash. */
export function isPureBody(body: NodeBody): boolean {
  switch (body.type) {
    case 'default':
    case 'expr':
    case 'suspend':
    // The node itself only puts results together; each of its items' steps is what it is.
    case 'each':
      return true;
    // A plan with typed steps begins with the time, which is on record.
    case 'builtin':
      return body.call.name !== 'begin_typed_plan';
    case 'run':
      return body.tools.length === 0;
    case 'function':
    case 'handler':
      return body.pure;
    case 'session':
      return isPureSession(body.session);
    case 'tool':
    case 'module':
    case 'agent':
      return false;
  }
}

/** A session begins with the time, which is on record, and calls tools and Python functions. The rest is computed. */
function isPureSession(session: NodeSession): boolean {
  return !('begin' in session || 'tool' in session || 'code' in session);
}
