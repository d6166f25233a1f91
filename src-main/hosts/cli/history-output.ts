import { printLine, shortJson } from '#main/hosts/cli/terminal.ts';
import type { Divergence, ValueChange } from '#shared/contract/time-travel.ts';

/** Longest value that is shown on a line. */
const longest = 400;

/** Prints where a run that was computed again came out differently. */
export function printDivergence({ seq, what, message, path, expected, actual }: Divergence, indent = '  '): void {
  printLine(`${indent}step ${seq}  ${what}${path && `  ${path}`}`);
  printLine(`${indent}  ${message}`);
  if (expected !== undefined) printLine(`${indent}  expected  ${shortJson(expected, longest)}`);
  if (actual !== undefined) printLine(`${indent}  came      ${shortJson(actual, longest)}`);
}

/** Prints what differs inside a value: what only the first has, and what only the second has. */
export function printChanges(changes: readonly ValueChange[], indent: string): void {
  for (const { path, before, after } of changes) {
    printLine(`${indent}${path || '/'}`);
    if (before !== undefined) printLine(`${indent}  - ${shortJson(before, longest)}`);
    if (after !== undefined) printLine(`${indent}  + ${shortJson(after, longest)}`);
  }
}
