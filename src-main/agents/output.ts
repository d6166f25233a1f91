import type { Step } from '#main/engine/step/step.ts';
import { allViolations, type SchemaViolation } from '#main/engine/values/schema-validator.ts';
import { readPlan } from '#shared/flow/expansion/plan-policy.ts';
import { type Json, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { capJson } from '#shared/run/model-text.ts';
import type { AgentPlan } from './agent-plan.ts';
import { readJson } from './repair-json.ts';

export type ReadAnswer =
  | { readonly ok: true; readonly value: Json /** The text was not the JSON itself. */; readonly repaired: boolean }
  /** `value`: the part that could be parsed. */
  | ({ readonly ok: false; readonly value: Json } & Misfit);

/** Why an output is not what the agent's schema asks for. */
export interface Misfit {
  /** For the model, which is asked again. */
  readonly problem: string;
  /** The failure's code if no further answer is asked for. */
  readonly code: string;
  readonly errors: readonly SchemaViolation[];
}

/** Parses and validates an agent's output from its model's answer. `cut`: the answer was truncated by a token limit. */
export function readAnswer(plan: AgentPlan, text: string, cut: boolean): ReadAnswer {
  const value = readJson(text, plan.repair, cut);
  // A string schema also accepts text that is not JSON.
  const candidate = value ?? text;
  if (plan.role ? plan.role.problemOf(candidate) === null : !plan.output.check(candidate) && violationOf(plan, candidate) === null)
    return { ok: true, value: candidate, repaired: !isJson(text) };
  const misfit = value === undefined ? unreadable(cut) : misfitOf(plan, candidate);
  return { ok: false, value: candidate, ...misfit, ...(cut && { code: cutCode(plan) }) };
}

function unreadable(cut: boolean): Misfit {
  const problem = cut ? 'it was truncated because it exceeds max_tokens or the model limit; make it shorter' : 'it is not valid JSON';
  return { problem, code: 'CONSTRAINT_JSON_INVALID', errors: [] };
}

/** A grammar is not finished where the answer was cut off. */
function cutCode({ grammar }: AgentPlan): string {
  return grammar === undefined ? 'INFERENCE_OUTPUT_TRUNCATED' : 'CONSTRAINT_GRAMMAR_REJECTED';
}

/** Whether a text is JSON as it stands. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Maximum number of schema violations reported to the model at once. */
const mostViolations = 20;

const stepMismatch = 'ORCHESTRATION_STEP_MISMATCH';
const schemaInvalid = 'CONSTRAINT_SCHEMA_INVALID';

/** Describes all schema violations of a result, so that the model can fix them at once. */
export function misfitOf(plan: AgentPlan, value: Json): Misfit {
  const { output, role } = plan;
  const violation = violationOf(plan, value);
  if (violation !== null) return { problem: violation, code: stepMismatch, errors: [] };
  if (role) return { problem: role.problemOf(value) ?? '', code: schemaInvalid, errors: [] };
  const errors = allViolations(output.schema, value, mostViolations);
  const problem = errors.map(({ message }) => message).join('; ');
  const isOther = errors.length > 0 && errors.every(({ keyword }) => keyword === 'enum' || keyword === 'const');
  return { problem, code: isOther ? 'CONSTRAINT_ENUM_UNRECOGNIZED' : schemaInvalid, errors };
}

/** What is wrong with a plan by its policy; null if nothing is, or it makes none. */
function violationOf({ policy }: AgentPlan, value: Json): string | null {
  const read = policy && readPlan(value, policy);
  return typeof read === 'string' ? read : null;
}

/** A chat's final text as the output state: the text itself, or an object with it as `text`. */
export function chatOutput({ output }: AgentPlan, text: string): Json {
  return output.check(text) === null ? text : { text };
}

/** The error of an agent whose output still violates its schema after all attempts. `details.rejected` is the last output (truncated if long). */
export function missesSchema(step: Step, plan: AgentPlan, { problem, code, errors }: Misfit, rejected: Json): FlowError {
  const { body } = step.plan.node;
  const isTooLong = () => errors.some(({ path, keyword }) => path === '/steps' && keyword === 'maxItems');
  if (code === stepMismatch || (body.type === 'agent' && body.plans && isTooLong())) {
    const more = { code: stepMismatch, category: 'orchestration', retryable: false } as const;
    return new FlowError('AgentError', `The plan is invalid: ${problem}.`, {
      node: step.node,
      ...more,
      details: { rejected: capJson(rejected) },
    });
  }
  const asked = `${plan.attempts + 1} ${plan.attempts === 0 ? 'attempt' : 'attempts'}`;
  const details = { schema: plan.output.name, rejected: capJson(rejected), ...(errors.length > 0 && { schema_errors: toJson(errors) }) };
  return new FlowError('AgentError', `Agent ${step.node} returned no valid ${plan.output.name} after ${asked}: ${problem}.`, {
    node: step.node,
    code,
    category: code.startsWith('CONSTRAINT_') ? 'constraint' : 'inference',
    details,
  });
}
