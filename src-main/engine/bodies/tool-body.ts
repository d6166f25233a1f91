import { StepSuspended } from '#main/engine/step/draft.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { callTool } from '#main/engine/tool-calls/tool-call.ts';
import type { CallPolicy } from '#main/engine/tool-calls/tool-policy.ts';
import { fillTemplates, parseTemplate } from '#shared/flow/template.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { fromTransferable } from '#shared/run/error.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import type { BodyOf } from './body.ts';
import { withField } from './with-field.ts';

/** One call of one tool, its arguments filled in from the input. A failing tool fails the step with its `ToolError`. */
export function evaluateToolBody(body: BodyOf<'tool'>): EvaluateBody {
  const policy: CallPolicy = {
    allowed: new Map([[body.tool, undefined]]),
    source: isLiteral(body.with) ? 'literal' : 'templated',
    tainted: false,
    codeFollows: false,
  };
  return (step) => evaluate(step, body, policy);
}

async function evaluate(step: Step, body: BodyOf<'tool'>, policy: CallPolicy): Promise<Json> {
  const earlier = step.run.control.handlers[step.node];
  const call: PendingCall = earlier?.calls[0] ?? {
    tool_call_id: `call_${step.ready}`,
    tool: body.tool,
    input: fillTemplates(body.with, step.input),
  };
  const outcome = await callTool(step, call, policy, earlier === undefined);
  if (outcome.type === 'suspended') {
    const handler = { now: earlier?.now ?? step.now, seed: earlier?.seed ?? 0, calls: [outcome.call] };
    throw new StepSuspended({ type: 'suspended', suspensions: [outcome.suspension], handler });
  }
  const { value, error } = outcome.call.result;
  if (error) throw fromTransferable(error);
  return body.into === undefined ? value : withField(step, body.into, value);
}

function isLiteral(value: Json): boolean {
  if (typeof value === 'string') return parseTemplate(value).every((part) => typeof part === 'string');
  if (Array.isArray(value)) return value.every(isLiteral);
  return !isJsonObject(value) || Object.values(value).every(isLiteral);
}
