import { type PlanPolicy, readPlan, type TypedStep } from '#shared/flow/expansion/plan-policy.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import { invalidPlan } from './invalid-plan.ts';

/** The result of a step. */
interface StepResult {
  readonly name: string;
  readonly type: string;
  readonly output: Json;
}

/** The progress of a plan with typed steps. `trace` is pagantic's `PlanTrace`; `created_at` is in milliseconds since 1970. */
export interface TypedProgress {
  readonly input: Json;
  readonly trace: { readonly planner_id: string; readonly rationale: string; readonly step_count: number; readonly created_at: number };
  readonly steps: readonly TypedStep[];
  readonly results: readonly StepResult[];
}

/** A step as what does it gets it: the input of the plan's agent, the step, and the results that it needs. */
export interface StepRequest {
  readonly input: Json;
  readonly step: Omit<TypedStep, 'needs'>;
  readonly results: readonly StepResult[];
}

/** Starts a plan at `now`. Throws `AgentError` `ORCHESTRATION_STEP_MISMATCH` for a plan that violates its policy. */
export function beginTypedPlan(input: Json, plan: Json, policy: PlanPolicy, now: number): Json {
  const read = readPlan(plan, policy);
  if (typeof read === 'string') throw invalidPlan(read);
  const { rationale, steps } = read;
  // Each step of a linear plan gets the results of all before it.
  const names = steps.map(({ name }) => name);
  const ordered = policy.linear ? steps.map((step, index) => ({ ...step, needs: names.slice(0, index) })) : steps;
  const trace = { planner_id: policy.planner, rationale, step_count: steps.length, created_at: now };
  return toJson({ input, trace, steps: ordered, results: [] });
}

/** The steps that are not done yet and whose needs are, in the plan's order. */
export function nextWave({ input, steps, results }: TypedProgress): Json {
  const done = new Set(results.map(({ name }) => name));
  const wave = steps.filter(({ name, needs }) => !done.has(name) && needs.every((need) => done.has(need)));
  return toJson(wave.map(({ needs, ...step }) => ({ input, step, results: results.filter(({ name }) => needs.includes(name)) })));
}

/** Adds the results of a wave to the progress. */
export function recordWave(progress: TypedProgress, results: readonly StepResult[]): Json {
  return toJson({ ...progress, results: [...progress.results, ...results] });
}

/** A list of the input of the flow that does a step. */
export function stepInput({ step, results }: StepRequest, takesResults: boolean): Json {
  const { input } = step;
  if (!takesResults) return [input];
  const given: JsonObject = isJsonObject(input) ? input : {};
  return [{ ...given, results: toJson(results) }];
}

/** The result of a step from the text of its agent, or from the list of its flow's one output. */
export function stepResult({ step: { name, type } }: StepRequest, made: Json, of: 'agent' | 'flow'): Json {
  const output = of === 'agent' ? ((made as JsonObject).text as Json) : ((made as readonly Json[])[0] ?? null);
  return { name, type, output };
}
