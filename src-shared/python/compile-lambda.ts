import { bindArguments } from './bind-arguments.ts';
import { countOperations } from './budget.ts';
import { walruses } from './check-tree.ts';
import type { Compile, Evaluate } from './compile.ts';
import { PythonError } from './errors.ts';
import { innerFrame } from './frame.ts';
import { qualify, type Scope } from './scope.ts';
import type { Expression } from './tree.ts';
import { PyCallable } from './values.ts';

/** CPython's limit, less what PyFlow itself has on the stack. */
const maxCallDepth = 900;
let callDepth = 0;

/** Compiles a lambda. */
export function compileLambda(node: Extract<Expression, { kind: 'lambda' }>, outer: Scope, compile: Compile): Evaluate {
  const { parameters, body } = node;
  const { positional, keywordOnly, rest, keywords } = parameters;
  const parameterNames = [...positional, ...keywordOnly].map(({ name }) => name).concat(rest ?? [], keywords ?? []);
  const names = [...new Set([...parameterNames, ...walruses(body)])];
  const qualifiedName = qualify('<lambda>', outer);
  const run = compile(body, { kind: 'lambda', names, qualifiedName, outer });
  const defaults = [...positional, ...keywordOnly].map((parameter) => parameter.default && compile(parameter.default, outer));
  return (frame) => {
    const values = defaults.map((value) => value?.(frame));
    return new PyCallable('function', '<lambda>', (args, named) => {
      countOperations(1);
      const inner = innerFrame(frame);
      bindArguments({ name: qualifiedName, parameters, defaults: values }, args, named, inner.slots);
      if (callDepth >= maxCallDepth) throw new PythonError('RecursionError', 'maximum recursion depth exceeded');
      callDepth++;
      try {
        return run(inner);
      } finally {
        callDepth--;
      }
    });
  };
}
