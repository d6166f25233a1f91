import { isJsonObject, type Json } from '#shared/json.ts';

/** A value compared with an earlier one, part by part. Parts of a same or changed whole are compared only when `parts` is called. */
export interface Difference {
  readonly kind: 'same' | 'added' | 'removed' | 'changed';
  /** The current value; for a removed part, the previous one. */
  readonly value: Json;
  /** What a changed scalar, or a value of another type, was before. */
  readonly before?: Json;
  parts(): readonly DifferencePart[];
}

export interface DifferencePart extends Difference {
  /** Field name, or position in a list. */
  readonly key: string;
}

/** True for values with the same content, in any order of fields. */
export function sameValue(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameValue(item, b[index] as Json));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key] as Json, b[key] as Json));
}

type Entries = readonly (readonly [string, Json])[];

function entriesOf(value: Json): Entries {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** A value all of whose parts are of one kind. */
export function wholeOf(kind: Difference['kind'], value: Json): Difference {
  return { kind, value, parts: () => entriesOf(value).map(([key, part]) => ({ key, ...wholeOf(kind, part) })) };
}

/** The item of the earlier list that each item of the later one corresponds to: the longest common run from both ends. */
function matchItems(before: readonly Json[], after: readonly Json[]): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && sameValue(before[head] as Json, after[head] as Json)) head++;
  let tail = 0;
  while (tail < most - head && sameValue(before[before.length - 1 - tail] as Json, after[after.length - 1 - tail] as Json)) tail++;
  return { head, tail };
}

function listParts(before: readonly Json[], after: readonly Json[]): DifferencePart[] {
  const { head, tail } = matchItems(before, after);
  const part = (key: number, difference: Difference): DifferencePart => ({ key: String(key), ...difference });
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const end = after.length - tail;
  const changed =
    gone.length === come.length
      ? come.map((item, index) => part(head + index, differenceOf(gone[index] as Json, item)))
      : [
          ...gone.map((item, index) => part(head + index, wholeOf('removed', item))),
          ...come.map((item, index) => part(head + index, wholeOf('added', item))),
        ];
  return [
    ...after.slice(0, head).map((item, index) => part(index, wholeOf('same', item))),
    ...changed,
    ...after.slice(end).map((item, index) => part(end + index, wholeOf('same', item))),
  ];
}

function fieldParts(before: { readonly [key: string]: Json }, after: { readonly [key: string]: Json }): DifferencePart[] {
  const now = Object.entries(after).map(([key, value]): DifferencePart => {
    const known = Object.hasOwn(before, key);
    return { key, ...(known ? differenceOf(before[key] as Json, value) : wholeOf('added', value)) };
  });
  const gone = Object.entries(before).filter(([key]) => !Object.hasOwn(after, key));
  return [...now, ...gone.map(([key, value]): DifferencePart => ({ key, ...wholeOf('removed', value) }))];
}

/** Compares a value with what it was before. */
export function differenceOf(before: Json, after: Json): Difference {
  if (sameValue(before, after)) return wholeOf('same', after);
  if (Array.isArray(before) && Array.isArray(after)) return { kind: 'changed', value: after, parts: () => listParts(before, after) };
  if (isJsonObject(before) && isJsonObject(after)) return { kind: 'changed', value: after, parts: () => fieldParts(before, after) };
  return {
    kind: 'changed',
    value: after,
    before,
    parts: () => entriesOf(after).map(([key, part]) => ({ key, ...wholeOf('added', part) })),
  };
}
