import type { Ajv2020 } from 'ajv/dist/2020.js';
import { canonicalJson, type Json } from '#shared/json.ts';

/** Milliseconds that checking one value may take: as long as a body may compute. */
const longest = 5000;
/** The clock is read once per this number of checked values. */
const pieces = 256;

/** Thrown out of a check that takes too long. */
export class CheckingTooLong extends Error {}

/** Of the validation in progress; `withinDeadline` restores the one around it. */
let deadline = Number.POSITIVE_INFINITY;
let left = pieces;

/** Called for each validated value. Throws `CheckingTooLong` once the time of `withinDeadline` is over. */
export function spend(): void {
  left -= 1;
  if (left > 0) return;
  left = pieces;
  if (performance.now() > deadline) throw new CheckingTooLong('checking takes too long');
}

/** Runs one check under the limit. */
export function withinDeadline<T>(check: () => T): T {
  const before = deadline;
  deadline = Math.min(before, performance.now() + longest);
  try {
    return check();
  } finally {
    deadline = before;
  }
}

/**
 * Settings with which ajv's code looks at the clock at each schema that it enters: schemas that refer to each other can ask for a number of
 * checks that doubles with every level, and nothing outside can stop such a check.
 */
export const timedCode = { process: (code: string): string => code.replace('={}){', '={}){self.spend();') };

/** Gives an ajv what `timedCode` calls, and a `uniqueItems` that does not compare each item with each other. */
export function timed(ajv: Ajv2020): Ajv2020 {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly Json[]) => !unique || areUnique(items),
    error: { message: 'must not hold the same item twice' },
  });
  return Object.assign(ajv, { spend });
}

function areUnique(items: readonly Json[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    spend();
    seen.add(canonicalJson(item));
  }
  return seen.size === items.length;
}
