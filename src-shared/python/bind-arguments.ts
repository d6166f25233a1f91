import { PyDict } from './dict.ts';
import { typeError } from './errors.ts';
import type { Parameters } from './tree.ts';
import { type PyKeywords, PyTuple, type PyValue } from './values.ts';

/** A lambda that is called. */
interface Callee {
  /** Its qualified name. */
  readonly name: string;
  readonly parameters: Parameters;
  readonly defaults: readonly (PyValue | undefined)[];
}

/** Puts the arguments of a call into the slots of a lambda's frame. Throws Python's `TypeError` when they do not match. */
export function bindArguments(
  callee: Callee,
  args: readonly PyValue[],
  named: PyKeywords | undefined,
  slots: (PyValue | undefined)[],
): void {
  const { positional, positionalOnly, rest, keywordOnly, keywords } = callee.parameters;
  const all = [...positional, ...keywordOnly];
  positional.forEach((_, index) => {
    slots[index] = args[index];
  });
  const extra = new PyDict();
  for (const [name, value] of named ?? []) {
    const index = all.findIndex((parameter, at) => parameter.name === name && at >= positionalOnly);
    if (index < 0) {
      if (keywords === undefined) throw unexpectedKeyword(callee, named as PyKeywords, name);
      extra.set(name, value);
    } else if (slots[index] !== undefined) throw typeError(`${callee.name}() got multiple values for argument '${name}'`);
    else slots[index] = value;
  }
  if (args.length > positional.length && rest === undefined) throw tooMany(callee, args.length, slots);
  fillDefaults(callee, slots);
  let index = all.length;
  if (rest !== undefined) slots[index++] = new PyTuple(args.slice(positional.length));
  if (keywords !== undefined) slots[index] = extra;
}

function unexpectedKeyword({ name: callee, parameters: { positional, positionalOnly } }: Callee, named: PyKeywords, name: string): Error {
  const wrong = positional.slice(0, positionalOnly).filter((parameter) => named.has(parameter.name));
  if (wrong.length === 0) return typeError(`${callee}() got an unexpected keyword argument '${name}'`);
  const names = wrong.map((parameter) => parameter.name).join(', ');
  return typeError(`${callee}() got some positional-only arguments passed as keyword arguments: '${names}'`);
}

function tooMany({ name, parameters: { positional, keywordOnly }, defaults }: Callee, count: number, slots: readonly unknown[]): Error {
  const most = positional.length;
  const optional = positional.filter((_, index) => defaults[index] !== undefined).length;
  const expected =
    optional > 0 ? `from ${most - optional} to ${most} positional arguments` : `${most} positional argument${most === 1 ? '' : 's'}`;
  const given = keywordOnly.filter((_, index) => slots[most + index] !== undefined).length;
  const keywordsGiven =
    given > 0 ? ` positional argument${count === 1 ? '' : 's'} (and ${given} keyword-only argument${given === 1 ? '' : 's'})` : '';
  return typeError(`${name}() takes ${expected} but ${count}${keywordsGiven} ${count === 1 && given === 0 ? 'was' : 'were'} given`);
}

function fillDefaults({ name: callee, parameters: { positional, keywordOnly }, defaults }: Callee, slots: (PyValue | undefined)[]): void {
  const missing = (from: number, parameters: readonly { readonly name: string }[]) =>
    parameters.flatMap(({ name }, index) => {
      if (slots[from + index] === undefined) slots[from + index] = defaults[from + index];
      return slots[from + index] === undefined ? [name] : [];
    });
  const lacking = missing(0, positional);
  if (lacking.length > 0) throw lacksArguments(callee, 'positional', lacking);
  const lackingKeywords = missing(positional.length, keywordOnly);
  if (lackingKeywords.length > 0) throw lacksArguments(callee, 'keyword-only', lackingKeywords);
}

function lacksArguments(callee: string, kind: string, names: readonly string[]): Error {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop();
  const list = quoted.length === 0 ? last : quoted.length === 1 ? `${quoted[0]} and ${last}` : `${quoted.join(', ')}, and ${last}`;
  return typeError(`${callee}() missing ${names.length} required ${kind} argument${names.length === 1 ? '' : 's'}: ${list}`);
}
