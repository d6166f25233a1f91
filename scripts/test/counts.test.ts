import { describe, expect, test } from 'vitest';
import {
  add,
  endedByEngine,
  lastLineCounts,
  nothing,
  playwrightCounts,
  single,
  skippedStories,
  summary,
  vitestCounts,
  withExitCode,
} from './counts.ts';

describe('the counts of a test run', () => {
  test('are summed part by part', () => {
    expect(add({ passed: 1, failed: 2, skipped: 3 }, single(true))).toEqual({ passed: 2, failed: 2, skipped: 3 });
  });

  test('name what was skipped only when something was', () => {
    expect(summary({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed');
    expect(summary({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped');
  });

  test('hold a failure for a program that crashed or counted nothing', () => {
    expect(withExitCode({ passed: 4, failed: 0, skipped: 0 }, false)).toEqual({ passed: 4, failed: 1, skipped: 0 });
    expect(withExitCode(nothing, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(withExitCode({ passed: 4, failed: 2, skipped: 0 }, false)).toEqual({ passed: 4, failed: 2, skipped: 0 });
    expect(withExitCode({ passed: 4, failed: 0, skipped: 0 }, true)).toEqual({ passed: 4, failed: 0, skipped: 0 });
  });

  test('of vitest hold a failure for a file that broke before its tests ran', () => {
    const testResults = [
      { name: 'a', status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ];
    const report = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0, testResults };
    expect(vitestCounts(report)).toEqual({ passed: 1, failed: 2, skipped: 1 });
    expect(vitestCounts(report, ['a'])).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  test('name the files whose process V8 ended, unless something else went wrong, too', () => {
    const crash = (file: string) =>
      `Caused by: Error: Worker exited unexpectedly with signal SIGTRAP during started state while running test file ${file}\n`;
    const check = '#\n# Fatal error in , line 0\n# Check failed: jit_page.has_value().\n';
    expect(endedByEngine(`${check}${crash('/a/b.test.ts')}\n     Errors  1 error\n`)).toEqual(['/a/b.test.ts']);
    expect(endedByEngine(`${check}${crash('/a/b.test.ts')}\n     Errors  2 errors\n`)).toEqual([]);
    expect(endedByEngine(`${crash('/a/b.test.ts')}\n     Errors  1 error\n`)).toEqual([]);
  });

  test('of Playwright hold a failure for a flaky test and for an error outside of tests', () => {
    const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{ message: 'no server' }] };
    expect(playwrightCounts(report)).toEqual({ passed: 3, failed: 3, skipped: 2 });
  });

  test('of Playwright name what was skipped, and why', () => {
    const skip = { title: 'two windows', tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'one window' }] }] };
    const report = { suites: [{ suites: [{ specs: [skip, { title: 'one', tests: [{ status: 'expected', annotations: [] }] }] }] }] };
    expect(skippedStories(report)).toEqual(['Skipped: two windows: one window.']);
  });

  test('of a runner are read from its last summary line', () => {
    expect(lastLineCounts('FAIL x: 1 passed, 1 failed\n88 passed, 2 failed\n')).toEqual({ passed: 88, failed: 2, skipped: 0 });
    expect(lastLineCounts('killed')).toBeNull();
  });
});
