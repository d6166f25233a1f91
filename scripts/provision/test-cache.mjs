// The folder outside the checkout where programs and models for tests are cached.
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder. `PRAVAH_TEST_CACHE` overrides it. */
export function testCache() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return process.env.PRAVAH_TEST_CACHE || join(cache, 'pravah-studio-test');
}

/**
 * Runs a program to its end. Throws an error of one line when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {{ minutes?: number, env?: NodeJS.ProcessEnv }} [options]
 */
export function runToEnd(command, args, cwd, { minutes = 10, env } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: minutes * 60_000,
    maxBuffer: 64 * 1024 * 1024,
    ...(env && { env }),
  });
  if (result.status === 0) return;
  const detail = result.stderr?.trim().split('\n').at(-1) || result.error?.message || `exit code ${result.status}`;
  throw new Error(`${command} ${args[0]} … failed: ${detail}`);
}
