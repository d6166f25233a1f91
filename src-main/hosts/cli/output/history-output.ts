import type { Divergence, ValueChange } from '#shared/contract/time-travel.ts';
import { printLine, shortJson } from './terminal.ts';

/** Maximum length of a printed value. */
const longest = 400;

/** Prints where a replay diverged from its recording. */
export function printDivergence({ seq, what, message, path, expected, actual }: Divergence, indent = '  '): void {
  printLine(`${indent}step ${seq}  ${what}${path && `  ${path}`}`);
  printLine(`${indent}  ${message}`);
  if (expected !== undefined) printLine(`${indent}  expected  ${shortJson(expected, longest)}`);
  if (actual !== undefined) printLine(`${indent}  actual    ${shortJson(actual, longest)}`);
}

/** Prints the changes inside a value: old values after `-`, new ones after `+`. */
export function printChanges(changes: readonly ValueChange[], indent: string): void {
  for (const { path, before, after } of changes) {
    printLine(`${indent}${path || '/'}`);
    if (before !== undefined) printLine(`${indent}  - ${shortJson(before, longest)}`);
    if (after !== undefined) printLine(`${indent}  + ${shortJson(after, longest)}`);
  }
}
