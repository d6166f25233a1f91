import { callValue } from './call-value.ts';
import { typeError, valueError } from './errors.ts';
import { iterate } from './iterate.ts';
import { compareOrder, hasOneOrder } from './order.ts';
import { PySet } from './set.ts';
import type { PyKeywords, PyNext, PyValue } from './values.ts';

/** `max(…)`. */
export const maximum = (args: PyValue[], keywords?: PyKeywords): PyValue => extreme('max', args, keywords);

/** `min(…)`. */
export const minimum = (args: PyValue[], keywords?: PyKeywords): PyValue => extreme('min', args, keywords);

function extreme(name: 'max' | 'min', args: PyValue[], keywords?: PyKeywords): PyValue {
  if (args.length === 0) throw typeError(`${name} expected at least 1 argument, got 0`);
  for (const keyword of keywords?.keys() ?? []) {
    if (keyword !== 'key' && keyword !== 'default') throw typeError(`${name}() got an unexpected keyword argument '${keyword}'`);
  }
  const key = keywords?.get('key') ?? null;
  const isSingle = args.length === 1;
  if (!isSingle && keywords?.has('default')) {
    throw typeError(`Cannot specify a default for ${name}() with multiple positional arguments`);
  }
  const next = isSingle ? values(args[0] as PyValue, key === null) : each(args);
  let best: PyValue | undefined;
  let bestKey: PyValue = null;
  for (let value = next(); value !== undefined; value = next()) {
    const rank = key === null ? value : callValue(key, [value]);
    if (best !== undefined && !compareOrder(name === 'max' ? '>' : '<', rank, bestKey)) continue;
    best = value;
    bestKey = rank;
  }
  if (best !== undefined) return best;
  if (keywords?.has('default')) return keywords.get('default') as PyValue;
  throw valueError(`${name}() iterable argument is empty`);
}

const each = (items: readonly PyValue[]): PyNext => {
  let index = 0;
  return () => items[index++];
};

/** Texts of a set are all different, so that their order does not matter. */
function values(iterable: PyValue, anyOrder: boolean): PyNext {
  if (!anyOrder || !(iterable instanceof PySet) || iterable.hasOrder) return iterate(iterable);
  const items = [...iterable.unordered()];
  return hasOneOrder(items) ? each(items) : iterate(iterable);
}
