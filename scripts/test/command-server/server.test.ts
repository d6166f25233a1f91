import { type SpawnSyncReturns, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { type CommandServer, startCommandServer } from './server.ts';

const flow = (run: string) =>
  JSON.stringify({
    pravah: 1,
    name: 'Sample',
    input: 'A',
    output: 'B',
    schemas: { A: {}, B: {} },
    limits: { seconds: 600 },
    nodes: [{ kind: 'work', from: 'A', to: 'B', run }],
  });

let server: CommandServer;
const folder = temporaryFolder({ 'sample.flow.json': flow('(n) => n + 1'), 'endless.flow.json': flow('() => { for (;;); }') });

beforeAll(async () => {
  server = await startCommandServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function start(...words: string[]) {
  const [command = '', ...args] = server.command;
  const env = { ...process.env, ...server.env };
  return spawn(command, [...args, ...words], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function pravah(...words: string[]): Promise<Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>> {
  const child = start(...words);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
}

describe('a command run by the command server', () => {
  test('prints and ends as in a process of its own, in the folder of its caller', async () => {
    const { status, stdout, stderr } = await pravah('run', 'sample.flow.json', '--input', '2', '--json');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'end_stream', output: 3 });
    expect(await pravah('run')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining("missing required argument 'flow'"),
    });
    expect((await pravah('validate', 'sample.flow.json', '--json')).stdout).toContain('"valid":true');
  });

  test('runs commands in parallel, each in its own process', async () => {
    const answers = await Promise.all([1, 2, 3].map((n) => pravah('run', 'sample.flow.json', '--input', String(n), '--json')));
    expect(answers.map(({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '').output)).toEqual([2, 3, 4]);
  });

  test('is ended when its caller is killed, and others are answered', async () => {
    const before = server.processes;
    const callers = Array.from({ length: before + 1 }, () => start('run', 'endless.flow.json', '--input', '1', '--json'));
    await expect.poll(() => server.processes).toBe(before + 1);
    for (const caller of callers) caller.kill('SIGKILL');
    await expect.poll(() => server.processes).toBe(0);
    expect((await pravah('version')).status).toBe(0);
  });
});
