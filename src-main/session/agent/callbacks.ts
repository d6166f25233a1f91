import type { PythonValue } from '#main/engine/ports/python-process.ts';
import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { StepSuspended } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import { authorOf } from '#main/session/state/author.ts';
import { callPython } from '#main/session/state/call-python.ts';
import type { EventPart, SessionEvent, SessionState, Writes } from '#main/session/state/session.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import type { AgentHook } from '#shared/pyflow/hooks.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';

/** A call of a callback. */
export interface CallbackCall {
  readonly hook: AgentHook;
  /** The session and, within the agent, what it has written so far. */
  readonly state: SessionState;
  /** The tool call that it is about. */
  readonly tool_call_id?: string;
  /** What it gets besides its context. */
  readonly payload?: JsonObject;
}

/** What a callback did. */
export interface CallbackOutcome {
  readonly writes: Writes;
  /** What it decided; null for nothing. */
  readonly decided: JsonObject | null;
}

const nothing: CallbackOutcome = { writes: {}, decided: null };

/**
 * Calls an agent's callback, a Python function, as an effect of its own: on record before it starts, and never silently run twice. A name that is
 * not registered is skipped with a warning. Throws `HandlerError` if the callback fails, and `StepSuspended` if it is unknown how it ended.
 */
export async function runCallback(step: Step, { callbacks }: AgentSession, call: CallbackCall): Promise<CallbackOutcome> {
  const { hook, tool_call_id } = call;
  const name = callbacks?.[hook];
  const about = tool_call_id === undefined ? hook : `${hook}_${tool_call_id}`;
  if (name === undefined || isSupplied(step, about)) return nothing;
  const { node, seq } = step;
  const effect = { key: about, kind: 'handler', node, name, input: { hook, ...call.payload } } as const;
  try {
    const outcome = await step.effect(effect, async () => toJson(await perform(step, name, call)));
    if ('error' in outcome) throw fromTransferable(outcome.error);
    const recorded: unknown = outcome.result;
    return outcomeOf(step, name, recorded as Recorded);
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    const suspension = unknownOutcome(step, error.effect, `${node}::${about}`, `${about}_${seq}`);
    throw new StepSuspended({ type: 'suspended', suspensions: [suspension] });
  }
}

/** The event of a callback around the agent that returned content. */
export function contentEvent(step: Step, { decided }: CallbackOutcome): SessionEvent | null {
  if (!decided) return null;
  const texts = Array.isArray(decided.text) ? decided.text : [];
  return { author: authorOf(step), parts: texts.map((text): EventPart => ({ text: String(text) })), final: true };
}

interface Recorded {
  readonly value: Json;
  readonly writes: Readonly<Record<string, PythonValue>>;
}

async function perform(step: Step, name: string, { hook, state, tool_call_id, payload }: CallbackCall): Promise<Recorded> {
  const about = { agent: authorOf(step), invocation_id: step.contextRunId, ...(tool_call_id !== undefined && { tool_call_id }) };
  const kwargs = { value: {}, floats: [] };
  const values = { value: state.state, floats: state.floats ?? [] };
  const outcome = await callPython(step, { kind: 'callback', name, kwargs, state: values, hook, ...(payload && { payload }), about });
  if ('value' in outcome) return { value: outcome.value, writes: outcome.writes };
  const { type, message, traceback } = outcome.error;
  throw new FlowError('HandlerError', `The callback ${name} of ${about.agent} failed: ${type}: ${message}`, {
    node: step.node,
    retryable: false,
    details: { traceback },
  });
}

function outcomeOf(step: Step, name: string, { value, writes }: Recorded): CallbackOutcome {
  if (!isJsonObject(value)) return { writes, decided: null };
  if (value.skipped === true) {
    const message = `The callback ${name} of ${authorOf(step)} is not registered and was skipped.`;
    if (step.listening) step.emit({ type: 'log', node: step.node, level: 'warn', values: [message] });
    return nothing;
  }
  return { writes, decided: value };
}

/** Whether the user said how a callback ended whose outcome was unknown: it is not called again. */
function isSupplied(step: Step, about: string): boolean {
  const answer = step.answerTo(`${step.node}::${about}`);
  return isJsonObject(answer?.payload) && answer.payload.result !== undefined;
}
