import { unsupported } from './errors.ts';
import { compareOrder } from './order.ts';
import { PySet } from './set.ts';
import { PyList, PyTuple, type PyValue } from './values.ts';

/** An item and the key that orders it. */
export interface Ranked {
  readonly item: PyValue;
  readonly rank: PyValue;
}

const isBelow = (a: Ranked, b: Ranked) => compareOrder('<', a.rank, b.rank);

/**
 * Sorts in place. Up to 63 items are compared in the order of CPython 3.13, which decides which two are named when they cannot be
 * compared; more are merged. Values without a total order, whose place depends on the algorithm, are not sorted.
 */
export function sortRanked(items: Ranked[]): void {
  if (items.length < 2) return;
  if (items.some(({ rank }) => hasNoOrder(rank))) throw unsupported('the order of NaN or of sets');
  const sorted = items.length < 64 ? insertAll(items, ascendingStart(items)) : mergeSort(items);
  sorted.forEach((item, index) => {
    items[index] = item;
  });
}

function hasNoOrder(rank: PyValue): boolean {
  if (typeof rank === 'number') return Number.isNaN(rank);
  if (rank instanceof PyList || rank instanceof PyTuple) return rank.items.some(hasNoOrder);
  return rank instanceof PySet;
}

/** How many items at the start ascend, once a descending start has been reversed. */
function ascendingStart(items: Ranked[]): number {
  const at = (index: number) => items[index] as Ranked;
  let count = 1;
  while (count < items.length && !isBelow(at(count), at(count - 1))) count++;
  if (count === items.length || (count > 1 && isBelow(at(0), at(count - 1)))) return count;
  // Equal items before a smaller one belong to a descending run; their order is kept.
  const groups: Ranked[][] = [items.slice(0, count), [at(count)]];
  for (count++; count < items.length; count++) {
    if (isBelow(at(count), at(count - 1))) groups.push([at(count)]);
    else if (isBelow(at(count - 1), at(count))) break;
    else groups.at(-1)?.push(at(count));
  }
  items.splice(0, count, ...groups.reverse().flat());
  while (count < items.length && !isBelow(at(count), at(count - 1))) count++;
  return count;
}

/** Inserts the items after the first `count`, which are sorted. */
function insertAll(items: readonly Ranked[], count: number): Ranked[] {
  const result = items.slice(0, count);
  for (const item of items.slice(count)) {
    let [low, high] = [0, result.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBelow(item, result[middle] as Ranked)) high = middle;
      else low = middle + 1;
    }
    result.splice(low, 0, item);
  }
  return result;
}

function mergeSort(items: readonly Ranked[]): Ranked[] {
  if (items.length <= 32) return insertAll(items, 1);
  const middle = items.length >> 1;
  const [left, right] = [mergeSort(items.slice(0, middle)), mergeSort(items.slice(middle))];
  const merged: Ranked[] = [];
  let at = 0;
  for (const item of right) {
    while (at < left.length && !isBelow(item, left[at] as Ranked)) merged.push(left[at++] as Ranked);
    merged.push(item);
  }
  return merged.concat(left.slice(at));
}
