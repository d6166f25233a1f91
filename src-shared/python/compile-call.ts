import { callMethod } from './attributes.ts';
import { callValue } from './call-value.ts';
import type { Compile, Evaluate } from './compile.ts';
import { compileItems } from './compile-display.ts';
import { PyDict } from './dict.ts';
import { typeError } from './errors.ts';
import type { Frame } from './frame.ts';
import type { Scope } from './scope.ts';
import type { Expression, Keyword } from './tree.ts';
import { typeName } from './type-name.ts';
import type { PyKeywords, PyValue } from './values.ts';

/** Compiles a call. */
export function compileCall(node: Extract<Expression, { kind: 'call' }>, scope: Scope, compile: Compile): Evaluate {
  const { callee } = node;
  const args = compileItems(node.args, scope, compile, (value) => `Value after * must be an iterable, not ${typeName(value)}`);
  const keywords = compileKeywords(node.keywords, scope, compile);
  if (callee.kind === 'attribute') {
    const value = compile(callee.value, scope);
    const { name } = callee;
    return (frame) => callMethod(value(frame), name, () => args(frame), keywords && (() => keywords(frame)));
  }
  const target = compile(callee, scope);
  return (frame) => {
    const called = target(frame);
    const given = args(frame);
    return callValue(called, given, keywords?.(frame));
  };
}

function compileKeywords(keywords: readonly Keyword[], scope: Scope, compile: Compile): ((frame: Frame) => PyKeywords) | undefined {
  if (keywords.length === 0) return undefined;
  const parts = keywords.map(({ name, value }) => ({ name, value: compile(value, scope) }));
  return (frame) => {
    const given = new Map<string, PyValue>();
    for (const { name, value } of parts) {
      const item = value(frame);
      if (name !== undefined) given.set(name, item);
      else addMapping(given, item);
    }
    return given;
  };
}

function addMapping(given: Map<string, PyValue>, mapping: PyValue): void {
  if (!(mapping instanceof PyDict)) throw typeError(`argument after ** must be a mapping, not ${typeName(mapping)}`);
  for (const [key, value] of mapping.entries()) {
    if (typeof key !== 'string') throw typeError('keywords must be strings');
    if (given.has(key)) throw typeError(`got multiple values for keyword argument '${key}'`);
    given.set(key, value);
  }
}
