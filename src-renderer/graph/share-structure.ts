/**
 * Returns `next` with every part that equals the same part of `previous` replaced by that very object, so that what
 * did not change keeps its identity and is not drawn again. Both are plain JSON.
 */
export function shareStructure<Value>(previous: unknown, next: Value): Value {
  if (Object.is(previous, next)) return next;
  if (Array.isArray(previous) && Array.isArray(next)) {
    let same = previous.length === next.length;
    const shared = next.map((item, index) => {
      const result = shareStructure(previous[index], item);
      if (result !== previous[index]) same = false;
      return result;
    });
    return (same ? previous : shared) as Value;
  }
  if (!isPlainObject(previous) || !isPlainObject(next)) return next;
  const keys = Object.keys(next);
  let same = keys.length === Object.keys(previous).length;
  const shared: Record<string, unknown> = {};
  for (const key of keys) {
    const result = shareStructure(previous[key], next[key]);
    if (!Object.hasOwn(previous, key) || result !== previous[key]) same = false;
    Object.defineProperty(shared, key, { value: result, enumerable: true, writable: true, configurable: true });
  }
  return (same ? previous : shared) as Value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
