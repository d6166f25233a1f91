import type { PythonValue } from '#main/engine/ports/python-process.ts';
import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { StepSuspended } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import { authorOf } from '#main/session/state/author.ts';
import { callPython } from '#main/session/state/call-python.ts';
import type { EventPart, Session, SessionEvent, Writes } from '#main/session/state/session.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import type { AgentHook } from '#shared/pyflow/hooks.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';

/** What a callback did. */
export interface CallbackOutcome {
  readonly writes: Writes;
  /** The content that it returned, which is an event of the agent. */
  readonly event: SessionEvent | null;
}

const nothing: CallbackOutcome = { writes: {}, event: null };

/**
 * Calls an agent's callback, a Python function, as an effect of its own: on record before it starts, and never silently run twice. A name that is
 * not registered is skipped with a warning. Throws `HandlerError` if the callback fails.
 */
export async function runCallback(step: Step, { callbacks }: AgentSession, hook: AgentHook, session: Session): Promise<CallbackOutcome> {
  const name = callbacks?.[hook];
  if (name === undefined || isSupplied(step, hook)) return nothing;
  const { node, seq } = step;
  const effect = { key: hook, kind: 'handler', node, name, input: { hook } } as const;
  try {
    const outcome = await step.effect(effect, async () => toJson(await perform(step, name, session)));
    if ('error' in outcome) throw fromTransferable(outcome.error);
    const recorded: unknown = outcome.result;
    return outcomeOf(step, name, recorded as Recorded);
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    const suspension = unknownOutcome(step, error.effect, `${node}::${hook}`, `${hook}_${seq}`);
    throw new StepSuspended({ type: 'suspended', suspensions: [suspension] });
  }
}

interface Recorded {
  readonly value: Json;
  readonly writes: Readonly<Record<string, PythonValue>>;
}

async function perform(step: Step, name: string, { state, floats = [] }: Session): Promise<Recorded> {
  const about = { agent: authorOf(step), invocation_id: step.contextRunId };
  const kwargs = { value: {}, floats: [] };
  const outcome = await callPython(step, { kind: 'callback', name, kwargs, state: { value: state, floats }, about });
  if ('value' in outcome) return { value: outcome.value, writes: outcome.writes };
  const { type, message, traceback } = outcome.error;
  throw new FlowError('HandlerError', `The callback ${name} of ${about.agent} failed: ${type}: ${message}`, {
    node: step.node,
    retryable: false,
    details: { traceback },
  });
}

function outcomeOf(step: Step, name: string, { value, writes }: Recorded): CallbackOutcome {
  if (!isJsonObject(value)) return { writes, event: null };
  if (value.skipped === true) {
    const message = `The callback ${name} of ${authorOf(step)} is not registered and was skipped.`;
    if (step.listening) step.emit({ type: 'log', node: step.node, level: 'warn', values: [message] });
    return nothing;
  }
  const texts = Array.isArray(value.text) ? value.text : [];
  const parts = texts.map((text): EventPart => ({ text: String(text) }));
  return { writes, event: { author: authorOf(step), parts, final: true } };
}

/** Whether the user said how a callback ended whose outcome was unknown: it is not called again. */
function isSupplied(step: Step, hook: AgentHook): boolean {
  const answer = step.answerTo(`${step.node}::${hook}`);
  return isJsonObject(answer?.payload) && answer.payload.result !== undefined;
}
