import { countItems, countOperations } from './budget.ts';
import type { Compile, Evaluate } from './compile.ts';
import { PyDict } from './dict.ts';
import { typeError } from './errors.ts';
import type { Frame } from './frame.ts';
import { toArray } from './iterate.ts';
import type { Scope } from './scope.ts';
import { PySet } from './set.ts';
import type { Expression } from './tree.ts';
import { typeName } from './type-name.ts';
import { PyList, PyTuple, type PyValue } from './values.ts';

type Display = Extract<Expression, { kind: 'list' | 'tuple' | 'set' | 'dict' }>;

/** Compiles `[…]`, `(…)`, `{…}` and `{…: …}`; `isIterated` where a `for` takes it directly. */
export function compileDisplay(node: Display, scope: Scope, compile: Compile, isIterated = false): Evaluate {
  if (node.kind === 'dict') return compileDict(node.entries, scope, compile);
  const isSet = node.kind === 'set';
  const items = compileItems(node.items, scope, compile, isSet ? (value) => `'${typeName(value)}' object is not iterable` : undefined);
  if (node.kind === 'list') return (frame) => new PyList(items(frame));
  if (node.kind === 'tuple') return (frame) => new PyTuple(items(frame));
  const isConstant = (isIterated || node.items.length > 2) && node.items.every(isFolded);
  return (frame) => {
    const set = setOf(items(frame));
    return isConstant ? constantSet(set, isIterated) : set;
  };
}

function setOf(items: Iterable<PyValue>): PySet {
  const set = new PySet();
  for (const item of items) set.add(item);
  return set;
}

/** CPython rebuilds a set of constants while compiling, which may order it otherwise, and copies it unless a `for` iterates it. */
function constantSet(set: PySet, isIterated: boolean): PySet {
  if (!set.hasOrder) return set;
  const rebuilt = setOf(set.ordered());
  return isIterated ? rebuilt : rebuilt.copy();
}

/** True for what CPython turns into a constant. */
function isFolded(node: Expression): boolean {
  if (node.kind === 'tuple') return node.items.every(isFolded);
  if (node.kind === 'unary') return isFolded(node.operand);
  if (node.kind === 'binary') return isFolded(node.left) && isFolded(node.right);
  return node.kind === 'constant';
}

/** Compiles items of which some are `*iterable`. */
export function compileItems(
  nodes: readonly Expression[],
  scope: Scope,
  compile: Compile,
  starMessage?: (value: PyValue) => string,
): (frame: Frame) => PyValue[] {
  const parts = nodes.map((node) =>
    node.kind === 'starred' ? { starred: true, value: compile(node.value, scope) } : { starred: false, value: compile(node, scope) },
  );
  if (parts.every(({ starred }) => !starred)) {
    const values = parts.map(({ value }) => value);
    return (frame) => {
      countOperations(1);
      countItems(values.length);
      const items: PyValue[] = [];
      for (const value of values) items.push(value(frame));
      return items;
    };
  }
  const message = starMessage ?? ((value: PyValue) => `Value after * must be an iterable, not ${typeName(value)}`);
  return (frame) => {
    const items: PyValue[] = [];
    for (const { starred, value } of parts) {
      const item = value(frame);
      if (starred) for (const unpacked of toArray(item, message(item))) items.push(unpacked);
      else items.push(item);
    }
    countItems(items.length);
    return items;
  };
}

function compileDict(
  entries: readonly { readonly key: Expression | undefined; readonly value: Expression }[],
  scope: Scope,
  compile: Compile,
): Evaluate {
  const parts = entries.map(({ key, value }) => ({ key: key && compile(key, scope), value: compile(value, scope) }));
  return (frame) => {
    countOperations(1);
    const dict = new PyDict();
    for (const { key, value } of parts) {
      if (key) {
        const at = key(frame);
        dict.set(at, value(frame));
        continue;
      }
      const other = value(frame);
      if (!(other instanceof PyDict)) throw typeError(`'${typeName(other)}' object is not a mapping`);
      countOperations(other.size);
      for (const [at, item] of other.entries()) dict.set(at, item);
    }
    return dict;
  };
}
