import type { ModelResponse } from '#main/engine/ports/model-client.ts';
import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { assertMayCallModel } from '#main/engine/run/limits.ts';
import type { Draft, Usage } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Message, MessagePartOf } from '#shared/run/message.ts';
import type { AgentState, PendingCall, StateWrites } from '#shared/run/snapshot.ts';
import { type AgentPlan, newAgent } from './agent-plan.ts';
import { callModel } from './call-model.ts';
import {
  askAgain,
  conclusion,
  emptyAnswer,
  openingMessages,
  remakesSystem,
  reminder,
  systemMessages,
  userMessage,
  visitMessages,
} from './conversation.ts';
import type { KeptVisit } from './kept-conversation.ts';
import { ownMessages } from './kept-messages.ts';
import { chatOutput, missesSchema, readAnswer } from './output.ts';
import { emitRetry } from './retry-event.ts';
import { spentBy, usageOf } from './spent.ts';
import { steer, withoutGuidance } from './steer.ts';

/** Maximum number of tool calls per turn. */
const maxCalls = 64;

/** Makes a model call, which leads to tool calls, another turn, or the agent's output. */
export async function reason(step: Step, plan: AgentPlan, known = newAgent(step), visit?: KeptVisit): Promise<Draft> {
  const used = usedUp(plan, known);
  const concludes = known.concluding === undefined && used !== null && plan.settings.limits?.conclude === true;
  const begun = concludes ? { ...known, concluding: known.turn } : known;
  assertMayTakeTurn(step, plan, begun, used);
  const steered = await steer(step, plan, begun, 'before_model');
  if ('suspended' in steered) return steered.suspended;
  const { state } = steered;
  const told = state.turn > 0 && state.concluding === state.turn ? [conclusion()] : [];
  const opening = state.turn > 0 ? told : plan.role ? await plan.role.opening(step, state.writes ?? {}) : openingMessages(plan, step.input);
  const earlier = visit ? ownMessages(visit) : visitMessages(step, state);
  if (state.turn > 0 && earlier.length === 0) {
    throw new FlowError('SnapLoadError', `The conversation of ${step.node} is missing. Restore the run together with its history.`, {
      node: step.node,
    });
  }
  const system = state.turn > 0 && remakesSystem(plan) ? systemMessages(plan, step.input) : [];
  const said = [...system, ...earlier, ...opening];
  const guidance = state.control?.guidance;
  // Told once, and no part of the conversation.
  const sent = guidance === undefined ? said : [...said, userMessage(guidance)];
  const calls = plan.role?.calls;
  let response: ModelResponse;
  let after = state;
  try {
    const supplied = suppliedResponse(step, plan);
    const before = supplied ? undefined : await calls?.beforeModel(step, state.writes ?? {}, sent);
    after = withMoreWrites(state, before?.writes);
    const given = supplied ?? before?.response;
    const called = given ? { response: given } : await callModel({ step, plan, state: after, messages: before?.messages ?? sent, visit });
    response = called.response;
    after = withMeasure(after, called);
    const last = await calls?.afterModel(step, after.writes ?? {}, response);
    after = withMoreWrites(after, last?.writes);
    response = last?.response ?? response;
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    return { type: 'suspended', suspensions: [unknownOutcome(step, error.effect, `${step.node}::model`, `model_${step.seq}`)] };
  }
  const kept = remakesSystem(plan) ? opening.filter(({ role }) => role !== 'system') : opening;
  return new Turn(step, plan, withoutGuidance(after), [...kept, response.message], response, said).draft();
}

/** An agent's state after a callback has written more. */
function withMoreWrites(state: AgentState, writes: StateWrites = {}): AgentState {
  return Object.keys(writes).length === 0 ? state : { ...state, writes: { ...state.writes, ...writes } };
}

/** An agent's state after a call whose size is the measure of later ones. */
function withMeasure(
  state: AgentState,
  { response, characters }: { readonly response: ModelResponse; readonly characters?: number },
): AgentState {
  const tokens = response.usage.tokens_in + response.usage.tokens_out;
  return characters === undefined || tokens === 0 ? state : { ...state, measured: { characters, tokens } };
}

/** The limit of the visit that is used up; null if none is. */
function usedUp({ turns, settings }: AgentPlan, { turn, tokens = 0, cost = 0 }: AgentState): Used | null {
  if (turn >= turns) return { limit: 'turns', words: `${turns} turns` };
  const most = settings.limits?.tokens;
  if (most !== undefined && tokens >= most) return { limit: 'tokens', words: `${most.toLocaleString('en')} tokens` };
  const dearest = settings.limits?.cost;
  return dearest !== undefined && cost >= dearest ? { limit: 'cost', words: `a cost of ${dearest}` } : null;
}

interface Used {
  readonly limit: 'turns' | 'tokens' | 'cost';
  readonly words: string;
}

function assertMayTakeTurn(step: Step, plan: AgentPlan, { concluding, turn }: AgentState, used: Used | null): void {
  assertMayCallModel(step.run.limits, step.run.counted());
  if (concluding === undefined ? used === null : turn - concluding <= plan.attempts) return;
  throw new FlowError(
    'AgentError',
    `Agent ${step.node} reached its limit of ${used?.words ?? `${turn} turns`} without a result. Raise limits.${used?.limit ?? 'turns'}, or fix its prompt.`,
    {
      node: step.node,
      code: 'ORCHESTRATION_ITERATION_LIMIT',
      category: 'orchestration',
      retryable: false,
    },
  );
}

/** Decides the outcome of a model's answer. */
class Turn {
  readonly #step: Step;
  readonly #plan: AgentPlan;
  readonly #state: AgentState;
  readonly #history: readonly Message[];
  readonly #response: ModelResponse;
  readonly #said: readonly Message[];

  constructor(
    step: Step,
    plan: AgentPlan,
    state: AgentState,
    history: readonly Message[],
    response: ModelResponse,
    said: readonly Message[],
  ) {
    this.#said = said;
    this.#step = step;
    this.#plan = plan;
    this.#response = response;
    this.#history = history;
    const seconds = state.seconds + step.elapsed / 1000;
    this.#state = { ...state, turn: state.turn + 1, seconds, ...spentBy(plan, state, response) };
  }

  draft(): Draft {
    const calls = this.#response.message.content.filter((part): part is MessagePartOf<'tool_call'> => part.type === 'tool_call');
    if (calls.length > 0 && this.#plan.ends !== 'answer') return this.#act(calls);
    const { role } = this.#plan;
    // An agent of a session may answer as text what others have to submit.
    if (this.#plan.ends === 'submit' && !(role && readAnswer(this.#plan, this.#text, false).ok))
      return this.#again(reminder(), 'no tool call');
    if (this.#plan.ends === 'text') {
      if (role) return this.#finished(this.#text);
      if (this.#text.trim() === '') return this.#again(emptyAnswer(), 'an empty answer');
      return this.#finished(chatOutput(this.#plan, this.#text));
    }
    const answer = readAnswer(this.#plan, this.#text, this.#response.finish_reason === 'length');
    if (answer.ok) return this.#finished(answer.value);
    const attempts = this.#state.attempts + 1;
    if (attempts > this.#plan.attempts) throw missesSchema(this.#step, this.#plan, answer, answer.value);
    return this.#again(askAgain(answer.problem), answer.problem, attempts);
  }

  get #text(): string {
    return this.#response.message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  get #usage(): Usage {
    const characters = this.#state.measured?.characters;
    return { ...usageOf(this.#step, this.#response), ...(characters !== undefined && { characters }) };
  }

  #act(calls: readonly MessagePartOf<'tool_call'>[]): Draft {
    if (calls.length > maxCalls) {
      throw new FlowError(
        'LimitExceeded',
        `Agent ${this.#step.node} requested ${calls.length} tool calls in one turn; the maximum is ${maxCalls}.`,
        {
          node: this.#step.node,
          details: { limit: 'tool_calls', value: maxCalls },
        },
      );
    }
    const pending = calls.map(({ tool_call_id, tool, input }): PendingCall => ({ tool_call_id, tool, input }));
    return { type: 'phase', phase: 'reason', agent: { ...this.#state, phase: 'act', pending }, history: this.#history, usage: this.#usage };
  }

  #again(message: Message, why: string, attempts = this.#state.attempts): Draft {
    emitRetry(this.#step, this.#state.turn + 1, why);
    const { run, seq, node } = this.#step;
    const asked = run.recorder?.askedAgain?.(seq, node) ?? message;
    const agent = { ...this.#state, attempts };
    return { type: 'phase', phase: 'reason', agent, history: [...this.#history, asked], usage: this.#usage };
  }

  #finished(value: Json): Draft {
    const { role, output } = this.#plan;
    const messages = [...this.#said, this.#response.message];
    const writes = this.#state.writes ?? {};
    const produced = [
      role
        ? this.#step.output(role.produces, role.finish(this.#step, { messages, answer: value, writes }))
        : this.#step.output(output, value),
    ];
    return { type: 'finished', phase: 'reason', produced, history: this.#history, usage: this.#usage, agent: this.#state };
  }
}

/** The answer that the user gave in place of the model. */
function suppliedResponse(step: Step, plan: AgentPlan): ModelResponse | null {
  const answer = step.answerTo(`${step.node}::model`);
  if (answer?.suspension.reason !== 'unknown_outcome' || !isJsonObject(answer.payload) || answer.payload.result === undefined) return null;
  const { result } = answer.payload;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const submit = { type: 'tool_call', tool_call_id: answer.suspension.tool_call_id, tool: submitTool, input: result } as const;
  const content = plan.ends === 'submit' ? [submit] : [{ type: 'text', text } as const];
  const finish_reason = plan.ends === 'submit' ? 'tool' : 'stop';
  return { message: { role: 'assistant', content }, finish_reason, usage: { tokens_in: 0, tokens_out: 0 } };
}
