import type { Context } from '#main/engine/ports/context.ts';
import { maskSecrets } from '#main/engine/secrets/mask.ts';
import type { Draft } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { inputToRun } from '#main/engine/tool-calls/edited-input.ts';
import { toolTaints } from '#main/engine/tool-calls/taint.ts';
import { type CallOutcome, callOrOpen, type OpenedCall } from '#main/engine/tool-calls/tool-call.ts';
import { announceCall, announceResult, type FinishedCall, failedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import type { AllowedTools, CallPolicy } from '#main/engine/tool-calls/tool-policy.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import type { Message, MessagePartOf } from '#shared/run/message.ts';
import type { AgentState, PendingCall, StateWrites } from '#shared/run/snapshot.ts';
import { type AgentPlan, availableTools, submittedOutput } from './agent-plan.ts';
import { beyondBudget, notMade, turnPrint } from './budget.ts';
import { CallHooks } from './call-hooks.ts';
import { guidance, visitMessages } from './conversation.ts';
import { type Misfit, misfitOf, missesSchema } from './output.ts';
import { emitRetry } from './retry-event.ts';
import { type Steered, steer, withTurn } from './steer.ts';

/**
 * Runs the model's tool calls concurrently; `submit` is handled last and ends the agent. If a call needs an answer from the user, the others
 * finish and their results are recorded, and the agent waits. Flows that it calls run after this step, one after the other, in steps of their own; then
 * the agent acts once more and collects their results.
 */
export async function act(step: Step, plan: AgentPlan, known: AgentState): Promise<Draft> {
  const admitted = await admit(step, plan, known);
  if ('suspended' in admitted) return admitted.suspended;
  const { state } = admitted;
  const fresh = step.answer === undefined;
  const policy: CallPolicy = {
    allowed: heldTools(step, plan, state),
    source: 'computed',
    tainted: state.tainted && plan.settings.trust_content !== true,
    codeFollows: false,
  };
  const others = state.pending.filter(({ tool }) => !submits(plan, tool));
  const concluding = state.concluding !== undefined;
  const refused = plan.budget.beyond(state, (call) => !submits(plan, call.tool) && policy.allowed.has(call.tool));
  const hooks = new CallHooks(step, plan.role?.calls, state.writes ?? {});
  const outcomes = await allOutcomes(
    others.map((call) =>
      hooks.around(call, fresh, (toCall) =>
        (concluding || refused.has(toCall.tool_call_id) || state.control?.not_made !== undefined) && !toCall.result
          ? refuseCall(step, toCall, fresh, state.control?.not_made)
          : performCall(step, plan, toCall, policy, fresh),
      ),
    ),
  );
  const byId = new Map(outcomes.map((outcome) => [outcome.call.tool_call_id, outcome.call]));
  const suspensions = outcomes.flatMap((outcome) => (outcome.type === 'suspended' ? [outcome.suspension] : []));
  const { pending, writes } = received(
    plan,
    { ...state, ...(Object.keys(hooks.writes).length > 0 && { writes: hooks.writes }) },
    state.pending.map((call) => byId.get(call.tool_call_id) ?? call),
  );
  const closes = state.pending.flatMap(({ frame }) => (frame === undefined ? [] : [frame]));
  const called = closes.reduce((sum, key) => sum + (step.run.control.frames[key]?.call?.seconds ?? 0), 0);
  const seconds = state.seconds + called + step.elapsed / 1000;
  if (suspensions.length > 0)
    return { type: 'suspended', suspensions, agent: { ...state, ...writes, pending: pending.map(notOpened), seconds } };
  const opened = outcomes.filter((outcome) => outcome.type === 'opened');
  if (opened.length > 0) {
    const opens = Object.fromEntries(opened.map(({ call, frame }) => [call.frame, frame]));
    return { type: 'phase', phase: 'act', agent: { ...state, ...writes, pending, seconds }, history: [], opens };
  }
  const submission = submit(step, plan, pending);
  const history = [resultMessage(step, submission.calls)];
  if (submission.value !== undefined || plan.role?.ends(submission.calls)) {
    const messages = [...visitMessages(step, state), ...history];
    const end = { messages, answer: submission.value, writes: writes.writes ?? {} };
    const produced = [
      plan.role ? step.output(plan.role.produces, plan.role.finish(step, end)) : step.output(plan.output, submission.value),
    ];
    const agent = { ...state, ...writes, seconds, ...plan.budget.after(state, submission.calls) };
    return { type: 'finished', phase: 'act', produced, history, closes, agent };
  }
  const { misfit } = submission;
  const attempts = state.attempts + (misfit === undefined ? 0 : 1);
  if (misfit && attempts > plan.attempts) throw missesSchema(step, plan, misfit, submission.rejected ?? null);
  if (misfit) emitRetry(step, state.turn + 1, misfit.problem);
  const ended = { ...state, ...plan.budget.after(state, submission.calls), seconds };
  const made = submission.calls.filter(({ tool }) => !submits(plan, tool));
  const steered = made.length === 0 ? null : await steer(step, plan, withTurn(plan, ended, made), 'after_tools', { results: made });
  if (steered && 'suspended' in steered) {
    const { suspensions, agent } = steered.suspended;
    const control = { ...state.control, ...(agent?.control?.state !== undefined && { state: agent.control.state }) };
    return { type: 'suspended', suspensions, agent: { ...state, ...writes, control, pending, seconds } };
  }
  const turn = stalled(step, plan, state, submission.calls);
  const tainted = state.tainted || others.some(({ tool }) => toolTaints(tool) || isUntrusted(step, tool));
  return {
    type: 'phase',
    phase: 'act',
    agent: {
      ...(steered?.state ?? state),
      ...writes,
      phase: 'reason',
      pending: [],
      attempts,
      seconds,
      tainted,
      ...plan.budget.after(state, submission.calls),
      ...turn.state,
    },
    history: [...history, ...turn.said],
    closes,
  };
}

/** Asks the controller, once a turn, whether the calls that the model asks for are made. */
async function admit(step: Step, plan: AgentPlan, state: AgentState): Promise<Steered> {
  const pending = state.pending.filter(({ tool }) => !submits(plan, tool));
  if (!plan.controller || pending.length === 0 || state.control?.admitted) return { state, decision: { do: 'continue' } };
  const steered = await steer(step, plan, state, 'before_tools', { pending });
  if ('suspended' in steered) return steered;
  const { state: after, decision } = steered;
  const { guidance, ...control } = after.control ?? {};
  // The model reads it in the results.
  const why = decision.do === 'redirect' ? { not_made: guidance ?? 'The controller of this agent decided against it.' } : {};
  const told = decision.do === 'redirect' || guidance === undefined ? {} : { guidance };
  // A conclusion follows these calls.
  const { concluding, ...rest } = after;
  const concludes = state.concluding === undefined && concluding !== undefined;
  return {
    state: {
      ...(concludes ? rest : after),
      control: { ...control, ...told, ...why, ...(concludes && { concludes: true as const }), admitted: true },
    },
    decision,
  };
}

/** The tools that the agent has now: a controller may have held some of them back. */
function heldTools(step: Step, plan: AgentPlan, { control }: AgentState): AllowedTools {
  const tools = availableTools(step, plan);
  const held = control?.tools;
  return held ? new Map([...tools].filter(([name]) => held.includes(name))) : tools;
}

/** Refuses a call for which no budget is left. */
async function refuseCall(step: Step, call: PendingCall, fresh: boolean, why?: string): Promise<CallOutcome> {
  if (fresh) announceCall(step, call);
  const finished = why === undefined ? beyondBudget(step, call) : notMade(step, call, why);
  announceResult(step, finished, { ran: false }, 0);
  return { type: 'finished', call: finished, ran: false };
}

/** Compares a turn with the one before, and says what follows after too many that are the same. Throws `AgentError` `ORCHESTRATION_NO_PROGRESS`. */
function stalled(
  step: Step,
  { settings }: AgentPlan,
  state: AgentState,
  calls: readonly FinishedCall[],
): { readonly state: Partial<AgentState>; readonly said: readonly Message[] } {
  if (!settings.stall) return { state: {}, said: [] };
  const { repeats: most = 3, then = 'guide' } = settings.stall;
  const print = turnPrint(calls);
  const repeats = state.stall?.print === print ? state.stall.repeats + 1 : 0;
  if (repeats < most) return { state: { stall: { print, repeats } }, said: [] };
  if (then === 'fail') {
    const message = `Agent ${step.node} made the same calls with the same results in ${repeats + 1} turns in a row. Fix its prompt, or raise stall.repeats.`;
    const more = { code: 'ORCHESTRATION_NO_PROGRESS', category: 'orchestration', retryable: false, details: { repeats } } as const;
    throw new FlowError('AgentError', message, { node: step.node, ...more });
  }
  const again = { stall: { print, repeats: 0 } };
  if (then === 'conclude') return { state: { ...again, concluding: state.concluding ?? state.turn }, said: [] };
  return { state: again, said: [guidance(repeats)] };
}

/** A call whose flow begins only once every question of its turn is answered. */
function notOpened(call: PendingCall): PendingCall {
  const { frame: _later, ...asked } = call;
  return asked;
}

/** Makes a call: one of the agent's role, or a tool's. */
async function performCall(
  step: Step,
  plan: AgentPlan,
  call: PendingCall,
  policy: CallPolicy,
  fresh: boolean,
): Promise<CallOutcome | OpenedCall> {
  const known = call.result ? null : plan.role?.perform(step, call);
  return known ? { type: 'finished', call: known, ran: true } : callOrOpen(step, call, policy, fresh);
}

/** The calls as the model sees them, and what they and earlier ones have written. */
function received(
  { role }: AgentPlan,
  state: AgentState,
  calls: readonly PendingCall[],
): { pending: readonly PendingCall[]; writes: { writes?: StateWrites } } {
  let writes = state.writes;
  if (!role) return { pending: calls, writes: {} };
  const pending = calls.map((call) => {
    if (!call.result) return call;
    const { call: shown, writes: written } = role.receive(call as FinishedCall);
    if (Object.keys(written).length > 0) writes = { ...writes, ...written };
    return shown;
  });
  return { pending, writes: writes ? { writes } : {} };
}

function isUntrusted(step: Step, name: string): boolean {
  const tool = step.tool(name);
  return tool?.untrusted === true;
}

function submits({ ends }: AgentPlan, tool: string): boolean {
  return ends === 'submit' && tool === submitTool;
}

/** Waits for all calls, so that one that fails the step does not leave the others running. */
async function allOutcomes<Outcome>(calls: readonly Promise<Outcome>[]): Promise<Outcome[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

interface Submission {
  /** All calls of the turn with their results, in call order. */
  readonly calls: readonly FinishedCall[];
  /** The output, if a `submit` matches the schema. */
  readonly value?: Json;
  /** What is wrong with the last `submit` if none matches the schema, and its input. */
  readonly misfit?: Misfit;
  readonly rejected?: Json;
}

/** The first `submit` that matches the schema wins; every call of the turn gets a result. */
function submit(step: Step, plan: AgentPlan, pending: readonly PendingCall[]): Submission {
  let value: Json | undefined;
  let misfit: Misfit | undefined;
  let rejected: Json | undefined;
  const calls = pending.map((call): FinishedCall => {
    if (call.result) return call as FinishedCall;
    announceCall(step, call);
    const output = submittedOutput(plan, call.input);
    const fault = value === undefined ? faultOf(plan, output) : submitted;
    if (fault === null) value = output;
    else if (value === undefined) [misfit, rejected] = [fault, output];
    const finished: FinishedCall =
      fault === null
        ? { ...call, result: { value: 'The result was accepted.', is_error: false } }
        : failedCall(
            call,
            new ToolError('Deserialize', `Invalid result: ${fault.problem}. Submit the complete corrected result.`, {
              node: step.node,
            }).toJSON(),
          );
    announceResult(step, finished, { ran: fault === null }, 0);
    return finished;
  });
  return value === undefined ? { calls, misfit, rejected } : { calls, value };
}

const submitted: Misfit = { problem: 'a result was already submitted', code: 'CONSTRAINT_SCHEMA_INVALID', errors: [] };

function faultOf(plan: AgentPlan, output: Json): Misfit | null {
  const notJson = freezeJson(output);
  if (notJson) return { ...submitted, problem: `it contains ${notJson.message}` };
  const fits = plan.role ? plan.role.problemOf(output) === null : !plan.output.check(output);
  return fits ? null : misfitOf(plan, output);
}

function resultMessage(step: Step, calls: readonly FinishedCall[]): Message {
  const content = calls.map((call) => {
    const { tool_call_id, tool, result } = call;
    const { value, is_error, floats } = result;
    return {
      type: 'tool_result' as const,
      tool_call_id,
      tool,
      result: value,
      is_error,
      ...(floats && { floats: [...floats] }),
      ...editOf(step.ctx, call),
    };
  });
  return { role: 'tool', content };
}

/** Marks a call in the conversation that ran with input edited by the user. */
function editOf({ secrets }: Context, call: FinishedCall): Pick<MessagePartOf<'tool_result'>, 'ran_with' | 'edited_by'> {
  const { edited_by } = call;
  return edited_by ? { ran_with: maskSecrets(secrets, inputToRun(call)), edited_by } : {};
}
