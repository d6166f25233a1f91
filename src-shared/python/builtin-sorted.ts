import { countOperations } from './budget.ts';
import { callValue } from './call-value.ts';
import { typeError } from './errors.ts';
import { toArray } from './iterate.ts';
import { compareOrder } from './order.ts';
import { PySet } from './set.ts';
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
    if (items.every((item) => typeof item === 'string')) return items;
  }
  return toArray(iterable);
}

/** Sorts in a stable way with `<` only, as `list.sort` does. */
export function sortItems(items: readonly PyValue[], keywords: PyKeywords | undefined): PyValue[] {
  for (const keyword of keywords?.keys() ?? []) {
    if (keyword !== 'key' && keyword !== 'reverse') throw typeError(`sort() got an unexpected keyword argument '${keyword}'`);
  }
  const key = keywords?.get('key') ?? null;
  const reverse = isReverse(keywords?.get('reverse'));
  countOperations(items.length * Math.ceil(Math.log2(items.length + 1)) * 0.25);
  const ranked = items.map((item) => ({ item, rank: key === null ? item : callValue(key, [item]) }));
  if (reverse) ranked.reverse();
  mergeSort(ranked);
  if (reverse) ranked.reverse();
  return ranked.map(({ item }) => item);
}

function isReverse(value: PyValue | undefined): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean' || typeof value === 'bigint') return isTrue(value);
  throw typeError(
    `'${value === null ? 'NoneType' : typeof value === 'string' ? 'str' : 'float'}' object cannot be interpreted as an integer`,
  );
}

interface Ranked {
  readonly item: PyValue;
  readonly rank: PyValue;
}

/** Insertion into runs, then merges: which pairs are compared first decides which error a mixed list gives. */
function mergeSort(items: Ranked[]): void {
  const sortedItems = items.length < 2 ? items : split(items);
  sortedItems.forEach((item, index) => {
    items[index] = item;
  });
}

function split(items: readonly Ranked[]): Ranked[] {
  if (items.length <= 32) return insertion(items);
  const middle = items.length >> 1;
  const [left, right] = [split(items.slice(0, middle)), split(items.slice(middle))];
  const merged: Ranked[] = [];
  let at = 0;
  for (const item of right) {
    while (at < left.length && !compareOrder('<', item.rank, (left[at] as Ranked).rank)) merged.push(left[at++] as Ranked);
    merged.push(item);
  }
  return merged.concat(left.slice(at));
}

function insertion(items: readonly Ranked[]): Ranked[] {
  const result: Ranked[] = [];
  for (const item of items) {
    let [low, high] = [0, result.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareOrder('<', item.rank, (result[middle] as Ranked).rank)) high = middle;
      else low = middle + 1;
    }
    result.splice(low, 0, item);
  }
  return result;
}
