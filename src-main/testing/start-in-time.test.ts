import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { slownessOf } from './slowness.ts';
import { StartTimeout, startInTime } from './start-in-time.ts';

const hanging = () => new Promise<never>(() => undefined);

describe('the start of a program', () => {
  let folder: string;
  const notes = () => readFileSync(join(folder, 'notes'), 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pravah-start-in-time-'));
    vi.stubEnv('PRAVAH_TEST_NOTES', join(folder, 'notes'));
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is retried once when it hangs, and reported', async () => {
    const signals: AbortSignal[] = [];
    const started = await startInTime(
      'the studio',
      (signal) => {
        signals.push(signal);
        return signals.length === 1 ? hanging() : Promise.resolve('started');
      },
      20,
    );
    expect(started).toBe('started');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(notes()).toBe('Retried: the studio did not start within 0.02 s.\n');
  });

  test('fails after the second time', async () => {
    const start = vi.fn(hanging);
    await expect(startInTime('the studio', start, 20)).rejects.toThrow(StartTimeout);
    expect(start).toHaveBeenCalledTimes(2);
  });

  test('is not retried when it fails', async () => {
    const start = vi.fn(() => Promise.reject(new Error('no display')));
    await expect(startInTime('the studio', start, 60_000)).rejects.toThrow('no display');
    expect(start).toHaveBeenCalledTimes(1);
    expect(notes).toThrow('ENOENT');
  });
});

test('a machine with fewer than four cores may be slower', () => {
  expect([2, 4, 16].map(slownessOf)).toEqual([2, 1, 1]);
});
