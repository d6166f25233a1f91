import type { BodyOf } from '#main/runtime/bodies/body.ts';
import { handlerEffect } from '#main/runtime/bodies/handler-effect.ts';
import { callModule } from '#main/runtime/bodies/module-call.ts';
import type { EvaluateBody } from '#main/runtime/node-plan.ts';
import { allowedTools } from '#main/runtime/tool-policy.ts';

/** A handler of a flow that a trusted workspace's file exports, run in a process of its own. One that is not declared pure is an effect. */
export function evaluateHandlerBody({ file, at, source, pure, tools }: BodyOf<'handler'>): EvaluateBody {
  const allowed = allowedTools(tools);
  return (step) => {
    const call = () => callModule(step, { type: 'handler', file, at, source }, allowed);
    return pure ? call() : handlerEffect(step, step.node, call);
  };
}
