/**
 * Returns `next` with every part that equals the same part of `previous` replaced by that object, so that unchanged
 * parts keep their identity and are not rendered again. Both are plain JSON. Copies only the path to the changed parts:
 * after an edit of a large flow, nearly everything is shared.
 */
export function shareStructure<Value>(previous: unknown, next: Value): Value {
  if (Object.is(previous, next)) return next;
  if (Array.isArray(next)) return (Array.isArray(previous) ? sharedList(previous, next) : next) as Value;
  return isPlainObject(next) && isPlainObject(previous) ? (sharedObject(previous, next) as Value) : next;
}

function sharedList(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  let same = previous.length === next.length;
  let copy: unknown[] | null = null;
  for (let index = 0; index < next.length; index++) {
    const result = shareStructure(previous[index], next[index]);
    if (result !== previous[index]) same = false;
    if (result === next[index]) continue;
    copy ??= [...next];
    copy[index] = result;
  }
  return same ? previous : (copy ?? next);
}

function sharedObject(previous: Readonly<Record<string, unknown>>, next: Readonly<Record<string, unknown>>): object {
  const keys = Object.keys(next);
  let same = keys.length === Object.keys(previous).length;
  let copy: Record<string, unknown> | null = null;
  for (const key of keys) {
    const known = Object.hasOwn(previous, key);
    const result = known ? shareStructure(previous[key], next[key]) : next[key];
    if (!known || result !== previous[key]) same = false;
    if (result === next[key]) continue;
    copy ??= { ...next };
    // A field may be called `__proto__`, which an assignment would take for something else.
    Object.defineProperty(copy, key, { value: result, enumerable: true, writable: true, configurable: true });
  }
  return same ? previous : (copy ?? next);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
