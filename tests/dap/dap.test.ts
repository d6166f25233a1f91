import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { TestClient } from './test-client.ts';

const main = fileURLToPath(new URL('../../src-main/hosts/cli/main.ts', import.meta.url));
const flow = {
  pravah: 1,
  name: 'Ask',
  input: 'A',
  output: 'Z',
  schemas: { A: {}, B: {}, Z: {} },
  nodes: [
    { kind: 'work', from: 'A', to: 'B' },
    { kind: 'suspend', from: 'B', to: 'Z' },
  ],
};

let folder: CommandFolder;
let program: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = new CommandFolder();
  program = folder.write('ask.flow.json', flow);
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

function adapter(...words: string[]): ChildProcess & { stdin: Writable; stdout: Readable } {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'dap', ...words], {
    cwd: folder.folder,
    env: { ...process.env, PRAVAH_HOME: join(folder.root, 'home'), NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  }) as ChildProcess & { stdin: Writable; stdout: Readable };
  started.push(child);
  return child;
}

const exitOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));

async function launch(client: TestClient, args: object = {}): Promise<void> {
  await client.initializeRequest();
  await client.launchRequest({ program, stopOnEntry: true, ...args } as DebugProtocol.LaunchRequestArguments);
  await client.configurationDoneRequest();
  await client.stopped();
}

async function statuses(): Promise<string> {
  return (await folder.run('runs')).stdout;
}

test('an adapter on standard input and output ends after disconnect, at the end of its input, and at a signal, and leaves the run paused', async () => {
  const ways: ((client: TestClient, child: ReturnType<typeof adapter>) => unknown)[] = [
    (client) => client.disconnectRequest(),
    (_client, child) => child.stdin.end(),
    (_client, child) => child.kill('SIGTERM'),
  ];
  for (const leave of ways) {
    const child = adapter();
    const client = new TestClient();
    client.connect(child.stdout, child.stdin);
    await launch(client);
    const exit = exitOf(child);
    await leave(client, child);
    expect(await exit).toBe(0);
  }
  expect((await statuses()).match(/paused/g)).toHaveLength(3);
});

test('an adapter on a port serves several clients that know its token, and no other', async () => {
  const child = adapter('--port', '0', '--json');
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(text.toString())));
  const { port, token } = JSON.parse(line) as { port: number; token: string };
  const clients = [new TestClient(), new TestClient()];
  for (const client of clients) await client.start(port);
  const [first, second] = clients as [TestClient, TestClient];
  await first.initializeRequest();
  for (const wrong of [{}, { token: 'guess' }, { token: `${token}x` }])
    await expect(first.launchRequest({ program, ...wrong } as unknown as DebugProtocol.LaunchRequestArguments)).rejects.toThrow(
      'The token is missing or wrong',
    );
  await expect(first.attachRequest({ run: 'x' } as DebugProtocol.AttachRequestArguments)).rejects.toThrow('The token is missing or wrong');
  await expect(first.threadsRequest()).resolves.toBeDefined();
  await launch(first, { token });
  await launch(second, { token });
  expect((await second.frames())[0]).toContain('ask.flow.json');
  await first.disconnectRequest();
  const exit = exitOf(child);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect((await statuses()).match(/paused/g)).toHaveLength(2);
});

test('a web page that posts a launch to the port starts nothing', async () => {
  const child = adapter('--port', '0', '--json');
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(text.toString())));
  const { port } = JSON.parse(line) as { port: number };
  const body = JSON.stringify({ type: 'request', seq: 1, command: 'launch', arguments: { program } });
  const answered = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    socket.once('data', (text: Buffer) => {
      resolve(text.toString());
      socket.destroy();
    });
  });
  expect(answered).toContain('The token is missing or wrong');
  expect(await statuses()).toContain('No runs yet');
});

test('a flow in an untrusted folder is refused with the flag that allows it, which only the command line takes', async () => {
  folder.write('code.ts', 'export default (value) => value;\n');
  const path = folder.write('code.flow.json', {
    ...flow,
    nodes: [{ kind: 'work', from: 'A', to: 'Z', module: './code.ts' }],
    schemas: { A: {}, Z: {} },
  });
  const refused = new TestClient();
  const first = adapter();
  refused.connect(first.stdout, first.stdin);
  await refused.initializeRequest();
  const request = { program: path, trust: true } as unknown as DebugProtocol.LaunchRequestArguments;
  await expect(refused.launchRequest(request)).rejects.toThrow('Start "pravah dap" with --trust');
  const second = adapter('--trust');
  const allowed = new TestClient();
  allowed.connect(second.stdout, second.stdin);
  await launch(allowed, { program: path });
  const exited = allowed.waitForEvent('exited');
  await allowed.continueRequest({ threadId: 1 });
  expect((await exited).body).toEqual({ exitCode: 0 });
});

test('mocks of the command line supply the runs of an adapter', async () => {
  const mock = folder.write('mock.json', { supplied: [{ id: 'p', kind: 'pin', flow: 'ask.flow.json', node: 'A', value: 'pinned' }] });
  const child = adapter('--mock', mock);
  const client = new TestClient();
  client.connect(child.stdout, child.stdin);
  await launch(client);
  await client.nextRequest({ threadId: 1 });
  await client.stopped();
  expect(await client.scope('Waiting states')).toMatchObject({ B: { value: '"pinned"' } });
});

test('pins and mocks of a configuration and of the console supply a run, and one that does not fit is refused', async () => {
  const path = folder.write('write.flow.json', {
    ...flow,
    nodes: [
      { kind: 'work', from: 'A', to: 'B' },
      { kind: 'work', from: 'B', to: 'C', tool: 'write_file', with: { path: 'one.txt', content: 'x' } },
      { kind: 'work', from: 'C', to: 'Z', tool: 'storage', with: { path: 'two.txt', action: 'append', data: 'x' } },
    ],
    schemas: { A: {}, B: {}, C: {}, Z: {} },
  });
  folder.write('mock.json', [{ kind: 'tool', tool: 'write_file', rules: [{ result: { path: 'one.txt', bytes: 1 } }] }]);
  const supplied = [{ kind: 'pin', node: 'A', value: 'pinned' }];
  const child = adapter();
  const client = new TestClient();
  client.connect(child.stdout, child.stdin);
  await launch(client, { program: path, mock: 'mock.json', supplied });
  const type = async (expression: string) => (await client.evaluateRequest({ expression, context: 'repl' })).body.result;
  await expect(type('mock {"kind": "pin"}')).rejects.toThrow('invalid');
  const mock = { kind: 'tool', tool: 'storage', rules: [{ result: { content: 'mocked', success: true } }] };
  expect(await type(`mock ${JSON.stringify(mock)}`)).toContain('mocked in this session');
  await client.nextRequest({ threadId: 1 });
  await client.stopped();
  expect(await client.scope('Waiting states')).toMatchObject({ B: { value: '"pinned"' } });
  const exited = client.waitForEvent('exited');
  await client.continueRequest({ threadId: 1 });
  expect((await exited).body).toEqual({ exitCode: 0 });
  expect(existsSync(join(folder.folder, 'one.txt')) || existsSync(join(folder.folder, 'two.txt'))).toBe(false);
  const refused = new TestClient();
  const second = adapter();
  refused.connect(second.stdout, second.stdin);
  const unknown = [{ kind: 'pin', node: 'Nowhere', value: 1 }];
  await expect(launch(refused, { program: path, supplied: unknown })).rejects.toThrow('the flow has no node Nowhere');
});

test('a breakpoint at a line of a PyFlow workflow stops at its agent, and the stack has the line', async () => {
  const path = folder.write(
    'workflow.yaml',
    `name: shop
agents:
  - { name: prices, type: expr, expression: "[19.5, 3]", output_key: prices }
  - name: total
    type: expr
    expression: "sum(prices)"
    input_keys: [prices]
    output_key: total
orchestration: { type: sequential, agents: [prices, total] }
`,
  );
  const child = adapter();
  const client = new TestClient();
  client.connect(child.stdout, child.stdin);
  await launch(client, { program: path });
  const set = await client.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: 6 }] });
  expect(set.body.breakpoints).toMatchObject([{ verified: true, line: 4, endLine: 8 }]);
  await client.continueRequest({ threadId: 1 });
  expect(await client.stopped()).toMatchObject({ reason: 'breakpoint' });
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  expect(body.stackFrames[0]).toMatchObject({ line: 4, endLine: 8, source: { name: 'workflow.yaml' } });
});

test('a breakpoint at a line of a flow in code stops at the node that the line builds, also in a file that it imports', async () => {
  const inner = folder.write(
    'halve.ts',
    `import { defineFlow, state } from 'pravah-studio/runtime';
import { z } from 'zod';
export const [A, B, C, D] = ['A', 'B', 'C', 'D'].map((name) => state(name, z.number()));
export const halve = defineFlow({ input: B, output: C })
  .work(B, C, (n: number) => n / 2, { pure: true })
  .build();
`,
  );
  const text = `import { defineFlow } from 'pravah-studio/runtime';
import { A, B, C, D, halve } from './halve.ts';

export default defineFlow({ input: A, output: D })
  .work(
    A,
    B,
    (n: number) => n + 1,
    { pure: true },
  )
  .flow(halve)
  .work(C, D, (n: number) => n, { pure: true })
  .build();
`;
  const path = folder.write('code.flow.ts', text);
  const child = adapter('--trust');
  const client = new TestClient();
  client.connect(child.stdout, child.stdin);
  await launch(client, { program: path, input: 3 });
  const set = await client.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: 8 }, { line: 11 }, { line: 2 }] });
  expect(set.body.breakpoints).toMatchObject([
    { verified: true, line: 5, endLine: 10 },
    { verified: true, line: 11, endLine: 11 },
    { verified: false, message: 'No node at this line.' },
  ]);
  const inside = await client.setBreakpointsRequest({ source: { path: inner }, breakpoints: [{ line: 5 }] });
  expect(inside.body.breakpoints).toMatchObject([{ verified: true, line: 5 }]);
  expect((await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]).toMatchObject({ line: 5, source: { path } });
  for (const _node of ['A', 'B']) {
    await client.continueRequest({ threadId: 1 });
    expect(await client.stopped()).toMatchObject({ reason: 'breakpoint' });
  }
  expect((await client.stackTraceRequest({ threadId: 1 })).body.stackFrames).toMatchObject([
    { line: 5, source: { path: inner } },
    { line: 11, source: { path } },
  ]);
  folder.write('code.flow.ts', `// Changed.\n${text}`);
  const late = await client.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: 6 }] });
  expect(late.body.breakpoints).toMatchObject([{ verified: false, message: expect.stringContaining('has changed since the run began') }]);
});

test('an invalid port is refused', async () => {
  expect(await folder.run('dap', '--port', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('use a number from 0 to 65535'),
  });
});
