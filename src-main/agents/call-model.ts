import type { ModelResponse, ToolDefinition } from '#main/engine/ports/model-client.ts';
import type { MarkedOutcome } from '#main/engine/ports/recorder.ts';
import { findSecret } from '#main/engine/secrets/mask.ts';
import { activeTime } from '#main/engine/step/active-time.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { traced } from '#main/engine/step/run-trace.ts';
import type { Step } from '#main/engine/step/step.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { type Json, toJson } from '#shared/json.ts';
import { FlowError, fromTransferable, type TransferableError } from '#shared/run/error.ts';
import type { EventBodyOf } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import { costOf } from '#shared/run/model-cost.ts';
import type { ModelPrice } from '#shared/run/model-price.ts';
import { withoutCalls } from '#shared/run/node-id.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import { type AgentPlan, toolDefinitions } from './agent-plan.ts';
import { contextWindow, inOrder } from './context-window.ts';
import { countedTokens } from './count-tokens.ts';
import { earlierExchanges } from './kept-messages.ts';
import { mockedModel, mockInput } from './mocked-model.ts';
import { type ModelCall, modelAnswer } from './model-answer.ts';
import { charactersBeside, charactersOf, estimatedTokens, isMeasuring, measuredOf } from './request-size.ts';

/**
 * Makes a model call as an effect of the step and emits its events. Throws `AgentError` with the provider's code, or `UnknownOutcome` if the
 * call had started before a crash.
 */
export async function callModel(call: ModelCall): Promise<{ readonly response: ModelResponse; readonly characters?: number }> {
  const { step, plan, state } = call;
  const url = call.url ?? modelUrl(step, plan);
  const tools = toolDefinitions(step, plan, state);
  const earlier = call.visit ? earlierExchanges(call.visit, url, new Set(tools.map(({ name }) => name))) : [];
  const beside = isMeasuring(plan.settings) ? charactersBeside(plan, tools) : undefined;
  const whole = inOrder(call.messages, earlier.flat());
  const counted = await countedTokens(call, 'count', url, tools, whole);
  const measured =
    counted === undefined ? measuredOf(plan, state, call.visit, url) : { characters: charactersOf(whole) + (beside ?? 0), tokens: counted };
  const counting = beside === undefined ? undefined : { beside, measured };
  const messages = contextWindow(call.messages, plan.settings.context, earlier, counting);
  const characters = beside === undefined ? undefined : charactersOf(messages) + beside;
  const started = activeTime(step.ctx);
  if (step.listening)
    step.emit({
      ...startEvent(call, url, messages, tools),
      ...(characters !== undefined && { tokens_estimated: estimatedTokens(characters, measured) }),
    });
  const held = step.gate('model', 'model', url, () => toJson(messages));
  if (held) await held;
  const mock = step.suppliedCall({ what: 'model', key: 'model', name: url, input: () => mockInput(state, messages) });
  const request = {
    key: 'model',
    kind: 'model',
    node: step.node,
    name: url,
    input: requestRecord(state, messages),
    closing: true,
    repeatable: true,
  } as const;
  const outcome = await step.effect(mock ? { ...request, supplied: mock.mark } : request, async () => {
    const price = await priceOf(call, url);
    const ask = () => modelAnswer({ ...call, messages }, url, tools, mock && mockedModel(step, mock));
    // A mock calls no model.
    const response = await (mock ? ask() : traced(step, chatOperation(call, url, messages), ask));
    refuseSecrets(step, response);
    return toJson(price ? { ...response, cost: costOf(response.usage, price) } : response);
  });
  const duration = activeTime(step.ctx) - started;
  if ('error' in outcome) {
    if (step.listening) step.emit({ ...endEvent(step, state, duration), finish_reason: 'error', ...markOf(outcome) });
    throw failed(step, outcome.error);
  }
  // Recorded above, by this or an earlier process.
  const response = withCallIds(outcome.result as unknown as ModelResponse, callStem(step, state), [...earlier.flat(), ...call.messages]);
  if (step.listening) {
    const { usage, finish_reason, message } = response;
    const tool_call_count = message.content.filter(({ type }) => type === 'tool_call').length;
    step.emit({ ...endEvent(step, state, duration), ...usage, finish_reason, tool_call_count, ...markOf(outcome) });
  }
  return { response, ...(characters !== undefined && { characters: characters + charactersOf([response.message]) }) };
}

function chatOperation({ visit }: ModelCall, url: string, messages: readonly Message[]) {
  return {
    start: { kind: 'model', name: url, conversation_id: visit?.visited.id },
    input: () => toJson(messages),
    end: ({ usage, finish_reason }: ModelResponse) => ({ usage, finish_reason }),
    output: ({ message }: ModelResponse) => toJson(message),
  } as const;
}

/** The price of a model where a limit counts what calls cost. Throws `AgentError` `CONFIG_PRICE_UNKNOWN`. */
async function priceOf({ step, plan }: ModelCall, url: string): Promise<ModelPrice | undefined> {
  if (plan.settings.limits?.cost === undefined && step.run.limits.cost === undefined) return undefined;
  const price = (await step.ctx.prices?.())?.[url];
  if (price) return price;
  const message = `The cost of ${step.node} is limited, but ${url} has no price. Set one with: pravah models price ${url} IN OUT, or in "prices" of pravah.json.`;
  const more = { code: 'CONFIG_PRICE_UNKNOWN', category: 'configuration', retryable: false, details: { model: url } } as const;
  throw new FlowError('AgentError', message, { node: step.node, ...more });
}

/** The model that an agent's calls go to in this run. */
export function modelUrl(step: Step, plan: AgentPlan): string {
  const { part_of } = step.plan.node;
  const { models } = step.run;
  // Every call of a flow uses the same models.
  return models[step.node] ?? models[withoutCalls(step.node)] ?? (part_of && models[part_of]) ?? models[anyAgent] ?? plan.settings.model;
}

function markOf({ supplied }: MarkedOutcome): Pick<MarkedOutcome, 'supplied'> {
  return supplied ? { supplied } : {};
}

/** The recorded part of a request: enough to compare it with another one. */
function requestRecord(state: AgentState, messages: readonly Message[]): Json {
  const messages_hash = sha256(JSON.stringify(messages));
  return { turn: state.turn + 1, message_count: messages.length, messages_hash };
}

/**
 * Gives calls without an id one that is stable when the answer is replayed and unique in the conversation: a fork continues the conversation
 * but restarts the record numbers.
 */
function withCallIds(response: ModelResponse, stem: string, earlier: readonly Message[]): ModelResponse {
  const seen = new Set(earlier.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_call' ? [part.tool_call_id] : []))));
  const content = response.message.content.map((part, index) => {
    if (part.type !== 'tool_call') return part;
    const { tool_call_id: given } = part;
    const tool_call_id = given === '' || seen.has(given) ? unusedId(`${stem}_${index}`, seen) : given;
    seen.add(tool_call_id);
    return { ...part, tool_call_id };
  });
  return { ...response, message: { ...response.message, content } };
}

/** What the ids of a turn's calls begin with. */
function callStem({ run, seq, ready }: Step, { turn }: AgentState): string {
  return run.engine < 3 ? `call_${seq}` : `call_${ready}_${turn + 1}`;
}

function unusedId(stem: string, seen: ReadonlySet<string>): string {
  let id = stem;
  for (let times = 2; seen.has(id); times += 1) id = `${stem}_${times}`;
  return id;
}

function refuseSecrets(step: Step, response: ModelResponse): void {
  const found = step.ctx.secrets.size > 0 ? findSecret(step.ctx.secrets, toJson(response.message)) : null;
  if (!found) return;
  throw new FlowError(
    'SecretInState',
    `The answer of ${step.node}'s model contains the secret ${found.name}. Secrets must not enter the run.`,
    {
      node: step.node,
      details: { secret: found.name },
    },
  );
}

function failed(step: Step, error: TransferableError): Error {
  return step.ctx.signal.aborted && error.variant !== 'Cancelled' ? cancelled(step.node) : fromTransferable(error);
}

function startEvent(
  { step, plan, state }: ModelCall,
  model: string,
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): EventBodyOf<'inference_start'> {
  const { temperature } = plan.settings.params ?? {};
  return {
    type: 'inference_start',
    node: step.node,
    turn: state.turn + 1,
    model,
    message_count: messages.length,
    tool_defs_count: tools.length,
    schema_present: plan.ends !== 'text',
    grammar_present: plan.grammar !== undefined,
    ...(temperature !== undefined && { temperature }),
    ...(state.concluding !== undefined && { conclusion: true as const }),
  };
}

function endEvent({ node }: Step, state: AgentState, duration_ms: number) {
  return { type: 'inference_end', node, turn: state.turn + 1, duration_ms, tokens_in: 0, tokens_out: 0, tool_call_count: 0 } as const;
}
