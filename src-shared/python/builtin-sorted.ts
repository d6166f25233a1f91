import { countOperations } from './budget.ts';
import { callValue } from './call-value.ts';
import { typeError } from './errors.ts';
import { toArray } from './iterate.ts';
import { hasOneOrder } from './order.ts';
import { PySet } from './set.ts';
import { sortRanked } from './stable-sort.ts';
import { isTrue } from './truth.ts';
import { type PyKeywords, PyList, type PyValue } from './values.ts';

/** `sorted(xs, key=None, reverse=False)`. */
export function sorted(args: PyValue[], keywords?: PyKeywords): PyValue {
  if (args.length !== 1) throw typeError(`sorted expected 1 argument, got ${args.length}`);
  const [iterable] = args as [PyValue];
  const key = keywords?.get('key') ?? null;
  const items = itemsOf(iterable, key === null);
  return new PyList(sortItems(items, keywords));
}

function itemsOf(iterable: PyValue, anyOrder: boolean): PyValue[] {
  if (anyOrder && iterable instanceof PySet && !iterable.hasOrder) {
    const items = [...iterable.unordered()];
    if (hasOneOrder(items)) return items;
  }
  return toArray(iterable);
}

/** Sorts in a stable way with `<` only, as `list.sort` does. */
export function sortItems(items: readonly PyValue[], keywords: PyKeywords | undefined): PyValue[] {
  for (const keyword of keywords?.keys() ?? []) {
    if (keyword !== 'key' && keyword !== 'reverse') throw typeError(`sort() got an unexpected keyword argument '${keyword}'`);
  }
  const key = keywords?.get('key') ?? null;
  const reverse = isTrue(keywords?.get('reverse') ?? false);
  countOperations(items.length * Math.ceil(Math.log2(items.length + 1)) * 0.25);
  const ranked = items.map((item) => ({ item, rank: key === null ? item : callValue(key, [item]) }));
  if (reverse) ranked.reverse();
  sortRanked(ranked);
  if (reverse) ranked.reverse();
  return ranked.map(({ item }) => item);
}
