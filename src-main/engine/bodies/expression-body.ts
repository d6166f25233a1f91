import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import { type Expression, parseExpression } from '#shared/flow/expression.ts';
import { FlowError } from '#shared/run/error.ts';
import type { BodyOf } from './body.ts';
import { withField } from './with-field.ts';

/** One expression over the input, read at its first use. */
export function evaluateExpressionBody(body: BodyOf<'expr'>): EvaluateBody {
  let expression: Expression | undefined;
  return (step) => {
    expression ??= readExpression(body.source);
    const value = evaluateExpression(expression, step.input);
    return body.into === undefined ? value : withField(step, body.into, value);
  };
}

function readExpression(source: string): Expression {
  const parsed = parseExpression(source);
  if (parsed.ok) return parsed.expression;
  const { message, line, column } = parsed.fault;
  throw new FlowError('BuildError', `The expression cannot be read: ${message} (line ${line}, column ${column}).`);
}
