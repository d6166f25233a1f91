import type { BodyOf } from '#main/engine/bodies/body.ts';
import { handlerEffect } from '#main/engine/bodies/handler-effect.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { allowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import { callModule } from './module-call.ts';

/** A function of a trusted workspace's own file, run as ordinary Node code in a process of its own. */
export function evaluateModuleBody({ file, export: name, tools, within_effect }: BodyOf<'module'>): EvaluateBody {
  const allowed = allowedTools(tools);
  const call = (step: Step) => callModule(step, { type: 'export', file, export: name }, allowed);
  return within_effect ? call : (step) => handlerEffect(step, `${file}#${name}`, () => call(step));
}
