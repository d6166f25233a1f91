import type { Step } from '#main/engine/step/step.ts';
import { allViolations } from '#main/engine/values/schema-validator.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { capJson } from '#shared/run/model-text.ts';
import type { AgentPlan } from './agent-plan.ts';
import { readJson } from './repair-json.ts';

export type ReadAnswer =
  | { readonly ok: true; readonly value: Json }
  /** `value`: the part that could be parsed. */
  | { readonly ok: false; readonly problem: string; readonly value: Json };

/** Parses and validates an agent's output from its model's answer. `cut`: the answer was truncated by a token limit. */
export function readAnswer(plan: AgentPlan, text: string, cut: boolean): ReadAnswer {
  const value = readJson(text, plan.repair, cut);
  // A string schema also accepts text that is not JSON.
  const candidate = value ?? text;
  if (plan.role ? plan.role.problemOf(candidate) === null : !plan.output.check(candidate)) return { ok: true, value: candidate };
  const unread = cut ? 'it was truncated because it exceeds max_tokens or the model limit; make it shorter' : 'it is not valid JSON';
  return { ok: false, problem: value === undefined ? unread : whatMisses(plan, candidate), value: candidate };
}

/** Maximum number of schema violations reported to the model at once. */
const mostViolations = 20;

/** Describes all schema violations of a result, so that the model can fix them at once. */
export function whatMisses({ output, role }: AgentPlan, value: Json): string {
  if (role) return role.problemOf(value) ?? '';
  return allViolations(output.schema, value, mostViolations)
    .map(({ message }) => message)
    .join('; ');
}

/** A chat's final text as the output state: the text itself, or an object with it as `text`. */
export function chatOutput({ output }: AgentPlan, text: string): Json {
  return output.check(text) === null ? text : { text };
}

/** The error of an agent whose output still violates its schema after all attempts. `details.rejected` is the last output (truncated if long). */
export function missesSchema(step: Step, plan: AgentPlan, problem: string, rejected: Json): FlowError {
  const asked = `${plan.attempts + 1} ${plan.attempts === 0 ? 'attempt' : 'attempts'}`;
  return new FlowError('AgentError', `Agent ${step.node} returned no valid ${plan.output.name} after ${asked}: ${problem}.`, {
    node: step.node,
    code: 'CONSTRAINT_SCHEMA_INVALID',
    category: 'constraint',
    details: { schema: plan.output.name, rejected: capJson(rejected) },
  });
}
