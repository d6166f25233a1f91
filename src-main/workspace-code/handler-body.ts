import type { BodyOf } from '#main/engine/bodies/body.ts';
import { handlerEffect } from '#main/engine/bodies/handler-effect.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import { allowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import { callModule } from './module-call.ts';

/** A handler of a flow that a trusted workspace's file exports, run in a process of its own. One that is not declared pure is an effect. */
export function evaluateHandlerBody({ file, at, source, pure, tools }: BodyOf<'handler'>): EvaluateBody {
  const allowed = allowedTools(tools);
  return (step) => {
    const call = () => callModule(step, { type: 'handler', file, at, source }, allowed);
    return pure ? call() : handlerEffect(step, step.node, call);
  };
}
