import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { slowness } from '#main/testing/slowness.ts';
import { ROOT } from './checks/source-files.ts';
import { runElectron } from './setup/desktop.mjs';

const START = join(ROOT, 'scripts', 'start.mjs');
const SECOND_START_LIMIT_MS = 3000 * slowness;

const notLinux = skipUnless(process.platform === 'linux', 'starts without a display', 'this is not Linux');

let home: string;
let started: ChildProcess | undefined;

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), 'main', 'renderer'], { encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
}, 120_000 * slowness);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pravah-start-'));
});

afterEach(async () => {
  await endStudio();
  rmSync(home, { recursive: true, force: true });
});

async function endStudio(): Promise<void> {
  if (started && started.exitCode === null) {
    const ended = once(started, 'exit');
    started.kill('SIGTERM');
    await ended;
  }
  started = undefined;
}

/** Starts the studio the way `npm start` does, and answers what it says until it names its address. */
async function startStudio(...args: readonly string[]): Promise<{ lines: readonly string[]; url: string }> {
  // Without a display there is no window, and nothing is opened.
  const { DISPLAY, WAYLAND_DISPLAY, ...env } = process.env;
  started = spawn(process.execPath, [START, ...args, '--no-open'], {
    env: { ...env, PRAVAH_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!started.stdout) throw new Error('its output is not piped');
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line);
    const url = /http:\S+/.exec(line)?.[0];
    if (url) return { lines, url };
  }
  throw new Error(`the studio ended before it named its address: ${lines.join('\n')}`);
}

/** Asks for an address like a browser whose user typed it, and answers the status. */
function visit(url: string): Promise<number | undefined> {
  const headers = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

test('the studio is served with the reason why there is no window, within 3 s of a second start', async () => {
  const times: number[] = [];
  // The least of three, since other programs may have the processor.
  while (times.length < 3 && !times.some((time) => time < SECOND_START_LIMIT_MS)) {
    const before = Date.now();
    const { lines, url } = await startStudio(home, '--web');
    expect(await visit(url)).toBeLessThan(400);
    times.push(Date.now() - before);
    expect(lines[0]).toBe('Serving the studio to a browser on this machine: as asked for with --web.');
    await endStudio();
  }
  expect(Math.min(...times)).toBeLessThan(SECOND_START_LIMIT_MS);
});

test('a further link is made on Enter', async () => {
  const { url } = await startStudio(home, '--web');
  if (!started?.stdout) throw new Error('not started');
  const next = once(createInterface({ input: started.stdout }), 'line');
  started.stdin?.write('\n');
  const [line] = await next;
  expect(/http:\S+/.exec(line)?.[0]).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(line).not.toContain(url);
});

test.skipIf(notLinux)('without a display it says so and names the address', async () => {
  const { lines } = await startStudio(home);
  expect(lines[0]).toContain('there is no display');
});

test('a desktop that ends at once gives way with its reason', async () => {
  // Node cannot run the window's code, as an Electron without its libraries cannot.
  expect(await runElectron(process.execPath, ROOT, undefined)).toMatch(/^it ended at once: ./);
});

test.skipIf(notLinux)('where Electron is, it gets the folder, and no browser is served', () => {
  const program = join(home, 'electron');
  writeFileSync(program, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const env = { ...process.env, DISPLAY: ':1', ELECTRON_OVERRIDE_DIST_PATH: home };
  const { status, stdout } = spawnSync(process.execPath, [START, home], { env, encoding: 'utf8' });
  expect(stdout.trim().split(' ').slice(-3)).toEqual([join(ROOT, '/'), '--folder', home]);
  expect(status).toBe(0);
});

test.each([
  [['--nonsense'], 'npm start does not know --nonsense'],
  [['no-such-folder'], 'There is no folder'],
  [[tmpdir(), tmpdir()], 'opens one folder'],
])('the command line %j is refused in one line', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [START, ...args], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(message)]);
});
