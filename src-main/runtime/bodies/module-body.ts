import type { BodyOf } from '#main/runtime/bodies/body.ts';
import { handlerEffect } from '#main/runtime/bodies/handler-effect.ts';
import { callModule } from '#main/runtime/bodies/module-call.ts';
import type { EvaluateBody } from '#main/runtime/node-plan.ts';
import { allowedTools } from '#main/runtime/tool-policy.ts';

/** A function of a trusted workspace's own file, run as ordinary Node code in a process of its own. */
export function evaluateModuleBody({ file, export: name, tools }: BodyOf<'module'>): EvaluateBody {
  const allowed = allowedTools(tools);
  return (step) => handlerEffect(step, `${file}#${name}`, () => callModule(step, { type: 'export', file, export: name }, allowed));
}
