import { isJsonObject, type Json } from '#shared/json.ts';

/** What a plan with typed steps has to keep to (pagantic's `PlanPolicy`), and who makes it. */
export interface PlanPolicy {
  /** Model URL, `flow:NAME`, `module:FILE`, `function` or `fixed`. */
  readonly planner: string;
  /** Names of the types that a step may have. */
  readonly types: readonly string[];
  readonly max_steps: number;
  /** Steps are done in the order of the plan, and each gets the results of all before it. */
  readonly linear: boolean;
}

/** A step of a plan. `needs`: names of the steps whose results it gets, and which come before it. */
export interface TypedStep {
  readonly name: string;
  readonly type: string;
  readonly input: Json;
  readonly needs: readonly string[];
}

/** A plan, with what its steps leave out filled in. */
export interface TypedPlan {
  readonly rationale: string;
  readonly steps: readonly TypedStep[];
}

/** Reads a plan. Returns what is wrong with it as a text if it violates its policy. */
export function readPlan(plan: Json, policy: PlanPolicy): TypedPlan | string {
  const written = isJsonObject(plan) ? plan.steps : undefined;
  if (!isJsonObject(plan) || !Array.isArray(written) || written.length === 0) return 'it has no steps';
  if (written.length > policy.max_steps) return `it has ${written.length} steps, and ${policy.max_steps} are allowed`;
  const steps: TypedStep[] = [];
  for (const [index, step] of (written as readonly Json[]).entries()) {
    const read = readStep(step, index, policy);
    if (typeof read === 'string') return read;
    if (steps.some(({ name }) => name === read.name)) return `two of its steps are called ${quoted(read.name)}`;
    steps.push(read);
  }
  const { rationale } = plan;
  return faultOfNeeds(steps) ?? { rationale: typeof rationale === 'string' ? rationale : '', steps };
}

function readStep(step: Json, index: number, { types, linear }: PlanPolicy): TypedStep | string {
  if (!isJsonObject(step) || typeof step.name !== 'string' || step.name === '') return `its step ${index + 1} has no name`;
  const { name, needs = [] } = step;
  const type = step.type ?? (types.length === 1 ? types[0] : undefined);
  if (typeof type !== 'string' || !types.includes(type)) {
    const known = types.map(quoted).join(', ');
    return `its step ${quoted(name)} ${typeof type === 'string' ? `is of the type ${quoted(type)}` : 'has no type'}; the types are ${known}`;
  }
  if (!Array.isArray(needs) || needs.some((need) => typeof need !== 'string')) {
    return `its step ${quoted(name)} has "needs" that are not a list of names`;
  }
  if (linear && needs.length > 0) {
    return `its step ${quoted(name)} has "needs", but the steps of a linear plan are done in their order`;
  }
  return { name, type, input: step.input ?? null, needs: needs as readonly string[] };
}

/** What is wrong with the order of the steps; null if each can be done. */
function faultOfNeeds(steps: readonly TypedStep[]): string | null {
  const names = new Set(steps.map(({ name }) => name));
  for (const { name, needs } of steps) {
    const unknown = needs.find((need) => !names.has(need));
    if (unknown !== undefined) return `its step ${quoted(name)} needs ${quoted(unknown)}, which is not a step of the plan`;
  }
  const done = new Set<string>();
  for (let left = steps; left.length > 0; ) {
    const wave = left.filter(({ needs }) => needs.every((need) => done.has(need)));
    if (wave.length === 0) return `its steps ${left.map(({ name }) => quoted(name)).join(', ')} need each other`;
    for (const { name } of wave) done.add(name);
    left = left.filter(({ name }) => !done.has(name));
  }
  return null;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
