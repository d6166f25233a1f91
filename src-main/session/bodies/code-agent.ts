import { handlerEffect } from '#main/engine/bodies/handler-effect.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { PythonProcess } from '#main/python/python-process.ts';
import { authorOf } from '#main/session/state/author.ts';
import { compactJson } from '#main/session/state/compact-json.ts';
import { parseAsPython } from '#main/session/state/python-json.ts';
import { sessionOf } from '#main/session/state/read-session.ts';
import { afterAgent, type Session, stateValue } from '#main/session/state/session.ts';
import { writtenValue } from '#main/session/state/state-values.ts';
import type { WorkSession } from '#shared/flow/session.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { fromJson, jsonDumps, type PyValue } from '#shared/python/index.ts';
import { FlowError } from '#shared/run/error.ts';
import { agentFailed } from './agent-failed.ts';

type CodeRule = Extract<WorkSession, { code: string }>;

/** How long one call may take, in milliseconds. */
const longestCall = 60_000;

/** Calls a Python function of the trusted folder, as one effect of its step. An exception is what the agent says, and the run goes on. */
export function callCodeAgent(rule: CodeRule): EvaluateBody {
  return async (step) => {
    const session = sessionOf(step);
    const answer = await handlerEffect(step, rule.code, () => callFunction(step, rule, session));
    if (isSupplied(step)) return afterResult(step, session, rule, fromJson(answer));
    if (!isJsonObject(answer)) throw unusable(step, rule, 'it returned something else than an answer');
    return afterCall(step, session, rule, answer);
  };
}

/** Whether the user gave the function's result, since its outcome was unknown. */
function isSupplied({ answer }: Step): boolean {
  return answer?.suspension.reason === 'unknown_outcome' && isJsonObject(answer.payload) && answer.payload.result !== undefined;
}

function afterResult(step: Step, session: Session, rule: CodeRule, value: PyValue): Session {
  const author = authorOf(step);
  const text = typeof value === 'string' ? value : jsonDumps(value);
  return afterAgent(session, {
    events: [{ author, parts: [{ text }], final: true }],
    writes: { [rule.output]: writtenValue(value, author) },
  });
}

function afterCall(step: Step, session: Session, rule: CodeRule, answer: JsonObject): Session {
  if (typeof answer.error === 'string') return agentFailed(step, session, `CodeAgent error: ${answer.error}`);
  if (typeof answer.json !== 'string') throw unusable(step, rule, `its result is not JSON serializable: ${String(answer.unserializable)}`);
  const value = parseAsPython(answer.json);
  if (value === undefined) throw unusable(step, rule, 'its result is not JSON');
  return afterResult(step, session, rule, value);
}

async function callFunction(step: Step, rule: CodeRule, session: Session): Promise<Json> {
  const { ctx, node } = step;
  if (!ctx.trusted)
    throw new FlowError('BuildError', `${node} calls Python of this folder (${rule.code}), which is not trusted. Trust the folder.`, {
      node,
    });
  const python = pythonOf(step);
  const stop = (): void => python.dispose('the run was cancelled');
  const late = setTimeout(() => python.dispose(`the call took longer than ${longestCall / 1000} s`), longestCall);
  python.onLine = (line) => {
    if (step.listening) step.emit({ type: 'log', node, level: 'info', values: [line] });
  };
  ctx.signal.addEventListener('abort', stop, { once: true });
  try {
    const { id: _id, ...answer } = await python.call(rule.code, argumentsOf(rule, session));
    return answer;
  } catch (error) {
    if (ctx.signal.aborted) throw cancelled(node);
    throw unusable(step, rule, error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(late);
    ctx.signal.removeEventListener('abort', stop);
    python.onLine = () => undefined;
  }
}

/** The process of the run, made again when it has ended. */
function pythonOf({ run, ctx }: Step): PythonProcess {
  const known = run.resources.python;
  if (known instanceof PythonProcess && known.usable) return known;
  const started = new PythonProcess(ctx.working_dir);
  run.resources.python = started;
  return started;
}

/** The keyword arguments as JSON text; a key that is not in the state is null. */
function argumentsOf({ inputs = [] }: CodeRule, session: Session): string {
  const values = inputs.map((key) => `${JSON.stringify(key)}:${compactJson(stateValue(session, key) ?? { value: null, floats: [] })}`);
  return `{${values.join(',')}}`;
}

function unusable({ node }: Step, { code }: CodeRule, why: string): FlowError {
  return new FlowError('HandlerError', `The Python function ${code} of ${node} failed: ${why}.`, { node, retryable: false });
}
