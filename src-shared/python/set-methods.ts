import { isWithin } from './equality.ts';
import { PythonError, typeError, unsupported } from './errors.ts';
import { MethodTableBuilder } from './method.ts';
import { pyRepr } from './repr.ts';
import { PySet } from './set.ts';
import { addAll, difference, intersection, symmetricDifference, toSet } from './set-operations.ts';
import type { PyKeywords, PyValue } from './values.ts';

/** A set is looked up as the frozenset of its elements, which no set here can hold. */
const remove = (set: PySet, value: PyValue) => !(value instanceof PySet) && set.delete(value);

/** Methods of `set`. */
export const setMethods = new MethodTableBuilder<PySet>('set')
  .one('add', (set, value) => {
    set.add(value);
    return null;
  })
  .none('clear', (set) => {
    set.clear();
    return null;
  })
  .none('copy', (set) => set.copy())
  .one('discard', (set, value) => {
    remove(set, value);
    return null;
  })
  .one('remove', (set, value) => {
    if (!remove(set, value)) throw new PythonError('KeyError', pyRepr(value));
    return null;
  })
  .none('pop', (set) => {
    if (set.size === 0) throw new PythonError('KeyError', "'pop from an empty set'");
    if (set.size > 1) throw unsupported('the order of a set');
    const [only] = set.unordered();
    set.clear();
    return only as PyValue;
  })
  .one('isdisjoint', (set, other) => [...toSet(other).unordered()].every((value) => !set.has(value)))
  .one('issubset', (set, other) => isWithin(set, toSet(other)))
  .one('issuperset', (set, other) => isWithin(toSet(other), set))
  .one('symmetric_difference', (set, other) => symmetricDifference(toSet(other), set))
  .one('symmetric_difference_update', (set, other) => replace(set, symmetricDifference(toSet(other), set)))
  .raw('union', (set, args, keywords) => addEach(set.copy(), 'union', args, keywords))
  .raw('update', (set, args, keywords) => {
    addEach(set, 'update', args, keywords);
    return null;
  })
  .raw('intersection', (set, args, keywords) => combine(set, 'intersection', args, keywords, intersection))
  .raw('difference', (set, args, keywords) => combine(set, 'difference', args, keywords, difference))
  .raw('intersection_update', (set, args, keywords) => replace(set, combine(set, 'intersection_update', args, keywords, intersection)))
  .raw('difference_update', (set, args, keywords) => {
    refuseKeywords('difference_update', keywords);
    for (const other of args) for (const value of toSet(other).unordered()) set.delete(value);
    return null;
  })
  .build();

function refuseKeywords(name: string, keywords: PyKeywords | undefined): void {
  if (keywords && keywords.size > 0) throw typeError(`set.${name}() takes no keyword arguments`);
}

function addEach(set: PySet, name: string, args: readonly PyValue[], keywords: PyKeywords | undefined): PySet {
  refuseKeywords(name, keywords);
  for (const other of args) addAll(set, toSet(other));
  return set;
}

type Combine = (a: PySet, b: PySet) => PySet;

function combine(set: PySet, name: string, args: readonly PyValue[], keywords: PyKeywords | undefined, operation: Combine): PySet {
  refuseKeywords(name, keywords);
  if (args.length === 0) return set.copy();
  return args.reduce<PySet>((result, other) => operation(result, toSet(other)), set);
}

function replace(set: PySet, result: PySet): null {
  const values = [...result.unordered()];
  set.clear();
  for (const value of values) set.add(value);
  set.forgetOrder();
  return null;
}
