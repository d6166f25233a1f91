import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wayward } from '#main/mcp/testing/test-servers.ts';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { Json } from '#shared/json.ts';

// Servers and threads are started, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 * slowness });

/** An agent with all of the server's approved tools, and answers written by hand. */
const flow = JSON.stringify({
  pravah: 1,
  name: 'Greeter',
  input: 'Begin',
  output: 'Done',
  schemas: { Begin: {}, Done: { type: 'string' } },
  nodes: [{ kind: 'agent', from: 'Begin', to: 'Done', agent: { model: 'script://answers.json', prompt: 'Greet.', tools: ['mcp:it/*'] } }],
});
const answers = {
  turns: [
    {
      tool_calls: [
        { tool: 'mcp:it/greet', input: { name: 'Ada' } },
        { tool: 'mcp:it/ask_twice', input: {} },
        { tool: 'mcp:it/fail', input: {} },
      ],
    },
    { output: 'done' },
  ],
};
const seen = (server: McpServerInfo, names: readonly string[]) =>
  server.tools.filter(({ name }) => names.includes(name)).map(({ name, fingerprint }) => ({ name, fingerprint }));
const standings = ({ tools }: McpServerInfo) => Object.fromEntries(tools.map(({ name, standing }) => [name, standing]));

test('a server is started in a trusted folder only, its tools are approved as they were shown, and an agent has those', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, 'pravah.json'), JSON.stringify({ mcp_servers: { it: wayward } }));
  await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
  const { client } = startStudio(onTestFinished, folder);
  expect(await client.mcp.list()).toMatchObject([{ name: 'it', transport: 'stdio', state: 'blocked', tools: [] }]);
  await expect(client.mcp.connect({ name: 'it' })).rejects.toMatchObject({ data: { variant: 'Denied' } });

  await client.workspace.setTrust({ trusted: true });
  const watching = await client.mcp.watch();
  expect((await watching.next()).value).toMatchObject([{ state: 'idle' }]);
  const found = await client.mcp.connect({ name: 'it' });
  expect(found).toMatchObject({ state: 'connected', server: { name: 'wayward', version: '7' } });
  expect(standings(found)).toMatchObject({ greet: 'new', die: 'new' });
  expect((await watching.next()).value).toMatchObject([{ state: expect.stringMatching(/starting|connected/) }]);
  await watching.return?.(undefined);
  const path = 'a.flow.json';
  const { capabilities } = await client.consent.ofFlow({ path, text: flow });
  await client.consent.confirm({ flow_path: path, keys: capabilities.map(({ kind, name }) => `${kind} ${name}`) });
  const { run_id: runId } = await client.runs.start({ flow_path: path, text: flow, input: {} });
  // Without approval the run fails where it needs the tool, and continues from there afterwards.
  expect(await client.runs.step({ run_id: runId, mode: 'over' })).toMatchObject({
    status: 'error',
    error: { variant: 'NotFound', message: expect.stringContaining('approve them') },
  });
  const stale = [{ name: 'greet', fingerprint: 'something else' }];
  await expect(client.mcp.approve({ name: 'it', tools: stale })).rejects.toMatchObject({ data: { code: 'CONFIG_MCP_TOOL_CHANGED' } });
  const approved = await client.mcp.approve({ name: 'it', tools: seen(found, ['greet', 'ask_twice', 'change_words']) });
  expect(standings(approved)).toMatchObject({ greet: 'approved', ask_twice: 'approved', die: 'new' });
  const offered = (await client.tools.list()).filter(({ server }) => server === 'it');
  expect(offered.map(({ name, asks }) => [name, asks])).toEqual([
    ['mcp:it/greet', false],
    ['mcp:it/change_words', true],
    ['mcp:it/ask_twice', false],
  ]);

  const answer = async (payload: Json) => {
    const { suspensions } = await client.runs.get({ run_id: runId });
    const { tool_id, tool_call_id } = suspensions[0] ?? { tool_id: '', tool_call_id: '' };
    return client.runs.resume({ run_id: runId, tool_id, tool_call_id, payload });
  };
  expect(await client.runs.step({ run_id: runId, mode: 'over' })).toMatchObject({
    status: 'suspended',
    suspensions: [{ tool_id: expect.stringContaining('ask_twice'), value: { question: 'MCP server it asks: Which colour?' } }],
  });
  expect(await answer({ colour: 'red' })).toMatchObject({ suspensions: [{ value: { question: expect.stringContaining('Which size?') } }] });
  await answer({ size: 'L' });
  expect(await client.runs.step({ run_id: runId, mode: 'over' })).toMatchObject({ status: 'success', output: 'done' });
  const results = (await client.runs.conversation({ run_id: runId, node: 'Begin' })).flatMap(({ content }) => content);
  expect(results).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ type: 'tool_result', tool: 'mcp:it/greet', result: 'hello Ada', is_error: false }),
      expect.objectContaining({ type: 'tool_result', tool: 'mcp:it/ask_twice', result: 'red and L' }),
      expect.objectContaining({ type: 'tool_result', tool: 'mcp:it/fail', is_error: true }),
    ]),
  );

  expect(await client.mcp.stop({ name: 'it' })).toMatchObject({ state: 'idle', tools: [{ standing: 'approved' }, {}, {}] });
  expect(standings(await client.mcp.approve({ name: 'it', tools: [] }))).toEqual({});
});
