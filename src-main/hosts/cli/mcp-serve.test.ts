import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ElicitRequest, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { addFlow, askFlow, countFlow } from '#main/hosts/server/testing/test-server.ts';
import { startInTime } from '#main/testing/start-in-time.ts';
import type { JsonObject } from '#shared/json.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

interface CallResult {
  readonly isError?: boolean;
  readonly structuredContent?: JsonObject;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: { readonly run_id: string };
}

let space: CommandFolder;
let client: Client;

beforeEach(() => {
  space = new CommandFolder();
  space.write('add.flow.yaml', addFlow);
  space.write('ask.flow.yaml', askFlow);
  space.write('count.flow.yaml', countFlow);
  space.write('broken.flow.yaml', 'pravah: 1\nname: broken\n');
  space.write(
    'number.flow.yaml',
    'pravah: 1\nname: number\ninput: N\noutput: M\nschemas: { N: { type: number }, M: { type: number } }\nnodes: [{ kind: work, from: N, to: M, expr: "input * 2" }]\n',
  );
});
afterEach(async () => {
  await client.close();
  await space.remove();
});

/** Connects a client as an editor does; `onQuestion` answers questions for the user. */
async function connect(onQuestion?: (params: ElicitRequest['params']) => JsonObject | null): Promise<void> {
  client = new Client({ name: 'test', version: '1' }, { capabilities: onQuestion ? { elicitation: { form: {} } } : {} });
  if (onQuestion)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const content = onQuestion(params);
      return content ? { action: 'accept', content: content as Record<string, string> } : { action: 'decline' };
    });
  await startInTime('pravah mcp-serve', () =>
    client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--disable-warning=ExperimentalWarning', program, 'mcp-serve', '--folder', space.folder],
        env: { ...(process.env as Record<string, string>), PRAVAH_HOME: join(space.root, 'home') },
        stderr: 'ignore',
      }),
    ),
  );
}

const call = async (name: string, input: JsonObject): Promise<CallResult> =>
  (await client.callTool({ name, arguments: input })) as unknown as CallResult;

describe('pravah mcp-serve', () => {
  it('offers the flows without errors as tools that run them', async () => {
    await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['add', 'ask', 'count', 'number', 'pravah_resume']);
    expect(tools.find(({ name }) => name === 'add')).toMatchObject({
      inputSchema: { type: 'object', required: ['n'] },
      outputSchema: { type: 'object', required: ['n'] },
      annotations: { readOnlyHint: true },
    });
    expect(await call('add', { n: 1 })).toMatchObject({ structuredContent: { n: 2 } });
    expect(await call('number', { input: 4 })).toMatchObject({ structuredContent: { output: 8 } });
    const wrong = await call('add', { n: 'one' });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('VALIDATION_INPUT_INVALID') }] });
    const steps: number[] = [];
    const counted = await client.callTool({ name: 'count', arguments: { n: 0, to: 5 } }, undefined, {
      onprogress: ({ progress }) => steps.push(progress),
    });
    expect(counted).toMatchObject({ structuredContent: { n: 5 } });
    expect(steps).toEqual([...steps].sort((one, other) => one - other));
    expect(steps.length).toBeGreaterThan(0);
  });

  it('asks the user by elicitation what a run asks', async () => {
    const asked: ElicitRequest['params'][] = [];
    await connect((params) => {
      asked.push(params);
      return { ok: true };
    });
    expect(await call('ask', { n: 1 })).toMatchObject({ structuredContent: { ok: true } });
    expect(asked).toMatchObject([{ requestedSchema: { properties: { ok: { type: 'boolean' } }, required: ['ok'] } }]);
  });

  it('says how to answer where the client cannot ask, and keeps the run in the journal', async () => {
    await connect();
    const waiting = await call('ask', { n: 1 });
    expect(waiting.isError).toBe(true);
    const { run_id, tool_call_id } = JSON.parse(waiting.content[0]?.text ?? '') as { run_id: string; tool_call_id: string };
    expect((await space.run('runs', '--json')).stdout).toContain(run_id);
    const again = await call('pravah_resume', { run_id, tool_call_id: 'other', payload: { ok: true } });
    expect(again).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('does not wait') }] });
    expect(await call('pravah_resume', { run_id, tool_call_id, payload: { ok: false } })).toMatchObject({
      structuredContent: { ok: false },
    });
  });
});
