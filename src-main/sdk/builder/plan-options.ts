import type { PlanSettings, StepAgent, ToolUse } from '#shared/flow/document.ts';
import { hasTypedSteps } from '#shared/flow/expansion/expand-typed-plan.ts';
import type { FlowGraph, PlanParts } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { Flow, FlowContext } from './flow-types.ts';
import type { State } from './state.ts';

/** A plan that a function makes. A step may leave its `type` out where there is only one. */
export interface PlanMade<Type extends string = string> {
  readonly rationale?: string;
  readonly steps: readonly { readonly name: string; readonly type?: Type; readonly input: Json; readonly needs?: readonly string[] }[];
}

/** Makes the plan of an agent of mode `plan` from the agent's input. */
export type Planner<Type extends string = string> = (request: Json, ctx: FlowContext) => PlanMade<Type> | Promise<PlanMade<Type>>;

/** What does the steps of one type, in code. */
export type StepTypeInCode =
  | { readonly description?: string; readonly agent: Omit<StepAgent, 'tools'> & { readonly tools?: readonly ToolUse[] } }
  | { readonly description?: string; readonly flow: Flow<State, State> };

/** The `plan` of an agent in code: the flows of its types are flows in code, and a function may make the plan. */
export type PlanInCode<Type extends string = string> = Omit<PlanSettings, 'steps' | 'planner' | 'fixed'> & {
  readonly steps?: Readonly<Record<Type, StepTypeInCode>>;
  readonly planner?: 'model' | { readonly flow: Flow<State, State> } | Planner<NoInfer<Type>>;
  readonly fixed?: PlanMade<NoInfer<Type>>['steps'];
};

/** Splits a `plan` into that of a document, and the flows and the function that it names. */
export function splitPlan(plan: PlanInCode | undefined): { readonly plan?: PlanSettings; readonly plan_parts?: PlanParts } {
  if (!plan) return {};
  const { steps = {}, planner } = plan;
  const flows: Record<string, FlowGraph> = {};
  const types = Object.entries(steps).map(([type, step]) => {
    if (!('flow' in step)) return [type, step];
    flows[type] = step.flow;
    return [type, { ...step, flow: step.flow.name }];
  });
  const settings = {
    ...plan,
    ...(plan.steps && { steps: Object.fromEntries(types) }),
    ...(planner !== undefined && { planner: plannerSettings(planner) }),
  } as PlanSettings;
  if (!hasTypedSteps(settings)) return { plan: settings };
  const maker = plannerPart(planner);
  return { plan: settings, plan_parts: { flows, ...(maker && { planner: maker }) } };
}

function plannerSettings(planner: NonNullable<PlanInCode['planner']>): PlanSettings['planner'] {
  if (planner === 'model') return planner;
  return typeof planner === 'function' ? { module: 'function' } : { flow: planner.flow.name };
}

function plannerPart(planner: PlanInCode['planner']): PlanParts['planner'] {
  if (planner === undefined || planner === 'model') return undefined;
  return typeof planner === 'function' ? { type: 'function', call: planner, pure: false, tools: [] } : planner.flow;
}
