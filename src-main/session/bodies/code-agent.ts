import { handlerEffect, suppliedResult } from '#main/engine/bodies/handler-effect.ts';
import type { PythonCall } from '#main/engine/ports/python-process.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { authorOf } from '#main/session/state/author.ts';
import { callPython, type RecordedOutcome } from '#main/session/state/call-python.ts';
import { sessionOf } from '#main/session/state/read-session.ts';
import { afterAgent, type Session, stateValue } from '#main/session/state/session.ts';
import type { WorkSession } from '#shared/flow/session.ts';
import { jsonPointer, toJson } from '#shared/json.ts';
import { fromJson, jsonDumps } from '#shared/python/index.ts';
import { agentFailed } from './agent-failed.ts';

type CodeRule = Extract<WorkSession, { code: string }>;

/** Calls a Python function with some keys of the state. An exception is what the agent says, and the run goes on. */
export function callCodeAgent(rule: CodeRule): EvaluateBody {
  return async (step) => {
    const session = sessionOf(step);
    const outcome = await outcomeOf(step, rule, argumentsOf(session, rule.inputs ?? []));
    if ('error' in outcome) {
      const { message, traceback } = outcome.error;
      if (step.listening) step.emit({ type: 'log', node: step.node, level: 'error', values: [traceback] });
      return agentFailed(step, session, `CodeAgent error: ${message}`);
    }
    const { value, floats } = outcome;
    const text = typeof value === 'string' ? value : jsonDumps(fromJson(value, floats));
    const events = [{ author: authorOf(step), parts: [{ text }], final: true as const }];
    return afterAgent(session, { events, writes: { [rule.output]: { value, floats } } });
  };
}

/** The recorded outcome of the call, or the value that the user supplied for a call that was cut off. */
async function outcomeOf(step: Step, { code }: CodeRule, kwargs: PythonCall['kwargs']): Promise<RecordedOutcome> {
  const supplied = suppliedResult(step);
  if (supplied !== undefined) return { value: supplied, floats: [], writes: {} };
  const call = async () => toJson(await callPython(step, { kind: 'code', name: code, kwargs }));
  const recorded: unknown = await handlerEffect(step, code, call, kwargs.value);
  return recorded as RecordedOutcome;
}

/** Keys of the state as keyword arguments; a missing one is `None`. */
function argumentsOf(session: Session, keys: readonly string[]): PythonCall['kwargs'] {
  const found = keys.map((key) => [key, stateValue(session, key)] as const);
  return {
    value: Object.fromEntries(found.map(([key, argument]) => [key, argument?.value ?? null])),
    floats: found.flatMap(([key, argument]) => argument?.floats.map((pointer) => jsonPointer([key]) + pointer) ?? []),
  };
}
