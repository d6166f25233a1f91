import { open } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf, quietContext, run, work } from '#main/engine/testing/flows.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { abuseClass } from './testing/abuse-class.ts';
import { attack, type HostileCall } from './testing/attacked-agent.ts';

/* Something that a flow talks to does not stop talking. What is kept of it is bounded, and the run goes on or fails with a reason. */

const form = abuseClass('floods of output');

const MiB = 1024 * 1024;

async function command(name: string, args: readonly string[], more: object = {}) {
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', JSON.stringify({ commands: [name] }));
  const input = { command: name, args: [...args], ...more };
  const { answers } = await attack(workspace, [{ tool: 'run_command', input }], {
    agent: { tools: [{ use: 'run_command', approve: 'never' }] },
  });
  return JSON.stringify(answers);
}

form('a program that prints without end', async () => {
  const said = await command('yes', [], { timeout: 1 });
  expect(said.length).toBeLessThan(2 * MiB);
  expect(said).toMatch(/Timeout|truncated/);
});
form('a program that prints more than anybody reads', async () => {
  const said = await command('head', ['-c', String(20 * MiB), '/dev/zero']);
  expect(said.length).toBeLessThan(10 * MiB);
  expect(said).toContain('"truncated":true');
});

/** What an `http_request` of this answer comes to. */
async function answered(respond: Parameters<typeof TestServer.start>[0]): Promise<string> {
  await using server = await TestServer.start(respond);
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', JSON.stringify({ http: { allow_private: ['127.0.0.1'] } }));
  const { answers } = await attack(workspace, [{ tool: 'http_request', input: { url: server.url(), allow_private: true, timeout: 5 } }]);
  return JSON.stringify(answers);
}

form('an answer without end', async () => {
  const chunk = Buffer.alloc(MiB, 'x');
  const said = await answered((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  expect(said).toContain('larger than');
  expect(said.length).toBeLessThan(1000);
});
form('an answer that unpacks to a thousand times its size', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * MiB));
  const said = await answered((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  expect(said).toMatch(/decompressed response is larger/);
});
form('headers without end', async () => {
  const said = await answered((_request, response) => {
    for (let index = 0; index < 2000; index += 1) response.setHeader(`x-${index}`, 'y'.repeat(100));
    response.end();
  });
  expect(said.length).toBeLessThan(1000);
});

form('a file larger than memory', async () => {
  await using workspace = await TestWorkspace.make();
  const file = await open(workspace.path('huge.txt'), 'w');
  await file.truncate(50 * 1024 * MiB);
  await file.close();
  const calls: HostileCall[] = [
    { tool: 'edit_file', input: { path: 'huge.txt', old: 'a', new: 'b' } },
    { tool: 'storage', input: { path: 'huge.txt' } },
    { tool: 'read_file', input: { path: 'huge.txt', limit: 1 } },
    { tool: 'search_files', input: { query: 'a' } },
  ];
  const { answers } = await attack(workspace, calls);
  expect(JSON.stringify(answers).length).toBeLessThan(MiB);
});

form('a model that asks for a thousand calls at once', async () => {
  await using workspace = await TestWorkspace.make();
  const tool_calls = Array.from({ length: 1000 }, () => ({ tool: 'read_file', input: { path: 'a' } }));
  await workspace.write('many.json', JSON.stringify({ turns: [{ tool_calls }] }));
  await expect(attack(workspace, [], { agent: { model: 'script://many.json', tools: ['read_file'] } })).rejects.toMatchObject({
    variant: 'LimitExceeded',
  });
});
/** How a run of a scripted model fails, as it is recorded. */
async function failureOf(turn: Json, agent: JsonObject = {}): Promise<TransferableError> {
  await using workspace = await TestWorkspace.make();
  await workspace.write('flood.json', JSON.stringify({ turns: [turn, turn, turn, turn] }));
  const failure = await attack(workspace, [], { agent: { model: 'script://flood.json', ...agent } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FlowError);
  const record = (failure as FlowError).toJSON();
  expect(JSON.stringify(record).length).toBeLessThan(MiB / 4);
  return record;
}

const broken = { code: 'INFERENCE_ENGINE_ERROR' };
form('a model that says 5 MB and breaks off', async () => {
  const { details } = await failureOf({ text: 'x'.repeat(5 * MiB), error: broken });
  expect(details).toMatchObject({ partial: { role: 'assistant', incomplete: true }, partial_length: expect.any(Number) });
  expect(JSON.stringify(details.partial).length).toBeLessThanOrEqual(64 * 1024);
  expect(JSON.stringify(details.partial)).toContain(`(${5 * MiB} characters)`);
  expect(details.partial_length).toBeGreaterThan(5 * MiB);
});
form('a model that asks for many large calls and breaks off', async () => {
  const tool_calls = Array.from({ length: 100 }, () => ({ tool: 'read_file', input: { path: 'a'.repeat(50_000) } }));
  const { details } = await failureOf({ text: 'a', tool_calls, error: broken });
  expect(JSON.stringify(details.partial).length).toBeLessThanOrEqual(64 * 1024);
});
form('a model that breaks off with a reason of 5 MB', async () => {
  expect((await failureOf({ text: '', error: { ...broken, message: 'x'.repeat(5 * MiB) } })).message.length).toBeLessThanOrEqual(64 * 1024);
});
form('a model that never comes to its end', async () => {
  await using workspace = await TestWorkspace.make();
  const calls = Array.from({ length: 40 }, (): HostileCall => ({ tool: 'list_files', input: {} }));
  await expect(attack(workspace, calls, { agent: { limits: { turns: 5 } } })).rejects.toThrow(/5 turns/);
});

/** Runs one body and counts what it says. */
async function body(source: string): Promise<{ failure: unknown; events: readonly RunEvent[] }> {
  const events: RunEvent[] = [];
  const runtime = FlowRuntime.new(flowOf([work('A', 'B', run(source))]), {});
  const context = quietContext({ onEvent: (event) => events.push(event) });
  const failure = await runtime.next(context).then(
    () => null,
    (error: unknown) => error,
  );
  runtime.dispose();
  return { failure, events };
}

form('code that logs without end', async () => {
  const { failure, events } = await body('(input, ctx) => { for (let i = 0; i < 1e6; i++) ctx.log(i) }');
  expect(failure).not.toBeNull();
  expect(events.filter(({ type }) => type === 'log').length).toBeLessThanOrEqual(1000);
});
form('code whose result is larger than a state may be', async () => {
  const { failure } = await body('() => Array.from({ length: 40 }, () => "x".repeat(2 ** 21))');
  expect(failure).toMatchObject({ variant: expect.stringMatching(/SerializeError|HandlerError/) });
});
