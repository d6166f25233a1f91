import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { addFlow } from '#main/hosts/server/testing/test-server.ts';
import { startInTime } from '#main/testing/start-in-time.ts';
import { ROOT } from '#scripts/checks/source-files.ts';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { documentedBlocks } from './code-blocks.ts';

test.skipIf(process.platform === 'win32')('the commands of the server’s guide start it, make a token and run a flow', async () => {
  const [serve = '', token = '', call = ''] = documentedBlocks()
    .filter(({ file, language }) => file === 'docs/server.md' && language === 'sh')
    .map(({ text }) => text);
  using folder = temporaryFolder({});
  writeFileSync(join(folder.path, 'add.flow.yaml'), addFlow);
  const env = { ...process.env, PRAVAH_HOME: join(folder.path, 'home') };
  const program = `"${process.execPath}" "${join(ROOT, 'bin/pravah')}"`;
  const script = (text: string, port = '0') =>
    text
      .trim()
      .replace(/^pravah/, `exec ${program}`)
      .replace('8080', port);
  await using server = await startInTime('pravah serve', async (signal) => {
    const child = spawn('bash', ['-c', script(serve)], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'ignore'], signal });
    child.on('error', () => undefined);
    const line = await firstLine(child);
    return { port: /:(\d+) /.exec(line)?.[1] ?? '', [Symbol.asyncDispose]: () => ended(child) };
  });
  const made = spawnSync('bash', ['-c', script(token)], { cwd: folder.path, env, encoding: 'utf8' });
  const TOKEN = made.stdout.trim();
  expect(TOKEN).toMatch(/^pvh_/);
  const { stdout } = spawnSync('bash', ['-c', script(call, server.port)], { cwd: folder.path, env: { ...env, TOKEN }, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', output: { n: 2 } });
});

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((done) => createInterface({ input: stdout as NodeJS.ReadableStream }).once('line', done));
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
}
