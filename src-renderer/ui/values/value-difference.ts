import { diffArrays } from 'diff';
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

/** The number of equal items at both ends of two lists. */
function matchEnds(before: readonly Json[], after: readonly Json[]): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && sameValue(before[head] as Json, after[head] as Json)) head++;
  let tail = 0;
  while (tail < most - head && sameValue(before[before.length - 1 - tail] as Json, after[after.length - 1 - tail] as Json)) tail++;
  return { head, tail };
}

/** Limits of the comparison of two lists, in edits and milliseconds: beyond them all items between their equal ends are shown as replaced. */
const bounds = { maxEditLength: 1000, timeout: 100 };

/** The id of an item; undefined for one without. */
function idOf(item: Json): string | number | undefined {
  const id = isJsonObject(item) ? item.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Equal for items that correspond to each other: those with the same id, else those with the same content in any order of fields. */
function identityOf(item: Json): string {
  const id = idOf(item);
  return id === undefined ? `=${JSON.stringify(item, sorted)}` : `#${JSON.stringify(id)}`;
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Changed stretches of two lists: items that are gone, then those that came in their place, then the ones that both lists have. */
interface Stretch {
  gone: number;
  come: number;
  kept: number;
}

/** The stretches in which two lists differ, in order. */
function stretchesOf(before: readonly Json[], after: readonly Json[]): readonly Stretch[] {
  const changes = diffArrays(before.map(identityOf), after.map(identityOf), bounds);
  if (!changes) return [{ gone: before.length, come: after.length, kept: 0 }];
  const stretches: Stretch[] = [];
  for (const { added, removed, count } of changes) {
    const known = stretches.at(-1);
    const last = known && known.kept === 0 ? known : { gone: 0, come: 0, kept: 0 };
    if (last !== known) stretches.push(last);
    if (removed) last.gone += count;
    else if (added) last.come += count;
    else last.kept += count;
  }
  return stretches;
}

function listParts(before: readonly Json[], after: readonly Json[]): DifferencePart[] {
  const { head, tail } = matchEnds(before, after);
  const part = (key: number, difference: Difference): DifferencePart => ({ key: String(key), ...difference });
  const end = after.length - tail;
  const parts = after.slice(0, head).map((item, index) => part(index, wholeOf('same', item)));
  let [from, to] = [head, head];
  for (const { gone, come, kept } of stretchesOf(before.slice(head, before.length - tail), after.slice(head, end))) {
    const was = before.slice(from, from + gone);
    const now = after.slice(to, to + come);
    if (gone === come && [...was, ...now].every((item) => idOf(item) === undefined)) {
      parts.push(...now.map((item, index) => part(to + index, differenceOf(was[index] as Json, item))));
    } else {
      parts.push(...was.map((item, index) => part(from + index, wholeOf('removed', item))));
      parts.push(...now.map((item, index) => part(to + index, wholeOf('added', item))));
    }
    [from, to] = [from + gone, to + come];
    for (let index = 0; index < kept; index++)
      parts.push(part(to + index, differenceOf(before[from + index] as Json, after[to + index] as Json)));
    [from, to] = [from + kept, to + kept];
  }
  return [...parts, ...after.slice(end).map((item, index) => part(end + index, wholeOf('same', item)))];
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
