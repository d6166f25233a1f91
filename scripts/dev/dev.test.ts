import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { ROOT } from '#scripts/checks/source-files.ts';
import { httpPort } from '#shared/contract/http-port.ts';

let home: string;
let server: ChildProcess | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pravah-dev-'));
});

afterEach(async () => {
  if (server && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
});

test(
  'the development server gives a page a token that the host behind it accepts',
  async () => {
    server = spawn(
      process.execPath,
      [join(ROOT, 'scripts', 'dev', 'dev-server.ts'), join(ROOT, 'resources', 'examples', 'release-notes')],
      {
        env: { ...process.env, PRAVAH_HOME: home, NO_COLOR: '1', FORCE_COLOR: '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const url = await addressOf(server);
    const html = await (await fetch(url)).text();
    expect(html).toContain('/@vite/client');
    const token = new RegExp(`name="${httpPort.tokenMeta}" content="([^"]+)"`).exec(html)?.[1] ?? '';

    const call = (headers: Record<string, string>) =>
      fetch(new URL(httpPort.tokenPath, url), { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers } });
    expect(await (await call({ [httpPort.tokenHeader]: token })).json()).toEqual({ page_token: expect.any(String) });
    expect((await call({ [httpPort.tokenHeader]: 'guessed' })).status).toBe(401);
  },
  180_000 * slowness,
);

function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    // Read to the end: the server fails when it prints to a pipe that was closed.
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`The development server ended before it printed its address: ${output}`)));
  });
}
