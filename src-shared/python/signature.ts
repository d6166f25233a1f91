import { typeError } from './errors.ts';
import type { PyKeywords, PyValue } from './values.ts';

/** Arguments in the order of the parameters; `undefined` where none was given. */
export type Arguments = readonly (PyValue | undefined)[];

/** Which arguments a built-in function takes, in the ways in which CPython's functions are declared. */
export type Signature =
  | { readonly kind: 'none' }
  | { readonly kind: 'one' }
  | { readonly kind: 'positional'; readonly min: number; readonly max: number }
  /** `required` parameters come first; those before `positionalOnly` have no name. */
  | {
      readonly kind: 'named';
      readonly names: readonly string[];
      readonly required: number;
      readonly positionalOnly: number;
      readonly most: number;
    };

const plural = (count: number) => (count === 1 ? '' : 's');

/** Assigns arguments to parameters. `qualified` is `str.upper`, `name` is `upper`. Throws Python's `TypeError`. */
export function bindBuiltin(qualified: string, signature: Signature, args: readonly PyValue[], keywords?: PyKeywords): Arguments {
  const name = qualified.slice(qualified.indexOf('.') + 1);
  const count = args.length;
  if (signature.kind === 'named') return bindNamed(name, signature, args, keywords);
  if (keywords && keywords.size > 0) throw typeError(`${qualified}() takes no keyword arguments`);
  if (signature.kind === 'none' && count > 0) throw typeError(`${qualified}() takes no arguments (${count} given)`);
  if (signature.kind === 'one' && count !== 1) throw typeError(`${qualified}() takes exactly one argument (${count} given)`);
  if (signature.kind === 'positional' && (count < signature.min || count > signature.max)) {
    const { min, max } = signature;
    const [bound, limit] = min === max ? ['', min] : count < min ? ['at least ', min] : ['at most ', max];
    throw typeError(`${name} expected ${bound}${limit} argument${plural(limit)}, got ${count}`);
  }
  return args;
}

function bindNamed(name: string, signature: Signature & { kind: 'named' }, args: readonly PyValue[], keywords?: PyKeywords): Arguments {
  const { names, required, positionalOnly, most } = signature;
  const given = args.length + (keywords?.size ?? 0);
  const bound = required < names.length ? 'at most' : 'exactly';
  if (given > names.length) {
    throw typeError(
      `${name}() takes ${bound} ${names.length} ${args.length === 0 ? 'keyword ' : ''}argument${plural(names.length)} (${given} given)`,
    );
  }
  if (args.length > most) {
    if (most === 0) throw typeError(`${name}() takes no positional arguments`);
    throw typeError(
      `${name}() takes ${required < most || most < names.length ? 'at most' : 'exactly'} ${most} positional argument${plural(most)} (${args.length} given)`,
    );
  }
  const values: (PyValue | undefined)[] = names.map((_, index) => args[index]);
  if (args.length < Math.min(required, positionalOnly)) {
    const least = Math.min(required, positionalOnly);
    throw typeError(
      `${name}() takes ${least < names.length ? 'at least' : 'exactly'} ${least} positional argument${plural(least)} (${args.length} given)`,
    );
  }
  for (const [keyword, value] of keywords ?? []) {
    const index = names.indexOf(keyword);
    if (index < positionalOnly) continue;
    if (values[index] !== undefined) throw typeError(`argument for ${name}() given by name ('${keyword}') and position (${index + 1})`);
    values[index] = value;
  }
  const missing = values.findIndex((value, index) => value === undefined && index < required);
  if (missing >= 0) throw typeError(`${name}() missing required argument '${names[missing]}' (pos ${missing + 1})`);
  for (const keyword of keywords?.keys() ?? []) {
    if (names.indexOf(keyword) < positionalOnly) throw typeError(`${name}() got an unexpected keyword argument '${keyword}'`);
  }
  return values;
}
