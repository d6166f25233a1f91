import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { writeLinkFile } from './link-file.ts';
import { openInBrowser } from './open-in-browser.ts';

const secret = 'the-token-that-opens-the-studio';
const address = `http://127.0.0.1:1/?link=${secret}`;

async function profileOfTest() {
  const profile = await temporaryProfile();
  onTestFinished(() => profile[Symbol.asyncDispose]());
  return profile;
}

test('the file is readable by its owner only, and goes when it was used or its time is up', async () => {
  const { home } = await profileOfTest();
  const link = await writeLinkFile(address, 60_000);
  const path = fileURLToPath(link.url);
  expect(readFileSync(path, 'utf8')).toContain(`content="0;url=${address}"`);
  if (process.platform !== 'win32') {
    expect([path, join(home, 'links'), home].map((at) => (statSync(at).mode & 0o777).toString(8))).toEqual(['600', '700', '700']);
  }
  link.remove();
  link.remove();
  await writeLinkFile(address, 1);
  await vi.waitFor(() => expect(readdirSync(join(home, 'links'))).toEqual([]), 20_000);
});

test('files that ended processes left go with the next one', async () => {
  const { home } = await profileOfTest();
  const left = fileURLToPath((await writeLinkFile(address, 60_000)).url);
  utimesSync(left, 1, 1);
  const link = await writeLinkFile(address, 60_000);
  expect(readdirSync(join(home, 'links'))).toEqual([link.url.split('/').at(-1)]);
  link.remove();
});

const noStranger = skipUnless(
  process.platform === 'linux' && process.getuid?.() === 0,
  'what another user sees of the link',
  'becoming another user needs root on Linux',
);
test.skipIf(noStranger)('another user of the machine reads the link neither in the list of processes nor in the file', async () => {
  const { root, home } = await profileOfTest();
  // Other users may come as far as the profile.
  chmodSync(root, 0o755);
  const started = join(root, 'started');
  const browser = join(root, 'xdg-open');
  writeFileSync(browser, `#!/bin/sh\necho "$$ $1" > ${started}\nexec sleep 60\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${root}${delimiter}${process.env.PATH}`);
  vi.stubEnv('WSL_DISTRO_NAME', '');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const link = await writeLinkFile(address, 60_000);
  openInBrowser(link.url);
  const [pid, opened] = await vi.waitFor(() => readFileSync(started, 'utf8').trim().split(' '), 20_000);
  onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'));
  expect(opened).toBe(link.url);
  // A program with the secret in its arguments, to see that the stranger would find it.
  const control = spawn('sleep', ['60'], { argv0: secret, stdio: 'ignore' });
  onTestFinished(() => void control.kill('SIGKILL'));

  const stranger = `
    const { readdirSync, readFileSync } = require('node:fs');
    process.setgroups([]); process.setgid(65534); process.setuid(65534);
    const attempt = (action) => { try { return action(); } catch (error) { return error.code; } };
    const commands = readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
      .map((pid) => [pid, attempt(() => readFileSync('/proc/' + pid + '/cmdline', 'utf8'))])
      .filter(([pid, line]) => pid !== String(process.pid) && line.includes(process.argv[1])).map(([pid]) => Number(pid));
    console.log(JSON.stringify({ commands, file: attempt(() => readFileSync(process.argv[2], 'utf8')), folder: attempt(() => readdirSync(process.argv[3])) }));`;
  const seen = spawnSync(process.execPath, ['-e', stranger, secret, fileURLToPath(link.url), join(home, 'links')], { encoding: 'utf8' });
  expect(JSON.parse(seen.stdout)).toEqual({ commands: [control.pid], file: 'EACCES', folder: 'EACCES' });
  link.remove();
});
