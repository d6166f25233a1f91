import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

test.skipIf(process.platform !== 'linux')('npm start opens the browser by a file, without the token in its arguments', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pravah-start-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'out/web'), { recursive: true });
  const line = { url: 'http://127.0.0.1:1/?token=secret', port: 1, file_url: 'file:///profile/link.html' };
  writeFileSync(join(root, 'out/web/main.js'), `console.log('${JSON.stringify(line)}'); setInterval(() => {}, 1000);`);
  const started = join(root, 'started');
  writeFileSync(join(root, 'chromium'), `#!/bin/sh\necho "$@" > ${started}.part && mv ${started}.part ${started}\n`, { mode: 0o755 });
  const options = { root, node24: process.execPath, open: true, notice: '' };
  const script = `import { runWebHost } from ${JSON.stringify(join(import.meta.dirname, 'web.mjs'))}; runWebHost(${JSON.stringify(options)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, PATH: `${root}${delimiter}${process.env.PATH}`, DISPLAY: ':0' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  await vi.waitFor(() => expect(existsSync(started)).toBe(true), 20_000);
  expect(readFileSync(started, 'utf8')).toMatch(/^--app=file:\/\/\/profile\/link\.html( --no-sandbox)?\n$/);
});
