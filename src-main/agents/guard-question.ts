import type { Step } from '#main/engine/step/step.ts';
import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { CheckVerdict } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';

/** What a person says of a check that failed. */
type Decision =
  | { readonly do: 'pass' }
  | { readonly do: 'edit'; readonly output: Json }
  | { readonly do: 'refuse'; readonly reason?: string };

/** The question to a person whether a failed check may be passed. An output may be edited, against its schema. */
export function questionAbout(
  step: Step,
  { output }: AgentPlan,
  stage: 'input' | 'output',
  value: Json,
  verdict: CheckVerdict,
): Suspension {
  const choice = (name: string, title: string, more: Record<string, Json> = {}, required: string[] = []): Json => ({
    type: 'object',
    title,
    properties: { do: { const: name }, ...more },
    required: ['do', ...required],
    additionalProperties: false,
  });
  const edit = choice('edit', 'Change the output', { output: toJson(output.schema) }, ['output']);
  const oneOf = [
    choice('pass', 'Accept it as it is'),
    ...(stage === 'output' ? [edit] : []),
    choice('refuse', 'Refuse it', { reason: { type: 'string' } }),
  ];
  return {
    reason: 'call',
    tool_id: toolId(step),
    node: step.node,
    tool_call_id: `guard_${step.seq}`,
    value: toJson({ kind: 'guard', stage, check: verdict, value }),
    payload_schema: { oneOf },
  };
}

/** What the person has answered; null if they have not been asked. */
export function personsDecision(step: Step): Decision | null {
  const payload = step.answerTo(toolId(step))?.payload;
  if (!isJsonObject(payload)) return null;
  // The question's schema has checked it.
  const { do: decision, output = null, reason } = payload;
  if (decision === 'pass') return { do: 'pass' };
  return decision === 'edit' ? { do: 'edit', output } : { do: 'refuse', ...(reason !== undefined && { reason: String(reason) }) };
}

function toolId({ node }: Step): string {
  return `${node}::guard`;
}
