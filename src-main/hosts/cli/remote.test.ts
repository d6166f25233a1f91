import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { addFlow, askFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';

describe('commands on a server', () => {
  let space: CommandFolder;
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await TestServer.start({});
    ({ token } = await server.caller('read', 'run', 'manage'));
    space = new CommandFolder();
    space.write('pravah.json', '{}');
    space.write('add.flow.yaml', addFlow);
    space.write('ask.flow.yaml', askFlow);
    const added = await space.startWith(`${token}\n`, 'server', 'add', 'test', server.running.url).answer;
    expect(added).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await space.remove();
    await server[Symbol.asyncDispose]();
  });

  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('use the server that was added', async () => {
    expect(readFileSync(join(space.root, 'home', 'keys.json'), 'utf8')).not.toContain(token.split('_')[2]);
    expect(await space.run('runs', '--on', 'other')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pravah server add other URL'),
    });
  });

  it('say that the server does not answer', async () => {
    const other = await TestServer.start({});
    const { token: gone } = await other.caller('read');
    expect((await space.startWith(gone, 'server', 'add', 'gone', other.running.url).answer).code).toBe(0);
    await other[Symbol.asyncDispose]();
    expect(await space.run('runs', '--on', 'gone')).toMatchObject({ code: 1, stderr: expect.stringContaining("can't be reached") });
  });

  it('deploy flows and run them there', async () => {
    const trial = await space.run('deploy', 'add.flow.yaml', '--on', 'test', '--dry-run');
    expect(trial).toMatchObject({ code: 0, stdout: 'add can be deployed.\n' });
    expect(await space.run('run', 'add.flow.yaml', '--on', 'test')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Deploy it first: pravah deploy add.flow.yaml --on test'),
    });
    const deployed = await space.run('deploy', 'add.flow.yaml', 'ask.flow.yaml', '--on', 'test', '--json');
    expect(lines(deployed.stdout)).toMatchObject([
      { name: 'add', version: 1 },
      { name: 'ask', version: 1 },
    ]);
    const ran = await space.run('run', 'add', '--input', '{"n":4}', '--on', 'test', '--json');
    expect(ran.code).toBe(0);
    expect(lines(ran.stdout).at(-1)).toMatchObject({ type: 'end_stream', status: 'success', output: { n: 5 } });
    expect((await space.run('run', 'add', '--input', '{"n":4}', '--on', 'test')).stdout).toContain('done');
    expect(await space.run('run', 'add', '--input', '{}', '--on', 'test')).toMatchObject({ code: 1 });
    expect(await space.run('run', 'add', '--on', 'test', '--trust')).toMatchObject({ code: 2, stderr: expect.stringContaining('--trust') });
    expect(await space.run('deploy', 'missing.flow.yaml', '--on', 'test')).toMatchObject({ code: 2 });
    expect(await space.run('deploy', 'add.flow.yaml', 'ask.flow.yaml', '--on', 'test', '--as', 'x')).toMatchObject({ code: 2 });
  });

  it('step, show, answer and cancel runs', async () => {
    await space.run('deploy', 'ask.flow.yaml', '--on', 'test', '--as', 'question');
    const begun = await space.run('run', 'question', '--input', '{"n":1}', '--max-steps', '1', '--on', 'test', '--json');
    expect(begun.code).toBe(4);
    const runId = String(lines(begun.stdout)[0]?.run_id);
    expect(lines((await space.run('show', runId, '--step', '1', '--on', 'test', '--json')).stdout)).toMatchObject([
      { states: [{ name: 'Checked', value: { n: 2 } }] },
    ]);
    const stepped = await space.run('step', runId, '--on', 'test');
    expect(stepped).toMatchObject({ code: 3, stderr: expect.stringContaining(`--payload JSON --on test`) });
    const [shown] = lines((await space.run('show', runId, '--on', 'test', '--json')).stdout);
    expect(shown).toMatchObject({ status: 'suspended', flow: 'question@1', timeline: [{ seq: 1 }, { seq: 2 }] });
    expect((await space.run('show', runId, '--on', 'test')).stdout).toContain('waiting for');
    const [suspension] = (shown?.suspensions ?? []) as { tool_id: string }[];
    const answer = ['--payload', '{"ok":true}', '--on', 'test'];
    expect(await space.run('resume', runId, '--tool-id', 'other', ...answer)).toMatchObject({ code: 1 });
    expect((await space.run('resume', runId, '--tool-id', suspension?.tool_id ?? '', ...answer)).code).toBe(0);
    expect(await space.run('continue', runId, '--on', 'test')).toMatchObject({ code: expect.any(Number) });

    const other = await space.run('run', 'question', '--input', '{"n":1}', '--on', 'test', '--json');
    expect(other.code).toBe(3);
    const otherId = String(lines(other.stdout)[0]?.run_id);
    expect((await space.run('cancel', otherId, '--on', 'test')).code).toBe(0);
    const listed = lines((await space.run('runs', '--on', 'test', '--json', '--limit', '2')).stdout);
    expect(listed).toMatchObject([
      { run_id: otherId, status: 'cancelled' },
      { run_id: runId, status: 'success' },
    ]);
    expect((await space.run('runs', '--on', 'test')).stdout).toContain('question@1');
  });
});
