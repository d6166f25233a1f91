import { type Draft, StepSuspended, type SuspendedDraft } from '#main/engine/step/draft.ts';
import type { NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import { StatePlan } from '#main/engine/step/state-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { settingsForInput } from '#shared/flow/settings-by-input.ts';
import { type Json, toJson } from '#shared/json.ts';
import { cutMessage } from '#shared/run/cut-message.ts';
import { FlowError } from '#shared/run/error.ts';
import { errorEvent } from '#shared/run/error-event.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import { act } from './act.ts';
import { type AgentPlan, type AgentRole, agentPlan, newAgent } from './agent-plan.ts';
import { modelUrl } from './call-model.ts';
import { SettingsFunction } from './chosen-settings.ts';
import { compacted, compactedNow } from './compact.ts';
import { Controller } from './controller.ts';
import { GuardFunctions } from './guard-functions.ts';
import { guardOutput, guardStep, withoutAgent } from './guards.ts';
import { enterConversation, type KeptVisit, leaveConversation } from './kept-conversation.ts';
import { keptDraft } from './kept-messages.ts';
import { reason } from './reason.ts';
import { Summariser } from './summariser.ts';

/** An agent runs one phase per step: *reason* is one model call, *act* its tool calls. Its input state is not consumed until it has an output. */
export function agentPerformer(shape: NodeShape): PerformNode {
  const { node, outputs } = shape;
  const { body } = node;
  if (body.type !== 'agent')
    throw new FlowError('BuildError', `Agent ${node.id} has no settings. Build the flow again.`, { node: node.id });
  const output = outputs[0] as StatePlan;
  const { answers } = body;
  const answered = answers ? new StatePlan(answers.name, answers.schema, output.index) : output;
  const controller = Controller.of(shape);
  const summariser = Summariser.of(shape);
  const guardFunctions = GuardFunctions.of(shape);
  const more = { ...(guardFunctions && { guardFunctions }), ...(typeof body.plans === 'object' && { policy: body.plans }) };
  const planOf = (settings: AgentSettings): AgentPlan => ({
    ...agentPlan(settings, answered, body.opening, controller, summariser),
    ...more,
  });
  const plan = planOf(body.agent);
  /** The plan for the input of a step. The input waits until the agent has an output, so all phases of a visit have the same. */
  const planFor = (step: Step): AgentPlan => (body.agent.by_input ? planOf(settingsForInput(body.agent, step.input, node.id)) : plan);
  if (body.compacts) return (step) => performKept(step, planFor(step), undefined, compactedNow);
  const chooser = SettingsFunction.of(shape);
  if (chooser) return (step) => performChosen(step, chooser, planOf);
  const perform = body.agent.by_input ? async (step: Step) => performAgent(planFor(step))(step) : performAgent(plan);
  return answers ? (step) => performReplica(step, output, perform) : perform;
}

/** Runs one phase of an agent whose settings a function gives. It is asked in the first step of a visit; the agent keeps what it returned. */
async function performChosen(step: Step, chooser: SettingsFunction, planOf: (settings: AgentSettings) => AgentPlan): Promise<Draft> {
  const settings = step.run.control.agents[step.node]?.settings ?? (await chooser.choose(step));
  const draft = await performAgent(planOf(chooser.with(settings)))(step);
  return 'agent' in draft && draft.agent ? { ...draft, agent: { ...draft.agent, settings } } : draft;
}

/** Runs one phase of an agent. */
export function performAgent(plan: AgentPlan): (step: Step) => Promise<Draft> {
  const { role } = plan;
  return role?.before || role?.after ? (step) => performWithin(step, plan, role) : (step) => performPhase(step, plan);
}

function performPhase(step: Step, plan: AgentPlan, state = step.run.control.agents[step.node]): Promise<Draft> {
  plan.role?.begin(step, state?.writes ?? {});
  if (plan.keptScope !== null) return performKept(step, plan, state);
  return performTurn(step, plan, state);
}

/** A check of what goes in or out, or a phase of the agent with the checks that belong to it. */
async function performTurn(step: Step, plan: AgentPlan, known: AgentState | undefined, visit?: KeptVisit): Promise<Draft> {
  const perform = (state: AgentState | undefined): Promise<Draft> =>
    state?.phase === 'act' ? act(step, plan, state) : reason(step, plan, state, visit);
  if (!plan.settings.guards) return withoutAgent(await perform(known));
  const checked = await guardStep(step, plan, known ?? newAgent(step));
  if ('draft' in checked) return checked.draft;
  return withoutAgent(await guardOutput(step, plan, await perform(checked.state), checked.state));
}

/** Runs a phase of an agent with a kept conversation. */
async function performKept(
  step: Step,
  plan: AgentPlan,
  known: AgentState | undefined,
  perform: (step: Step, plan: AgentPlan, state: AgentState, visit: KeptVisit) => Promise<Draft> = performVisit,
): Promise<Draft> {
  // Which visit comes first is decided by the order of transitions.
  await step.ahead?.turn();
  const visit = await enterConversation(step, plan, known);
  const state = known ?? { ...newAgent(step), history_start: visit.own, conversation: visit.visited };
  try {
    return keptDraft(step, visit, await perform(step, plan, state, visit), modelUrl(step, plan));
  } catch (error) {
    await leaveConversation(step, visit);
    throw error;
  }
}

/** A summary where the conversation has become too long, or a phase of the agent. */
async function performVisit(step: Step, plan: AgentPlan, state: AgentState, visit: KeptVisit): Promise<Draft> {
  const summary = state.phase === 'reason' ? await compacted(step, plan, state, visit) : null;
  return summary ?? performTurn(step, plan, state, visit);
}

/** Runs a phase of an agent between what its role runs before and after the agent. */
async function performWithin(step: Step, plan: AgentPlan, role: AgentRole): Promise<Draft> {
  const known = step.run.control.agents[step.node];
  const before = known ? null : await role.before?.(step);
  if (before && 'produced' in before) return { type: 'finished', phase: 'reason', produced: [step.output(role.produces, before.produced)] };
  const state = known ?? { ...newAgent(step), ...(before && { writes: before.writes }) };
  // Where the step waits, what ran before the agent is not run again.
  const suspended = (draft: SuspendedDraft): Draft => ({ agent: state, ...draft });
  try {
    const draft = await performPhase(step, plan, state);
    if (draft.type === 'suspended') return suspended(draft);
    const [produced] = draft.type === 'finished' ? draft.produced : [];
    if (draft.type !== 'finished' || !role.after || !produced) return draft;
    return { ...draft, produced: [step.output(role.produces, await role.after(step, produced.value))] };
  } catch (error) {
    if (error instanceof StepSuspended) return suspended(error.draft);
    throw error;
  }
}

/** A replica of a redundant agent. Its answer is `{value}`; a failure is the answer `{error}`, and the other replicas continue. */
async function performReplica(step: Step, output: StatePlan, perform: (step: Step) => Promise<Draft>): Promise<Draft> {
  const finished = (answer: Json) => ({ type: 'finished', produced: [step.output(output, answer)] }) as const;
  try {
    const draft = await perform(step);
    if (draft.type !== 'finished') return draft;
    return { ...draft, ...finished({ value: draft.produced[0]?.value ?? null }) };
  } catch (error) {
    if (!(error instanceof FlowError) || error.variant !== 'AgentError') throw error;
    const failure = error.with({ node: step.node }).toJSON();
    if (step.listening) step.emit({ ...errorEvent(failure, step.node), counted: false });
    const said = cutMessage(failure);
    return { ...finished({ error: toJson(failure) }), ...(said && { history: [said] }) };
  }
}
