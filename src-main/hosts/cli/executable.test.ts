import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { version } from '#main/version.ts';

const executable = fileURLToPath(new URL('../../../bin/pravah', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pravah-bin-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (path: string, words: readonly string[]) =>
  spawnSync(path, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, PRAVAH_HOME: join(folder, 'home') } });

test('the executable works from any folder, and through a link', () => {
  const link = join(folder, 'linked');
  symlinkSync(executable, link);
  for (const path of [executable, link]) expect(call(path, ['version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('the executable passes the exit code on', () => {
  expect(call(executable, ['validate', 'none.flow.json', '--json']).status).toBe(2);
  expect(call(executable, ['continue', 'no-such-run', '--json']).status).toBe(1);
});

const places = ['/usr/bin/node', '/usr/local/bin/node'];
const older = places.find((path) => Number(spawnSync(path, ['--version']).stdout?.toString().slice(1, 3)) < 24);
const cannotStart = skipUnless(older !== undefined, 'the executable under an older Node', 'no such Node is installed');

test.skipIf(cannotStart)('a Node too old for the sources finds one that is not', () => {
  const answer = spawnSync(older as string, [executable, 'version'], { cwd: folder, encoding: 'utf8' });
  expect([answer.status, answer.stdout]).toEqual([0, `${version}\n`]);
});
