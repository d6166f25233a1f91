import type { AgentPlan } from '#main/agents/agent-plan.ts';
import { readJson } from '#main/agents/repair-json.ts';
import { allViolations } from '#main/runtime/schema-validator.ts';
import type { Step } from '#main/runtime/step.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import { capJson } from '#shared/runtime/model-text.ts';

export type ReadAnswer =
  | { readonly ok: true; readonly value: Json }
  /** `value`: what could be read of it. */
  | { readonly ok: false; readonly problem: string; readonly value: Json };

/** Reads an agent's output out of the text that its model answered with, and checks it. `cut`: the model was not allowed to say more. */
export function readAnswer(plan: AgentPlan, text: string, cut: boolean): ReadAnswer {
  const value = readJson(text, plan.repair, cut);
  // A schema of a text is met by a text that is no JSON, too.
  const candidate = value ?? text;
  if (!plan.output.check(candidate)) return { ok: true, value: candidate };
  const unread = cut ? 'it was cut off, since it is longer than max_tokens or the model allows: it has to be shorter' : 'it is no JSON';
  return { ok: false, problem: value === undefined ? unread : whatMisses(plan, candidate), value: candidate };
}

/** Most ways in which a result misses its schema that its model is told of at once. */
const mostViolations = 20;

/** In words, all that is wrong with a result that misses its schema, so that it can be mended in one go. */
export function whatMisses({ output }: AgentPlan, value: Json): string {
  return allViolations(output.schema, value, mostViolations)
    .map(({ message }) => message)
    .join('; ');
}

/** A chat's last words as the output state: the text itself, or an object with it as `text`. */
export function chatOutput({ output }: AgentPlan, text: string): Json {
  return output.check(text) === null ? text : { text };
}

/** The failure of an agent whose output misses its schema for good. `rejected` is the last output, for who can use it as it is (`details.rejected`); a long one as the beginning of its JSON. */
export function missesSchema(step: Step, plan: AgentPlan, problem: string, rejected: Json): FlowError {
  const asked = plan.attempts === 1 ? 'once more' : `${plan.attempts} times more`;
  return new FlowError(
    'AgentError',
    `The agent ${step.node} does not give a ${plan.output.name}, although it was asked ${asked}: ${problem}.`,
    {
      node: step.node,
      code: 'CONSTRAINT_SCHEMA_INVALID',
      category: 'constraint',
      details: { schema: plan.output.name, rejected: capJson(rejected) },
    },
  );
}
