import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { authorOf } from '#main/session/state/author.ts';
import { sessionOf } from '#main/session/state/read-session.ts';
import { afterAgent } from '#main/session/state/session.ts';
import { pythonValue, writtenValue } from '#main/session/state/state-values.ts';
import type { WorkSession } from '#shared/flow/session.ts';
import {
  evaluatePython,
  jsonDumps,
  PythonError,
  type PythonExpression,
  PythonStop,
  type PyValue,
  parsePython,
} from '#shared/python/index.ts';
import { FlowError } from '#shared/run/error.ts';
import { agentFailed } from './agent-failed.ts';

type ExprRule = Extract<WorkSession, { expr: string }>;

/** Evaluates an expression over some keys of the state. A Python exception becomes the agent's message, and the run continues. */
export function evaluateExpr(rule: ExprRule): EvaluateBody {
  let expression: PythonExpression | undefined;
  return (step) => {
    expression ??= readExpression(rule.expr);
    const session = sessionOf(step);
    const author = authorOf(step);
    const globals = new Map((rule.inputs ?? []).map((key) => [key, pythonValue(session, key) ?? null] as const));
    const result = evaluate(step, expression, globals);
    if ('error' in result) return agentFailed(step, session, `ExprAgent error: ${result.error}`);
    const { value } = result;
    const written = writtenValue(value, author);
    const text = typeof value === 'string' ? value : jsonDumps(value);
    return afterAgent(session, { events: [{ author, parts: [{ text }], final: true }], writes: { [rule.output]: written } });
  };
}

function evaluate(step: Step, expression: PythonExpression, globals: ReadonlyMap<string, PyValue>): { value: PyValue } | { error: string } {
  try {
    return { value: evaluatePython(expression, globals) };
  } catch (error) {
    if (error instanceof PythonError) return { error: error.message };
    if (error instanceof PythonStop) throw new FlowError('HandlerError', error.message, { node: step.node, retryable: false });
    throw error;
  }
}

function readExpression(source: string): PythonExpression {
  const parsed = parsePython(source);
  if ('expression' in parsed) return parsed.expression;
  throw new FlowError('BuildError', parsed.problem.message);
}
