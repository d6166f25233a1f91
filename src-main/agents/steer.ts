import type { SuspendedDraft } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { FinishedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import type { JsonSchema } from '#shared/json.ts';
import { wholeMessages } from '#shared/run/cut-message.ts';
import { FlowError } from '#shared/run/error.ts';
import type { ControlPoint, ControlState, Decision, LoopState } from '#shared/run/loop-state.ts';
import type { AgentState, PendingCall } from '#shared/run/snapshot.ts';
import { type AgentPlan, availableTools } from './agent-plan.ts';
import { turnPrint } from './budget.ts';

/** The agent's state after a decision, or that the run waits for an answer. */
export type Steered = { readonly state: AgentState; readonly decision: Decision } | { readonly suspended: SuspendedDraft };

/** Calls of a turn: those that the model asks for, or those that are made. */
interface TurnCalls {
  readonly pending?: readonly PendingCall[];
  readonly results?: readonly FinishedCall[];
}

/** Asks an agent's controller at a point, and follows its decision as far as the state goes. Throws `AgentError` `ORCHESTRATION_ABORTED`. */
export async function steer(
  step: Step,
  plan: AgentPlan,
  state: AgentState,
  point: ControlPoint,
  { pending = [], results = [] }: TurnCalls = {},
): Promise<Steered> {
  const { controller } = plan;
  const untouched = { state, decision: { do: 'continue' } } as const;
  if (!controller) return untouched;
  const own = availableTools(step, plan);
  const answer = step.answerTo(`${step.node}::control`)?.payload;
  const loop: LoopState = {
    ...standing(step, plan, state),
    point,
    pending: pending.map(({ tool, input }) => ({ tool, input })),
    results: results.map(({ tool, input, result }) => ({ tool, input, result: result.value, is_error: result.is_error })),
    ...(answer !== undefined && { answer }),
  };
  const decision = await controller.decide(step, loop, new Set(own.keys()));
  const after = followed(plan, state, decision);
  switch (decision.do) {
    case 'abort':
      throw new FlowError('AgentError', `The controller of ${step.node} stopped it: ${decision.reason}`, {
        node: step.node,
        code: 'ORCHESTRATION_ABORTED',
        category: 'orchestration',
        retryable: false,
      });
    case 'suspend':
      return { suspended: question(step, after, decision) };
    default:
      return { state: after, decision };
  }
}

function question(step: Step, agent: AgentState, { value = null, schema }: Decision): SuspendedDraft {
  const tool_id = `${step.node}::control`;
  const tool_call_id = `control_${step.ready}_${agent.turn}`;
  const asked = { reason: 'call', tool_id, node: step.node, tool_call_id, value } as const;
  return { type: 'suspended', suspensions: [{ ...asked, ...(schema !== undefined && { payload_schema: schema as JsonSchema }) }], agent };
}

/** A decision can end an agent sooner, and never later: where no turn is left, only `limits.conclude` allows a conclusion. */
function followed(plan: AgentPlan, state: AgentState, { do: what, guidance, tools, state: kept }: Decision): AgentState {
  const concludes = what === 'conclude' && state.concluding === undefined;
  const mayConclude = state.turn < plan.turns || plan.settings.limits?.conclude === true;
  const control: ControlState = {
    ...state.control,
    ...(kept !== undefined && { state: kept }),
    ...(guidance !== undefined && { guidance }),
    ...(what === 'redirect' && tools && { tools }),
  };
  return { ...state, control, ...(concludes && mayConclude && { concluding: state.turn }) };
}

/** What the controller sees of the visit so far. */
function standing(step: Step, plan: AgentPlan, state: AgentState): Omit<LoopState, 'point' | 'pending' | 'results' | 'answer'> {
  const { turn, calls = {}, tokens = 0, cost, seconds, control = {} } = state;
  const said = wholeMessages(step.run.history[state.conversation?.id ?? step.node] ?? []).slice(state.history_start);
  const limited = [...availableTools(step, plan).keys()].flatMap((tool) => {
    const left = plan.budget.left(tool, state);
    return left === Number.POSITIVE_INFINITY ? [] : [[tool, left] as const];
  });
  const last = said.findLast(({ role }) => role === 'assistant');
  return {
    input: step.input,
    turn,
    turns_left: Math.max(0, plan.turns - turn),
    calls,
    calls_left: Object.fromEntries(limited),
    tool_calls_left: plan.budget.allLeft(state),
    tokens,
    cost: cost ?? null,
    seconds,
    repeats: control.repeats ?? { calls: 0, results: 0 },
    failures: control.failures ?? 0,
    last_text: last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '',
    entries: said.length,
    state: control.state ?? null,
  };
}

/** The state after a turn's calls, with its repeats and failures. */
export function withTurn(plan: AgentPlan, state: AgentState, made: readonly FinishedCall[]): AgentState {
  if (!plan.controller) return state;
  const prints = { calls: turnPrint(made.map(({ result: _result, ...call }) => call)), results: turnPrint(made) };
  const { admitted: _admitted, not_made: _why, concludes, ...known } = state.control ?? {};
  const { repeats = { calls: 0, results: 0 }, prints: before, failures = 0 } = known;
  const control: ControlState = {
    ...known,
    prints,
    repeats: {
      calls: before?.calls === prints.calls ? repeats.calls + 1 : 0,
      results: before?.results === prints.results ? repeats.results + 1 : 0,
    },
    failures: failures + made.filter(({ result }) => result.is_error).length,
  };
  return { ...state, control, ...(concludes && { concluding: state.turn }) };
}

/** The state without guidance: it was told in the request that follows it, and only there. */
export function withoutGuidance(state: AgentState): AgentState {
  if (state.control?.guidance === undefined) return state;
  const { guidance: _told, ...control } = state.control;
  return { ...state, control };
}
