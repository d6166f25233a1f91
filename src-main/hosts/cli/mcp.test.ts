import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf, eventsOf } from '#main/hosts/cli/testing/command.ts';
import { everything, everythingOverHttp, wayward } from '#main/mcp/testing/test-servers.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { Json } from '#shared/json.ts';

// Each command is a process of its own, and starts another.
vi.setConfig({ testTimeout: 90_000 * slowness });

let folder: CommandFolder;
beforeEach(() => {
  folder = new CommandFolder();
});
afterEach(() => folder.remove());

const flow: Json = {
  pravah: 1,
  name: 'Asks',
  input: 'A',
  output: 'B',
  schemas: { A: {}, B: {} },
  nodes: [{ kind: 'work', from: 'A', to: 'B', tool: 'mcp:it/ask_twice', with: {} }],
};

test('a server’s tool runs once it is approved; its questions are answered by later commands, which continue where it asked', async () => {
  folder.write('pravah.json', { mcp_servers: { it: { ...wayward } } });
  folder.write('test.flow.json', flow);
  const refused = await folder.run('run', 'test.flow.json', '--trust', '--json');
  expect([refused.code, endOf(refused).error?.message]).toEqual([1, expect.stringContaining('"pravah mcp approve it"')]);
  const approved = await folder.run('mcp', 'approve', 'it', 'ask_twice', 'greet');
  expect([approved.code, approved.stdout]).toEqual([0, expect.stringMatching(/mcp:it\/ask_twice {2}approved.*mcp:it\/die {2}new/s)]);

  const asked = await folder.run('run', 'test.flow.json', '--json');
  const { run_id: runId } = endOf(asked);
  expect([asked.code, eventsOf(asked).find(({ type }) => type === 'suspended')]).toMatchObject([3, { tool_id: 'A::mcp:it/ask_twice' }]);
  const answer = (payload: Json) =>
    folder.run('resume', runId, '--tool-id', 'A::mcp:it/ask_twice', '--payload', JSON.stringify(payload), '--json');
  expect((await answer({ colour: 'red' })).code).toBe(3);
  const done = await answer({ size: 'L' });
  expect([done.code, endOf(done).output]).toEqual([0, 'red and L']);
});

test('lists the resources and prompts of servers over standard input and over HTTP', async () => {
  await using remote = await everythingOverHttp();
  folder.write('pravah.json', { mcp_servers: { local: { ...everything }, remote: { url: remote.url }, bare: { ...wayward } } });
  const untrusted = await folder.run('mcp', 'resources', 'local');
  expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining('Add --trust')]);
  for (const server of ['local', 'remote']) {
    const { code, stdout } = await folder.run('mcp', 'resources', server, '--trust', '--json');
    expect([server, code, JSON.parse(stdout)]).toEqual([
      server,
      0,
      {
        resources: expect.arrayContaining([
          { uri: expect.any(String), name: expect.any(String), description: expect.any(String), media_type: 'text/markdown' },
        ]),
        templates: expect.arrayContaining([expect.objectContaining({ uri_template: expect.stringContaining('{') })]),
      },
    ]);
    const listed = await folder.run('mcp', 'prompts', server);
    expect([server, listed.code, listed.stdout]).toEqual([server, 0, expect.stringMatching(/args-prompt\n.*city \(required\)/s)]);
  }
  const none = await folder.run('mcp', 'prompts', 'bare');
  expect([none.code, none.stderr]).toEqual([0, expect.stringContaining('bare has no prompts')]);
  const unknown = await folder.run('mcp', 'resources', 'other');
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('Unknown MCP server "other". Servers in pravah.json: local, remote, bare.'),
  ]);
});
