import { planPolicy } from '#shared/flow/expansion/expand-typed-plan.ts';
import { readPlan } from '#shared/flow/expansion/plan-policy.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import type { Report } from './report.ts';

/** A flow that an agent's plan names. `type`: the type of step that it does; without it, the flow makes the plan. */
export interface PlanFlow {
  readonly flow: string;
  readonly type?: string;
  readonly path: string;
}

/** The plan of an agent as a document has it; null if the agent makes none. */
function planIn({ raw, path }: OutlineNode): { readonly plan: JsonObject; readonly path: string } | null {
  const plan = isJsonObject(raw.agent) ? raw.agent.plan : undefined;
  return isJsonObject(plan) ? { plan, path: `${path}/agent/plan` } : null;
}

/** The agents that do the steps of a plan, with their paths. */
export function stepAgents(node: OutlineNode): { readonly agent: JsonObject; readonly path: string }[] {
  const written = planIn(node);
  if (!written || !isJsonObject(written.plan.steps)) return [];
  return Object.entries(written.plan.steps).flatMap(([type, step]) =>
    isJsonObject(step) && isJsonObject(step.agent) ? [{ agent: step.agent, path: `${written.path}/steps/${type}/agent` }] : [],
  );
}

/** The flows that a plan names. */
export function planFlows(node: OutlineNode): PlanFlow[] {
  const written = planIn(node);
  if (!written) return [];
  const { steps, planner } = written.plan;
  const named = Object.entries(isJsonObject(steps) ? steps : {}).flatMap(([type, step]) =>
    isJsonObject(step) && typeof step.flow === 'string' ? [{ flow: step.flow, type, path: `${written.path}/steps/${type}/flow` }] : [],
  );
  const making =
    isJsonObject(planner) && typeof planner.flow === 'string' ? [{ flow: planner.flow, path: `${written.path}/planner/flow` }] : [];
  return [...named, ...making];
}

/** The module that makes a plan. */
export function planModule(node: OutlineNode): { readonly raw: JsonObject; readonly path: string } | null {
  const written = planIn(node);
  const planner = written?.plan.planner;
  return written && isJsonObject(planner) && typeof planner.module === 'string' ? { raw: planner, path: `${written.path}/planner` } : null;
}

/** Checks that a plan is used where it has an effect, and the plan that a document contains. */
export function checkPlan(node: OutlineNode, report: Report): void {
  const written = planIn(node);
  if (!written) return;
  const { plan, path } = written;
  const agent = node.raw.agent as JsonObject;
  const typed = ['steps', 'planner', 'fixed', 'parallel'].find((key) => plan[key] !== undefined);
  if (typed !== undefined && agent.mode !== 'plan') {
    const message = `The agent ${node.id} has a plan with "${typed}", but not the mode plan. Add mode: plan, or remove "${typed}".`;
    report('bad_plan', `${path}/${typed}`, [node.id], message);
  }
  const input = isJsonObject(agent.guards) ? agent.guards.input : undefined;
  if (Array.isArray(input) && (plan.fixed !== undefined || (plan.planner !== undefined && plan.planner !== 'model'))) {
    const message = `The agent ${node.id} checks its input, which is the planner's, but no model makes its plan. Check it in a node before, or remove "input".`;
    report('bad_plan', `${node.path}/agent/guards/input`, [node.id], message);
  }
  if (!Array.isArray(plan.fixed)) return;
  const { max_steps, linear, steps } = plan;
  const bounds = {
    ...(typeof max_steps === 'number' && { max_steps }),
    ...(typeof linear === 'boolean' && { linear }),
    ...(isJsonObject(steps) && { steps }),
  };
  const policy = planPolicy(bounds, 'fixed');
  const read = readPlan({ steps: plan.fixed as Json }, policy);
  if (typeof read === 'string') report('bad_plan', `${path}/fixed`, [node.id], `The plan of ${node.id} is invalid: ${read}.`);
}
