import { evaluateExpressionBody } from '#main/runtime/bodies/expression-body.ts';
import { evaluateFunctionBody } from '#main/runtime/bodies/function-body.ts';
import { evaluateHandlerBody } from '#main/runtime/bodies/handler-body.ts';
import { evaluateModuleBody } from '#main/runtime/bodies/module-body.ts';
import { evaluateSandboxBody } from '#main/runtime/bodies/sandbox-body.ts';
import { evaluateToolBody } from '#main/runtime/bodies/tool-body.ts';
import type { EvaluateBody, NodeShape } from '#main/runtime/plan.ts';
import type { NodeBody } from '#shared/flow/graph.ts';

export type BodyOf<Type extends NodeBody['type']> = Extract<NodeBody, { type: Type }>;

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
    case 'run':
      return body.tools.length === 0;
    case 'function':
    case 'handler':
      return body.pure;
    case 'tool':
    case 'module':
    case 'agent':
      return false;
  }
}
