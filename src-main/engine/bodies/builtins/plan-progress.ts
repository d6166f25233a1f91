import type { Builtin } from '#shared/flow/expansion/builtin.ts';
import { type Json, toJson } from '#shared/json.ts';
import { invalidPlan } from './invalid-plan.ts';

/** A step of an agent's plan. `needs`: names of the steps whose results it gets; default: all earlier steps. */
export interface PlanStep {
  readonly name: string;
  readonly instruction: string;
  readonly needs?: readonly string[];
}

/** The planner's answer. */
export interface AgentPlanning {
  readonly rationale: string;
  readonly steps: readonly PlanStep[];
}

/** The progress of a plan: its steps in execution order and the results so far. `trace` is pagantic's `PlanTrace`. */
export interface PlanProgress {
  readonly input: Json;
  readonly trace: { readonly planner_id: string; readonly rationale: string; readonly step_count: number };
  readonly steps: readonly PlanStep[];
  readonly results: readonly { readonly name: string; readonly text: string }[];
}

/** Starts a plan. Throws `AgentError` `ORCHESTRATION_STEP_MISMATCH` for a plan that violates its policy (pagantic's `PlanPolicy`). */
export function beginPlan(
  input: Json,
  { rationale, steps }: AgentPlanning,
  policy: Extract<Builtin, { name: 'begin_plan' }>,
): PlanProgress {
  if (steps.length > policy.max_steps) throw invalidPlan(`it has ${steps.length} steps, and ${policy.max_steps} are allowed`);
  const names = new Set(steps.map(({ name }) => name));
  if (names.size < steps.length) throw invalidPlan('two of its steps have the same name');
  const ordered = policy.linear ? steps.map(({ name, instruction }) => ({ name, instruction })) : inOrder(steps, names);
  return { input, trace: { planner_id: policy.planner, rationale, step_count: steps.length }, steps: ordered, results: [] };
}

/** Sorts the steps topologically, otherwise in the order of the plan. */
function inOrder(steps: readonly PlanStep[], names: ReadonlySet<string>): PlanStep[] {
  for (const { name, needs = [] } of steps) {
    const unknown = needs.find((need) => !names.has(need));
    if (unknown !== undefined) throw invalidPlan(`its step "${name}" needs "${unknown}", which is not a step of the plan`);
  }
  const [ordered, done, left] = [[] as PlanStep[], new Set<string>(), [...steps]];
  while (left.length > 0) {
    const index = left.findIndex(({ needs = [] }) => needs.every((need) => done.has(need)));
    if (index < 0) throw invalidPlan(`its steps ${left.map(({ name }) => `"${name}"`).join(', ')} need each other`);
    const [step] = left.splice(index, 1) as [PlanStep];
    ordered.push(step);
    done.add(step.name);
  }
  return ordered;
}

/** Whether the plan has another step. */
export function hasNextStep({ steps, results }: PlanProgress): boolean {
  return results.length < steps.length;
}

/** The input of the next step's agent: the plan's input, the step, and the results that it needs. */
export function nextStep({ input, steps, results }: PlanProgress): Json {
  const { needs, ...step } = steps[results.length] as PlanStep;
  const given = needs ? results.filter(({ name }) => needs.includes(name)) : results;
  return { input, step, results: toJson(given) };
}

/** Adds the result of the current step to the progress. */
export function recordStep(progress: PlanProgress, { text }: { readonly text: string }): PlanProgress {
  const { name } = progress.steps[progress.results.length] as PlanStep;
  return { ...progress, results: [...progress.results, { name, text }] };
}
