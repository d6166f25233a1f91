import type { PyDict } from './dict.ts';
import { hasElement, isSetLike, sizeOf } from './equality.ts';
import { iterate } from './iterate.ts';
import { PySet } from './set.ts';
import { intersection, toSet } from './set-operations.ts';
import { PyDictView, PyTuple, type PyValue } from './values.ts';

// Values of a dict need not be hashable: only what enters the result is hashed.

/** `view & other`. */
export function viewIntersection(view: PyDictView, other: PyValue): PySet {
  if (other instanceof PySet && other.size >= sizeOf(view)) return intersection(toSet(view), other);
  if (other instanceof PyDictView && isSetLike(other) && sizeOf(other) > sizeOf(view)) return filtered(view, other);
  return filtered(other, view);
}

function filtered(values: PyValue, view: PyDictView): PySet {
  const result = new PySet();
  const next = iterate(values);
  for (let value = next(); value !== undefined; value = next()) if (hasElement(view, value)) result.add(value);
  result.forgetOrder();
  return result;
}

/** `a.items() ^ b.items()`. */
export function differingItems(a: PyDict, b: PyDict): PySet {
  const [left, right] = [new PyDictView(a, 'items'), new PyDictView(b, 'items')];
  const result = new PySet();
  for (const [entries, other] of [
    [a.entries(), right],
    [b.entries(), left],
  ] as const) {
    for (const entry of entries) {
      const item = new PyTuple(entry);
      if (!hasElement(other, item)) result.add(item);
    }
  }
  result.forgetOrder();
  return result;
}
