import { stripVTControlCharacters } from 'node:util';

/** What a part of the tests counted. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

/** The sum, part by part. */
export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** `3 passed, 0 failed`, and `, 1 skipped` when any was. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** One check that passed or failed as a whole. */
export const single = (ok: boolean): Counts => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** A program that failed without counting a failure is a failure too: it crashed, or counted nothing. */
export function withExitCode(counts: Counts, ok: boolean): Counts {
  const counted = counts.failed > 0 || (ok && counts.passed + counts.skipped > 0);
  return counted ? counts : add(counts, single(false));
}

/** Reads vitest's JSON report. A file that failed before its tests ran counts once, unless it is left out. */
export function vitestCounts(report: unknown, leftOut: readonly string[] = []): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
    testResults: readonly { name: string; status: string; assertionResults: readonly { status: string }[] }[];
  };
  const brokenFiles = testResults.filter(
    ({ name, status, assertionResults }) =>
      status === 'failed' && !leftOut.includes(name) && !assertionResults.some((result) => result.status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length, skipped: numPendingTests + numTodoTests };
}

/**
 * The test files whose process V8 itself ended, by what vitest printed, if nothing else went wrong outside of tests. Threads that compile and drop
 * WebAssembly at the same time can make V8 fail a check of its own (https://github.com/nodejs/node/issues/64500).
 */
export function endedByEngine(printed: string): string[] {
  const plain = stripVTControlCharacters(printed);
  if (!/^# Check failed: .*jit_page/m.test(plain)) return [];
  const files = [...plain.matchAll(/Worker exited unexpectedly with signal SIG(?:TRAP|SEGV)[^\n]* running test file (\S+)/g)];
  const [, errors] = /^\s*Errors\s+(\d+) errors?$/m.exec(plain) ?? [];
  const named = [...new Set(files.map(([, file = '']) => file))];
  return named.length === Number(errors) ? named : [];
}

/** Reads Playwright's JSON report. A test that passed at the second try has failed; so has what went wrong outside of tests. */
export function playwrightCounts(report: unknown): Counts {
  const { stats, errors } = report as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    errors: readonly unknown[];
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

/** Reads the last line `N passed, N failed` of a runner's output; null when there is none. */
export function lastLineCounts(output: string): Counts | null {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const last = lines.at(-1);
  return last ? { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) } : null;
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string; readonly annotations: readonly { type: string; description?: string }[] }[];
  }[];
}

/** Which tests a report of Playwright's calls skipped, each in one line with its reason. */
export function skippedStories(report: unknown): string[] {
  const { suites = [], specs = [] } = report as PlaywrightSuite;
  const here = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(
        ({ annotations }) => `Skipped: ${title}: ${annotations.find(({ type }) => type === 'skip')?.description ?? 'without a reason'}.`,
      ),
  );
  return [...here, ...suites.flatMap(skippedStories)];
}
