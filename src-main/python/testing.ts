import { spawnSync } from 'node:child_process';
import { skipUnless } from '#main/testing/skip-unless.ts';

/** Whether tests of the user's Python must be skipped, for `skipIf`. */
export function withoutPython(tests: string): boolean {
  return skipUnless(spawnSync('python3', ['--version']).status === 0, tests, 'there is no python3');
}
