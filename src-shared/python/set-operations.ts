import { countOperations } from './budget.ts';
import { iterate } from './iterate.ts';
import { PySet } from './set.ts';
import { type PyDictView, PyTuple, type PyValue } from './values.ts';

/** `a == b` of sets. */
export function setsEqual(a: PySet, b: PySet): boolean {
  return a.size === b.size && isSubset(a, b);
}

/** `a <= b` of sets. */
export function isSubset(a: PySet, b: PySet): boolean {
  if (a.size > b.size) return false;
  countOperations(a.size);
  for (const value of a.unordered()) if (!b.has(value)) return false;
  return true;
}

/** A new set with the same elements, in the order in which CPython copies them. */
export function copySet(set: PySet): PySet {
  const copy = new PySet();
  copy.merge(set);
  return copy;
}

/** `d.keys()` and `d.items()` are compared and combined as sets; `d.values()` is not. */
export function viewAsSet({ dict, kind }: PyDictView): PySet | undefined {
  if (kind === 'values') return undefined;
  const set = new PySet();
  countOperations(dict.size);
  for (const [key, value] of dict.entries()) set.add(kind === 'keys' ? key : new PyTuple([key, value]));
  return set;
}

/** The elements of any iterable. */
export function toSet(value: PyValue): PySet {
  if (value instanceof PySet) return value;
  const set = new PySet();
  const next = iterate(value);
  for (let item = next(); item !== undefined; item = next()) set.add(item);
  return set;
}

/** `a & b`. */
export function intersection(a: PySet, b: PySet): PySet {
  const [small, large] = b.size > a.size ? [a, b] : [b, a];
  const result = new PySet();
  countOperations(small.size);
  for (const value of elements(small)) if (large.has(value)) result.add(value);
  return result;
}

/** `a - b`. */
export function difference(a: PySet, b: PySet): PySet {
  countOperations(a.size);
  if (a.size >> 2 > b.size) {
    const copy = copySet(a);
    for (const value of b.unordered()) copy.delete(value);
    return copy;
  }
  const result = new PySet();
  for (const value of elements(a)) if (!b.has(value)) result.add(value);
  return result;
}

/** `a | b`. */
export function union(a: PySet, b: PySet): PySet {
  const result = copySet(a);
  result.merge(b);
  return result;
}

/** `a ^ b`. */
export function symmetricDifference(a: PySet, b: PySet): PySet {
  countOperations(a.size + b.size);
  const result = copySet(b);
  for (const value of elements(a)) if (!result.delete(value)) result.add(value);
  return result;
}

/** In order where it is known: the result of an operation on sets of texts has no known order either. */
function* elements(set: PySet) {
  yield* set.hasOrder ? set.ordered() : set.unordered();
}
