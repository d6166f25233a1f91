import type { ValueChange } from '#shared/contract/time-travel.ts';
import { isJsonObject, type Json, jsonPointer } from './json.ts';

type Path = readonly (string | number)[];

/** The first differences between two values, at most `limit`, in the order of the first value. `undefined` means that the value is missing. */
export function valueChanges(before: Json | undefined, after: Json | undefined, limit = 100): ValueChange[] {
  const changes: ValueChange[] = [];
  collect(before, after, [], changes, limit);
  return changes;
}

/** Whether two values are the same, whatever the order of their objects' keys. */
export function sameValue(before: Json | undefined, after: Json | undefined): boolean {
  return valueChanges(before, after, 1).length === 0;
}

function collect(before: Json | undefined, after: Json | undefined, path: Path, changes: ValueChange[], limit: number): void {
  if (before === after || changes.length >= limit) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length) && changes.length < limit; index += 1) {
      collect(before[index] as Json | undefined, after[index] as Json | undefined, [...path, index], changes, limit);
    }
    return;
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of Object.keys({ ...before, ...after })) {
      const [one, other] = [Object.hasOwn(before, key) ? before[key] : undefined, Object.hasOwn(after, key) ? after[key] : undefined];
      collect(one, other, [...path, key], changes, limit);
    }
    return;
  }
  changes.push({
    path: jsonPointer(path),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  });
}
