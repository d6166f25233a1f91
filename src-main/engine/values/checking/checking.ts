import { type Json, jsonPointer } from '#shared/json.ts';
import type { SchemaViolation } from './schema-check.ts';
import type { SchemaResource } from './schema-index.ts';

/** Where a value is in the checked one; null at its root. */
export type Place = { readonly above: Place; readonly key: string | number } | null;

/** What keywords have looked at of an object or a list, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  names: Set<string> | 'all';
  /** Items from the start; infinite for all. */
  items: number;
}

/** A value that is being checked. */
export interface Checking {
  /** What it misses so far, in order. */
  readonly errors: SchemaViolation[];
  /** The resources that were entered, outermost first: `$dynamicRef` depends on them. */
  readonly entered: SchemaResource[];
  /** Whether to go on after the first error. */
  readonly findsAll: boolean;
}

/** Whether a value fits a schema or one of its keywords. Adds to the errors if it does not. */
export type Check = (value: Json, at: Place, checking: Checking, seen: Seen) => boolean;

/** Whether all checks hold: up to the first that does not, unless all errors are wanted. */
export function holdAll(checks: readonly Check[], value: Json, at: Place, checking: Checking, seen: Seen): boolean {
  let holds = true;
  for (const check of checks) {
    if (check(value, at, checking, seen)) continue;
    holds = false;
    if (!checking.findsAll) return false;
  }
  return holds;
}

export const nothingSeen = (): Seen => ({ names: new Set(), items: 0 });

/** Adds what a subschema has looked at in the same value. */
export function addSeen(seen: Seen, more: Seen): void {
  if (more.names === 'all') seen.names = 'all';
  else if (seen.names !== 'all') for (const name of more.names) seen.names.add(name);
  seen.items = Math.max(seen.items, more.items);
}

/** The JSON Pointer of a place, or of a field in it. */
export function pointerTo(at: Place, field?: string): string {
  const segments: (string | number)[] = field === undefined ? [] : [field];
  for (let place = at; place; place = place.above) segments.unshift(place.key);
  return jsonPointer(segments);
}

/** Adds an error about the value, and returns false. `message` continues a sentence that begins with the value's path. */
export function miss({ errors }: Checking, at: Place, keyword: string, message: string): false {
  const path = pointerTo(at);
  errors.push({ path, keyword, message: `${path || 'the value'} ${message}` });
  return false;
}

/** Adds an error about a field of the value, and returns false. */
export function missField({ errors }: Checking, at: Place, field: string, keyword: string, message: string): false {
  const path = pointerTo(at, field);
  errors.push({ path, keyword, message: `${path} ${message}` });
  return false;
}
