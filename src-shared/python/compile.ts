import { binaryOperation } from './arithmetic.ts';
import { getAttribute } from './attributes.ts';
import { walruses } from './check-tree.ts';
import { compileCall } from './compile-call.ts';
import { compileComprehension } from './compile-comprehension.ts';
import { compileDisplay } from './compile-display.ts';
import { compileFormat } from './compile-format.ts';
import { compileLambda } from './compile-lambda.ts';
import { isEqual, isIdentical } from './equality.ts';
import { PythonError } from './errors.ts';
import type { Frame } from './frame.ts';
import { isIn } from './membership.ts';
import { compareOrder } from './order.ts';
import { compileName, compileStore, moduleScope, type Scope } from './scope.ts';
import { subscript } from './subscript.ts';
import type { CompareOperator, Expression } from './tree.ts';
import { isTrue } from './truth.ts';
import { unaryOperation } from './unary.ts';
import { PySlice, type PyValue } from './values.ts';

/** A compiled node. */
export type Evaluate = (frame: Frame) => PyValue;

/** Compiles a node; handed down to the parts of the compiler. */
export type Compile = (node: Expression, scope: Scope) => Evaluate;

/** A compiled expression. */
export interface Program {
  readonly run: Evaluate;
  /** True when `:=` writes globals, which must then be a copy. */
  readonly writesGlobals: boolean;
}

/** Compiles a tree to closures. With `lateError`, evaluation is that `SyntaxError`. */
export function compile(tree: Expression, lateError: string | undefined): Program {
  if (lateError !== undefined) {
    return {
      run: () => {
        throw new PythonError('SyntaxError', `${lateError} (<string>, line 1)`);
      },
      writesGlobals: false,
    };
  }
  return { run: compileNode(tree, moduleScope()), writesGlobals: walruses(tree).length > 0 };
}

/** Compiles a node whose names mean what they mean in `scope`. */
function compileNode(node: Expression, scope: Scope): Evaluate {
  const inner = (child: Expression) => compileNode(child, scope);
  switch (node.kind) {
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'name':
      return compileName(node.id, scope);
    case 'binary': {
      const { operator } = node;
      const [left, right] = [inner(node.left), inner(node.right)];
      return (frame) => binaryOperation(operator, left(frame), right(frame));
    }
    case 'unary': {
      const { operator } = node;
      const operand = inner(node.operand);
      return (frame) => unaryOperation(operator, operand(frame));
    }
    case 'boolean':
      return compileBoolean(node.operator, node.values.map(inner));
    case 'compare':
      return compileCompare(
        inner(node.first),
        node.rest.map(({ operator, value }) => ({ test: comparison(operator), value: inner(value) })),
      );
    case 'conditional': {
      const [test, then, otherwise] = [inner(node.test), inner(node.then), inner(node.otherwise)];
      return (frame) => (isTrue(test(frame)) ? then(frame) : otherwise(frame));
    }
    case 'attribute': {
      const { name } = node;
      const value = inner(node.value);
      return (frame) => getAttribute(value(frame), name);
    }
    case 'subscript': {
      const [value, index] = [inner(node.value), inner(node.index)];
      return (frame) => subscript(value(frame), index(frame));
    }
    case 'slice': {
      const [start, stop, step] = [node.start, node.stop, node.step].map((part) => (part ? inner(part) : () => null));
      return (frame) => new PySlice((start as Evaluate)(frame), (stop as Evaluate)(frame), (step as Evaluate)(frame));
    }
    case 'call':
      return compileCall(node, scope, compileNode);
    case 'walrus': {
      const value = inner(node.value);
      const store = compileStore(node.id, scope);
      return (frame) => {
        const result = value(frame);
        store(frame, result);
        return result;
      };
    }
    case 'lambda':
      return compileLambda(node, scope, compileNode);
    case 'fstring':
      return compileFormat(node.parts, scope, compileNode);
    case 'list':
    case 'tuple':
    case 'set':
    case 'dict':
      return compileDisplay(node, scope, compileNode);
    case 'list-comprehension':
    case 'set-comprehension':
    case 'dict-comprehension':
    case 'generator':
      return compileComprehension(node, scope, compileNode);
    case 'starred':
    case 'await':
    case 'yield':
      throw new Error(`A node of kind ${node.kind} cannot be compiled here.`);
  }
}

function compileBoolean(operator: 'and' | 'or', values: readonly Evaluate[]): Evaluate {
  const isAnd = operator === 'and';
  const [first, ...others] = values as [Evaluate, ...Evaluate[]];
  return (frame) => {
    let value = first(frame);
    for (const next of others) {
      if (isTrue(value) !== isAnd) return value;
      value = next(frame);
    }
    return value;
  };
}

type Test = (a: PyValue, b: PyValue) => boolean;

function comparison(operator: CompareOperator): Test {
  switch (operator) {
    case '==':
      return isEqual;
    case '!=':
      return (a, b) => !isEqual(a, b);
    case 'in':
      return isIn;
    case 'not in':
      return (a, b) => !isIn(a, b);
    case 'is':
      return isIdentical;
    case 'is not':
      return (a, b) => !isIdentical(a, b);
    default:
      return (a, b) => compareOrder(operator, a, b);
  }
}

function compileCompare(first: Evaluate, rest: readonly { readonly test: Test; readonly value: Evaluate }[]): Evaluate {
  const only = rest.length === 1 ? rest[0] : undefined;
  if (only) {
    const { test, value } = only;
    return (frame) => test(first(frame), value(frame));
  }
  return (frame) => {
    let left = first(frame);
    for (const { test, value } of rest) {
      const right = value(frame);
      if (!test(left, right)) return false;
      left = right;
    }
    return true;
  };
}
