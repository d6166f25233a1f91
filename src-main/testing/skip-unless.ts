import { note } from './note.ts';

/** Returns whether tests must be skipped, for `skipIf`. If so, notes what is skipped and why in one line. */
export function skipUnless(possible: boolean, tests: string, reason: string): boolean {
  if (!possible) note(`Skipped: ${tests}: ${reason}.`);
  return !possible;
}
