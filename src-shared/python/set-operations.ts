import { countOperations } from './budget.ts';
import { iterate } from './iterate.ts';
import { PySet } from './set.ts';
import type { PyValue } from './values.ts';

// The order of results is not followed: it depends on CPython's tables and on how they were filled.

/** The elements of any iterable. */
export function toSet(value: PyValue): PySet {
  if (value instanceof PySet) return value;
  const set = new PySet();
  const next = iterate(value);
  for (let item = next(); item !== undefined; item = next()) set.add(item);
  return set;
}

function select(set: PySet, isWanted: (value: PyValue) => boolean): PySet {
  const result = new PySet();
  countOperations(set.size);
  for (const value of set.unordered()) if (isWanted(value)) result.add(value);
  result.forgetOrder();
  return result;
}

/** `a & b`. */
export function intersection(a: PySet, b: PySet): PySet {
  const [small, large] = b.size > a.size ? [a, b] : [b, a];
  return select(small, (value) => large.has(value));
}

/** `a - b`. */
export const difference = (a: PySet, b: PySet): PySet => select(a, (value) => !b.has(value));

/** `a | b`. */
export function union(a: PySet, b: PySet): PySet {
  const result = select(a, () => true);
  addAll(result, b);
  return result;
}

/** `a ^ b`. */
export const symmetricDifference = (a: PySet, b: PySet): PySet => union(difference(a, b), difference(b, a));

/** Adds all elements of `other`. */
export function addAll(set: PySet, other: PySet): void {
  countOperations(other.size);
  for (const value of [...other.unordered()]) set.add(value);
  set.forgetOrder();
}
