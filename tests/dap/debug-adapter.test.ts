import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { capabilities } from '#main/hosts/dap/capabilities.ts';
import { closeJournals, openExistingJournals } from '#main/journal/workspace-journals.ts';
import { connected, type TestClient } from './test-client.ts';

const loop = `pravah: 1
name: Loop
input: A
output: Z
schemas: { A: {}, Count: {}, Again: {}, Asked: {}, Z: {} }
nodes:
  - kind: work
    from: A
    to: Count
    expr: "{n: 0, list: [10, 20, 30]}"

  # Until three.
  - kind: either
    from: Count
    to: [Again, Asked]
    expr: n < 3
  - kind: work
    title: Once more
    from: Again
    to: Count
    expr: "{n: n + 1, list: list}"
  - kind: suspend
    from: Asked
    to: Z
`;
/** First lines of the nodes. */
const [first, either, again, asked] = [7, 13, 17, 22];

const half = `pravah: 1
name: Half
input: In
output: Out
schemas: { In: {}, Out: {} }
nodes:
  - { kind: work, title: Half it, from: In, to: Out, expr: input / 2 }
`;
const item = `pravah: 1
name: Item
input: Item
output: Done
schemas: { Item: {}, In: {}, Out: {}, Done: {} }
nodes:
  - kind: work
    from: Item
    to: In
  - kind: flow
    flow: ./half.flow.yaml
  - { kind: work, from: Out, to: Done }
`;
const orders = `pravah: 1
name: Orders
input: Orders
output: Prices
schemas:
  Orders: { type: array, items: {} }
  Prices: { type: array, items: {} }
nodes:
  - kind: each
    title: Price all
    from: Orders
    to: Prices
    flow: ./item.flow.yaml
`;
const agent = `pravah: 1
name: Agent
input: A
output: Z
schemas: { A: {}, Z: { type: string } }
nodes:
  - kind: agent
    from: A
    to: Z
    agent: { model: "script://talk.json", tools: [read_file] }
`;

let root: string;
let folder: string;
let program: string;
let client: TestClient;
let toAdapter: Duplex;
let closed: Promise<void>;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-dap-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
  program = write('loop.flow.yaml', loop);
  ({ client, toAdapter, closed } = connected());
});
afterEach(async () => {
  await client.disconnectRequest().catch(() => undefined);
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Launches a flow and ends the configuration after `configure`. */
async function launch(args: object = {}, configure: () => Promise<unknown> = async () => undefined): Promise<void> {
  await client.initializeRequest();
  await client.launchRequest({ program, folder, stopOnEntry: true, ...args } as DebugProtocol.LaunchRequestArguments);
  await configure();
  await client.configurationDoneRequest();
}

const at = (...breakpoints: DebugProtocol.SourceBreakpoint[]) => client.setBreakpointsRequest({ source: { path: program }, breakpoints });
const go = { threadId: 1 };

async function runs() {
  const journals = await openExistingJournals(folder);
  try {
    return journals.main.rows({ limit: 10 }).map(({ run_id, status, last_seq }) => ({ run_id, status, last_seq }));
  } finally {
    closeJournals(journals);
  }
}

test('initialize promises only what these tests drive', async () => {
  const tests = readFileSync(new URL(import.meta.url), 'utf8');
  const drives: Record<keyof typeof capabilities, string> = {
    supportsConfigurationDoneRequest: 'configurationDoneRequest',
    supportsFunctionBreakpoints: 'setFunctionBreakpointsRequest',
    supportsConditionalBreakpoints: 'condition:',
    supportsHitConditionalBreakpoints: 'hitCondition:',
    supportsLogPoints: 'logMessage:',
    supportsDataBreakpoints: 'setDataBreakpointsRequest',
    exceptionBreakpointFilters: 'setExceptionBreakpointsRequest',
    supportsExceptionInfoRequest: 'exceptionInfoRequest',
    supportsEvaluateForHovers: "context: 'hover'",
    supportsClipboardContext: "context: 'clipboard'",
    supportsStepBack: 'stepBackRequest',
    supportsStepInTargetsRequest: 'stepInTargetsRequest',
    supportsDelayedStackTraceLoading: 'startFrame:',
    supportsTerminateRequest: 'terminateRequest',
    supportTerminateDebuggee: 'terminateDebuggee: true',
    supportsRestartRequest: 'restartRequest',
  } as Record<keyof typeof capabilities, string>;
  const { body } = await client.initializeRequest();
  expect(Object.keys(body ?? {}).toSorted()).toEqual(Object.keys(drives).toSorted());
  for (const request of Object.values(drives)) expect(tests.split(request).length, request).toBeGreaterThan(2);
});

test('a run is one thread, and its stack has the lines of its nodes', async () => {
  await launch();
  expect(await client.stopped()).toMatchObject({ reason: 'entry', threadId: 1 });
  expect((await client.threadsRequest()).body.threads).toMatchObject([{ id: 1, name: expect.stringMatching(/^Loop \(/) }]);
  expect(await client.frames()).toEqual([`A loop.flow.yaml:${first}-10`]);
  const { stackFrames } = (await client.stackTraceRequest(go)).body;
  expect(stackFrames[0]?.source).toEqual({ name: 'loop.flow.yaml', path: program });
});

test('the stack of a nested flow inside an item shows every frame with its own file and states, in pages', async () => {
  write('half.flow.yaml', half);
  write('item.flow.yaml', item);
  await launch({ program: write('orders.flow.yaml', orders), input: [4, 6] }, async () => {
    const source = { path: join(folder, 'half.flow.yaml') };
    const set = await client.setBreakpointsRequest({ source, breakpoints: [{ line: 7, hitCondition: '2' }] });
    expect(set.body.breakpoints).toMatchObject([{ verified: true, line: 7 }]);
  });
  await client.stopped();
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'breakpoint' });
  expect(await client.frames()).toEqual([
    'Half it half.flow.yaml:7-7',
    'In item.flow.yaml:10-11',
    'Price all › item 2 of 2 orders.flow.yaml:9-13',
  ]);
  const page = (await client.stackTraceRequest({ threadId: 1, startFrame: 1, levels: 1 })).body;
  expect(page).toMatchObject({ totalFrames: 3, stackFrames: [{ source: { name: 'item.flow.yaml' } }] });
  expect(await client.scope('Waiting states', 0)).toMatchObject({ In: { value: '6' } });
  expect(await client.scope('Item', 0)).toMatchObject({ index: { value: '1' }, of: { value: '2' } });
  expect(await client.scope('Waiting states', 2)).toMatchObject({ Orders: { value: '[4,6]', indexedVariables: 2 } });
  const outer = (await client.stackTraceRequest({ threadId: 1, startFrame: 2, levels: 1 })).body.stackFrames[0]?.id;
  expect((await client.evaluateRequest({ expression: 'states.Orders.length', frameId: outer })).body.result).toBe('2');
  expect((await client.evaluateRequest({ expression: 'input[0]', frameId: outer })).body.result).toBe('4');
  const between = (await client.stackTraceRequest({ threadId: 1, startFrame: 1, levels: 1 })).body.stackFrames[0]?.id;
  expect(await client.scope('Waiting states', 1)).toEqual({ In: expect.objectContaining({ value: '6' }) });
  expect((await client.evaluateRequest({ expression: 'input', frameId: between })).body.result).toBe('6');
  expect([await client.scope('Consumed', 1), Object.keys(await client.scope('Consumed', 2))]).toEqual([{}, ['Orders']]);
  expect(await client.scope('Item', 1)).toMatchObject({ index: { value: '1' } });
});

test('a frame whose file has changed since the run began shows the text of then', async () => {
  await launch();
  await client.stopped();
  writeFileSync(program, `# A new first line.\n${loop}`);
  const { stackFrames } = (await client.stackTraceRequest(go)).body;
  const source = stackFrames[0]?.source;
  expect(stackFrames).toMatchObject([{ line: first, source: { name: 'loop.flow.yaml', sourceReference: 1 } }]);
  expect((await client.sourceRequest({ sourceReference: 1 })).body.content).toBe(loop);
  const set = await client.setBreakpointsRequest({ source: source ?? {}, breakpoints: [{ line: again }] });
  expect(set.body.breakpoints).toMatchObject([{ verified: true, line: again }]);
});

test('variables are typed, read-only and paged', async () => {
  await launch();
  await client.stopped();
  await client.nextRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'step' });
  const { Count } = await client.scope('Waiting states');
  expect(Count).toMatchObject({ type: 'object', namedVariables: 2, presentationHint: { attributes: ['readOnly'] } });
  const { n, list } = await client.inside(Count?.variablesReference ?? 0);
  expect(n).toMatchObject({ type: 'integer', value: '0', evaluateName: 'states.Count.n', variablesReference: 0 });
  expect(list).toMatchObject({ type: 'array', indexedVariables: 3 });
  const variablesReference = list?.variablesReference ?? 0;
  const { variables } = (await client.variablesRequest({ variablesReference, filter: 'indexed', start: 1, count: 1 })).body;
  expect(variables).toMatchObject([{ name: '1', value: '20', evaluateName: 'states.Count.list[1]' }]);
  expect((await client.variablesRequest({ variablesReference, filter: 'named' })).body.variables).toEqual([]);
  expect(await client.scope('Consumed')).toMatchObject({ Count: { type: 'object' } });
  expect(await client.scope('Run')).toMatchObject({ step: { value: '1' }, status: { value: '"paused"' } });
  await client.nextRequest(go);
  await client.stopped();
  await expect(client.variablesRequest({ variablesReference })).rejects.toThrow('earlier stop');
});

test('a breakpoint moves to the first line of its node; between nodes and in other files it is not verified', async () => {
  const other = write('other.flow.yaml', loop.replace('name: Loop', 'name: Other'));
  await launch({ stopOnEntry: false }, async () => {
    const set = await at({ line: again + 2 }, { line: 12 });
    expect(set.body.breakpoints).toMatchObject([
      { id: 1, verified: true, line: again, endLine: again + 4 },
      { verified: false, message: 'No node at this line.' },
    ]);
    const elsewhere = await client.setBreakpointsRequest({ source: { path: other }, breakpoints: [{ line: first }] });
    expect(elsewhere.body.breakpoints).toMatchObject([
      { verified: false, message: expect.stringContaining('does not contain this place') },
    ]);
    const outside = await client.setBreakpointsRequest({ source: { path: join(root, 'x.yaml') }, breakpoints: [{ line: 1 }] });
    expect(outside.body.breakpoints).toMatchObject([{ verified: false, message: expect.stringContaining('outside the run') }]);
  });
  expect(await client.stopped()).toMatchObject({ reason: 'breakpoint', hitBreakpointIds: [1], description: 'b1: before Once more' });
  expect(await client.frames()).toEqual([`Once more loop.flow.yaml:${again}-${again + 4}`]);
});

test('conditions, hits and log points hold, and an invalid one is refused at its breakpoint', async () => {
  await launch({ stopOnEntry: false }, async () => {
    const set = await at(
      { line: again, condition: 'n > 0', hitCondition: '>= 2' },
      { line: either, logMessage: 'n is {n}' },
      { line: first, condition: 'n >' },
      { line: first, hitCondition: 'often' },
    );
    expect(set.body.breakpoints.map(({ verified }) => verified)).toEqual([true, true, false, false]);
    expect(set.body.breakpoints.slice(2).map(({ message }) => message)).toEqual([
      expect.stringContaining('The expression is invalid'),
      expect.stringContaining('a number of hits'),
    ]);
  });
  expect(await client.stopped()).toMatchObject({ reason: 'breakpoint' });
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('2');
  expect(client.text).toContain('n is 0');
  expect(client.text).toContain('n is 2');
  expect(client.text).not.toContain('n is 3');
  // Set again while the run is stopped: the one that stays keeps its hits.
  const set = await at({ line: again, condition: 'n > 0', hitCondition: '>= 2' });
  expect(set.body.breakpoints).toMatchObject([{ id: 1 }]);
});

test('function breakpoints are written as on the command line', async () => {
  await launch({ stopOnEntry: false }, async () => {
    const names = ['Again:after', 'state:Asked', 'tool:write_file', 'Missing'];
    const set = await client.setFunctionBreakpointsRequest({ breakpoints: names.map((name) => ({ name })) });
    expect(set.body.breakpoints.map(({ verified }) => verified)).toEqual([true, true, false, false]);
    expect(set.body.breakpoints[3]?.message).toContain('nothing in the flow matches it');
  });
  expect(await client.stopped()).toMatchObject({ reason: 'function breakpoint', hitBreakpointIds: [1] });
  await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'state:Asked' }] });
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'function breakpoint', description: expect.stringContaining('Asked written') });
});

test('a data breakpoint stops where a state is written, consumed, or a part of it changes', async () => {
  await launch();
  await client.stopped();
  await client.nextRequest(go);
  await client.stopped();
  const { stackFrames } = (await client.stackTraceRequest(go)).body;
  const { scopes } = (await client.scopesRequest({ frameId: stackFrames[0]?.id ?? 0 })).body;
  const states = scopes.find(({ name }) => name === 'Waiting states')?.variablesReference ?? 0;
  const { Count } = await client.inside(states);
  const field = await client.dataBreakpointInfoRequest({ name: 'n', variablesReference: Count?.variablesReference });
  expect(field.body).toMatchObject({ description: 'Count/n of loop.flow.yaml', accessTypes: ['read', 'write', 'readWrite'] });
  const whole = await client.dataBreakpointInfoRequest({ name: 'Count', variablesReference: states });
  expect((await client.dataBreakpointInfoRequest({ name: 'states.Asked' })).body.description).toBe('Asked of loop.flow.yaml');
  const run = scopes.find(({ name }) => name === 'Run')?.variablesReference ?? 0;
  expect((await client.dataBreakpointInfoRequest({ name: 'status', variablesReference: run })).body.dataId).toBeNull();

  const set = await client.setDataBreakpointsRequest({
    breakpoints: [
      { dataId: field.body.dataId ?? '', accessType: 'write' },
      { dataId: 'nonsense', accessType: 'write' },
    ],
  });
  expect(set.body.breakpoints).toMatchObject([{ verified: true }, { verified: false }]);
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'data breakpoint', description: expect.stringContaining('Count/n changed') });
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: whole.body.dataId ?? '', accessType: 'readWrite' }] });
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ description: expect.stringContaining('Count consumed by') });
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ description: expect.stringContaining('Count written after') });
});

test('a failed step stops the run, and can be repeated; without its filter the session ends', async () => {
  const failing = write('fail.flow.yaml', loop.replace('n < 3', 'n.missing.field'));
  await launch({ program: failing, stopOnEntry: false });
  expect(await client.stopped()).toMatchObject({ reason: 'exception', text: expect.stringContaining('HandlerError') });
  expect((await client.exceptionInfoRequest(go)).body).toMatchObject({ exceptionId: 'HandlerError', breakMode: 'always' });
  expect(await client.frames()).toEqual([`Count fail.flow.yaml:${either}-16`]);
  await client.setExceptionBreakpointsRequest({ filters: [] });
  const exited = client.waitForEvent('exited');
  await client.continueRequest(go);
  expect((await exited).body).toEqual({ exitCode: 1 });
  expect(client.text).toContain('HandlerError: ');
});

test('a failed call that only the model sees stops the run with the filter tool_errors', async () => {
  write(
    'talk.json',
    JSON.stringify({ turns: [{ tool_calls: [{ tool: 'read_file', input: { path: 'missing.txt' } }] }, { output: 'no' }] }),
  );
  await launch({ program: write('agent.flow.yaml', agent), stopOnEntry: false }, () =>
    client.setExceptionBreakpointsRequest({ filters: ['tool_errors'] }),
  );
  expect(await client.stopped()).toMatchObject({ reason: 'exception', description: expect.stringContaining('failure in') });
  expect((await client.exceptionInfoRequest(go)).body.exceptionId).toBe('Tool error');
});

test('a run is held before a request to a model, goes on from there, and is left paused before the step', async () => {
  write('talk.json', JSON.stringify({ turns: [{ tool_calls: [{ tool: 'read_file', input: { path: 'x' } }] }, { output: 'done' }] }));
  await launch({ program: write('agent.flow.yaml', agent), stopOnEntry: false }, () =>
    client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'model' }] }),
  );
  expect(await client.stopped()).toMatchObject({ reason: 'function breakpoint', text: 'Held inside a step', hitBreakpointIds: [1] });
  expect((await client.frames())[0]).toContain('agent.flow.yaml:7-10');
  expect(Object.keys(await client.scope('Held'))).toEqual(['values']);
  expect(await runs()).toMatchObject([{ last_seq: 0 }]);
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ text: 'Held inside a step', description: expect.stringContaining('hit 2') });
  expect(await runs()).toMatchObject([{ last_seq: 2 }]);
  await client.stepBackRequest(go);
  await client.stopped();
  await client.nextRequest(go);
  await client.stopped();
  await expect(client.evaluateRequest({ expression: 'answer 1', context: 'repl' })).rejects.toThrow('Nothing waits');
  await client.disconnectRequest();
  await closed;
  expect(await runs()).toMatchObject([{ last_seq: 2, status: 'paused' }]);
});

test('a question stops the run, and is answered in the console', async () => {
  await launch({ stopOnEntry: false });
  expect(await client.stopped()).toMatchObject({ reason: 'exception', description: 'Waiting for an answer' });
  expect((await client.exceptionInfoRequest(go)).body.description).toContain('answer {…}');
  expect(await client.frames()).toEqual([`Asked loop.flow.yaml:${asked}-${asked + 2}`]);
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'exception', description: 'Waiting for an answer' });
  await expect(client.evaluateRequest({ expression: 'answer {', context: 'repl' })).rejects.toThrow('not valid JSON');
  const exited = client.waitForEvent('exited');
  expect((await client.evaluateRequest({ expression: 'answer {"ok": true}', context: 'repl' })).body.result).toBe('answered');
  expect((await exited).body).toEqual({ exitCode: 0 });
  expect(client.text).toContain('"ok": true');
  expect(await runs()).toMatchObject([{ status: 'success' }]);
});

test('without the filter waiting, a question is only printed and the run stays open', async () => {
  const printed = new Promise<void>((resolve) => {
    client.on('output', ({ body }: DebugProtocol.OutputEvent) => body.output.includes('waits for an answer') && resolve());
  });
  await launch({ stopOnEntry: false }, () => client.setExceptionBreakpointsRequest({ filters: [] }));
  await printed;
  await client.pauseRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'pause' });
});

test('next, stepIn and stepOut go as far as in the studio', async () => {
  write('half.flow.yaml', half);
  write('item.flow.yaml', item);
  await launch({ program: write('orders.flow.yaml', orders), input: [4, 6] });
  await client.stopped();
  await client.stepInRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'step' });
  expect((await client.frames())[0]).toContain('Half it');
  await client.stepOutRequest(go);
  await client.stopped();
  expect((await client.frames())[0]).toContain('Out item.flow.yaml');
  const exited = client.waitForEvent('exited');
  await client.stepOutRequest(go);
  await client.stopped();
  expect((await client.frames()).at(-1)).toContain('item 2 of 2');
  await client.continueRequest(go);
  expect((await exited).body).toEqual({ exitCode: 0 });
});

test('stepInTargets lists the flows that an agent calls in one turn, and stepIn goes into one of them', async () => {
  write('half.flow.yaml', half.replace('input / 2', 'n / 2'));
  const turn = { tool_calls: [2, 4, 6].map((input) => ({ tool: 'flow:./half.flow.yaml', input: { n: input } })) };
  write('talk.json', JSON.stringify({ turns: [turn, { output: 'done' }] }));
  const calling = agent.replace('tools: [read_file]', 'tools: ["flow:./half.flow.yaml"]');
  await launch({ program: write('calls.flow.yaml', calling) });
  await client.stopped();
  await client.stepInRequest(go);
  await client.stopped();
  const { stackFrames } = (await client.stackTraceRequest(go)).body;
  const { targets } = (await client.stepInTargetsRequest({ frameId: stackFrames[0]?.id ?? 0 })).body;
  expect(targets.map(({ label }) => label)).toEqual([2, 4, 6].map((n) => `flow:./half.flow.yaml {"n":${n}}`));
  expect(Object.values(await client.scope('Call')).map(({ value }) => value)).toContain('{"tool":"flow:./half.flow.yaml","input":{"n":4}}');
  await client.stepInRequest({ threadId: 1, targetId: targets[1]?.id });
  await client.stopped();
  expect((await client.frames()).map((frame) => frame.split(' ').at(-1))).toEqual(['half.flow.yaml:7-7', 'calls.flow.yaml:7-10']);
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('4');
  await expect(client.stepInRequest({ threadId: 1, targetId: 9 })).rejects.toThrow('no longer');
});

test('pause stops a run that does not end by itself', async () => {
  await launch({ program: write('endless.flow.yaml', loop.replace('n < 3', 'n < 1 || n >= 1')), stopOnEntry: false });
  await expect(client.stackTraceRequest(go)).rejects.toThrow('in progress');
  await client.pauseRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'pause' });
  expect((await client.frames()).length).toBe(1);
});

test('stepBack and reverseContinue look at recorded steps, and going forth replays them until the present', async () => {
  await launch({ stopOnEntry: false }, () => at({ line: again }));
  for (const hit of ['b1: before Once more', 'b1: before Once more, hit 2', 'b1: before Once more, hit 3']) {
    expect(await client.stopped()).toMatchObject({ description: hit });
    await client.continueRequest(go);
  }
  await client.stopped();
  const before = await runs();
  for (let back = 0; back < 2; back += 1) {
    await client.stepBackRequest(go);
    expect(await client.stopped()).toMatchObject({ reason: 'step' });
  }
  expect((await client.frames())[0]).toContain('Count');
  await client.reverseContinueRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'breakpoint', description: 'b1: before Once more, hit 3' });
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('2');
  await client.reverseContinueRequest(go);
  await client.stopped();
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('1');
  await client.nextRequest(go);
  await client.stopped();
  expect((await client.evaluateRequest({ expression: 'states.Count.n' })).body.result).toBe('2');
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ description: 'b1: before Once more, hit 3' });
  expect(client.text).not.toContain('the present again');
  await client.continueRequest(go);
  await client.stopped();
  expect(client.text).toContain('This is the present again.');
  expect((await client.frames())[0]).toContain('Asked');
  await at();
  await client.reverseContinueRequest(go);
  expect(await client.stopped()).toMatchObject({ description: 'Start of the run' });
  await expect(client.stepBackRequest(go)).rejects.toThrow('the start of the run');
  expect(await runs()).toEqual(before);
});

test('evaluate answers watches, the pointer, the clipboard and the console', async () => {
  await launch();
  await client.stopped();
  await client.nextRequest(go);
  await client.stopped();
  const value = async (expression: string, context: string) => (await client.evaluateRequest({ expression, context })).body;
  expect(await value('n + 1', 'watch')).toMatchObject({ result: '1', type: 'integer', variablesReference: 0 });
  expect(await client.evaluateRequest({ expression: 'Count', context: 'hover' })).toMatchObject({ body: { type: 'object' } });
  expect((await client.evaluateRequest({ expression: 'list', context: 'clipboard' })).body.result).toBe('[\n  10,\n  20,\n  30\n]');
  const opened = await value('list', 'repl');
  expect(await client.inside(opened.variablesReference)).toMatchObject({ 2: { value: '30' } });
  await expect(value('list[', 'watch')).rejects.toThrow('The expression is invalid');
});

test('a value can not be set; fork continues from the shown step in a new run', async () => {
  await launch({ stopOnEntry: false });
  await client.stopped();
  for (const command of ['setExpression', 'setVariable'])
    await expect(client.customRequest(command, { expression: 'n', value: '1' })).rejects.toThrow('Type "fork"');
  const { body } = await client.customRequest('pravah/lineage', { state: 'Asked' });
  expect(body.steps[0]).toMatchObject({ how: 'asked', state: 'Asked', node: 'Count' });
  const [{ run_id: parent = '' } = {}] = await runs();
  await client.stepBackRequest(go);
  await client.stopped();
  expect((await client.evaluateRequest({ expression: 'fork', context: 'repl' })).body.result).toContain(`Forked from ${parent}`);
  expect(await client.stopped()).toMatchObject({ description: 'Start of the fork' });
  await client.nextRequest(go);
  await client.stopped();
  expect((await client.frames())[0]).toContain('Asked');
  const compared = await client.customRequest('pravah/compare', { run: parent });
  expect(compared.body).toMatchObject({ shared: expect.anything() });
  const exited = client.waitForEvent('exited');
  await client.customRequest('pravah/answer', { payload: 7 });
  expect((await exited).body).toEqual({ exitCode: 0 });
  expect((await runs()).map(({ status }) => status).toSorted()).toEqual(['success', 'suspended']);
});

test('pin supplies what the next node produces in this session', async () => {
  await launch();
  await client.stopped();
  const type = async (expression: string) => (await client.evaluateRequest({ expression, context: 'repl' })).body.result;
  expect(await type('pin {"n": 2, "list": []}')).toContain('A of loop.flow.yaml');
  await client.nextRequest(go);
  await client.stopped();
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('2');
  await expect(type('pin {"n": 9}')).rejects.toThrow('branch');
  expect(await type('pin Asked {"n": 9}')).toContain('Count of loop.flow.yaml');
  await client.nextRequest(go);
  await client.stopped();
  expect((await client.frames())[0]).toContain('Asked');
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('9');
  expect(await type('pin off')).toBe('No output is pinned.');
  await expect(type('pin {')).rejects.toThrow('not valid JSON');
});

test('noDebug runs without breakpoints, also those set later', async () => {
  const exited = client.waitForEvent('exited');
  const text = loop.replace('kind: suspend', 'kind: work');
  const other = write('work.flow.yaml', text);
  const set = () => client.setBreakpointsRequest({ source: { path: other }, breakpoints: [{ line: again }] });
  await launch({ program: other, noDebug: true, stopOnEntry: false }, set);
  await set();
  expect((await exited).body).toEqual({ exitCode: 0 });
  expect(client.events).not.toContain('stopped');
});

test('pravah/fork takes a step', async () => {
  await launch({ stopOnEntry: false });
  await client.stopped();
  const { body } = await client.customRequest('pravah/fork', { seq: 1 });
  await client.stopped();
  expect(body.run).toBe((await runs())[0]?.run_id);
  expect((await client.frames())[0]).toContain('Count');
});

test('pravah/lineage follows a state back and forth, and names a state that is not there', async () => {
  await launch({ stopOnEntry: false });
  await client.stopped();
  const steps = async (args: object) => {
    const { body } = await client.customRequest('pravah/lineage', args);
    return (body.steps as { seq: number; how: string; node: string | null }[]).map(({ seq, how, node }) => [seq, how, node]);
  };
  expect(await steps({ state: 'Again', seq: 2 })).toEqual([
    [2, 'asked', 'Count'],
    [1, 'consumed', 'A'],
    [0, 'consumed', null],
  ]);
  expect(await steps({ state: 'Count', seq: 1, path: '/list', direction: 'forth' })).toContainEqual([2, 'copied', 'Count']);
  await expect(client.customRequest('pravah/lineage', { state: 'Absent' })).rejects.toThrow('Absent');
  await expect(client.customRequest('pravah/lineage', {})).rejects.toThrow('The arguments of "pravah/lineage" are invalid');
  // A wrong request leaves the session as it was.
  expect((await client.frames())[0]).toContain('Asked');
});

test('pravah/compare aligns the run with another one, and refuses one that does not exist', async () => {
  await launch({ stopOnEntry: false });
  await client.stopped();
  const [{ run_id: parent = '' } = {}] = await runs();
  await client.customRequest('pravah/fork', { seq: 1 });
  await client.stopped();
  expect((await client.evaluateRequest({ expression: 'pin Again {"n": 3, "list": [1]}', context: 'repl' })).body.result).toContain(
    'pinned',
  );
  await client.continueRequest(go);
  await client.stopped();
  const { body } = await client.customRequest('pravah/compare', { run: parent });
  expect(body).toMatchObject({ other_run_id: parent, shared: { seq: 0, other_seq: 1 } });
  expect(body.first_divergence).toBeGreaterThan(0);
  expect(body.steps[body.first_divergence].differs).toContain('states');
  await expect(client.customRequest('pravah/compare', { run: 'r-absent' })).rejects.toThrow('r-absent');
  await expect(client.customRequest('pravah/compare', {})).rejects.toThrow('The arguments of "pravah/compare" are invalid');
});

test('pravah/answer is refused where nothing waits, and answers what does', async () => {
  await launch();
  await client.stopped();
  await expect(client.customRequest('pravah/answer', { payload: 7 })).rejects.toThrow('Nothing waits for an answer');
  await client.continueRequest(go);
  await client.stopped();
  await expect(client.customRequest('pravah/answer', {})).rejects.toThrow('The arguments of "pravah/answer" are invalid');
  const exited = client.waitForEvent('exited');
  const { body } = await client.customRequest('pravah/answer', { payload: { n: 7 } });
  expect(body.result).toBe('answered');
  expect((await exited).body).toEqual({ exitCode: 0 });
  expect(await runs()).toMatchObject([{ status: 'success' }]);
});

test('disconnect leaves the run paused, in the middle of driving too', async () => {
  await launch({ program: write('endless.flow.yaml', loop.replace('n < 3', 'n < 1 || n >= 1')), stopOnEntry: false });
  await client.disconnectRequest();
  expect(await runs()).toMatchObject([{ status: 'paused' }]);
});

test('disconnect cancels the run if the client asks for it', async () => {
  await launch();
  await client.stopped();
  await client.disconnectRequest({ terminateDebuggee: true });
  expect(await runs()).toMatchObject([{ status: 'cancelled' }]);
});

test('terminate cancels the run and ends the session', async () => {
  await launch({ program: write('endless.flow.yaml', loop.replace('n < 3', 'n < 1 || n >= 1')), stopOnEntry: false });
  const terminated = client.waitForEvent('terminated');
  await client.terminateRequest();
  await terminated;
  expect(client.events.filter((event) => event === 'terminated')).toHaveLength(1);
  expect(await runs()).toMatchObject([{ status: 'cancelled' }]);
});

test('restart begins a new run of the current file with the same input', async () => {
  await launch({ input: { seed: 5 } }, () => at({ line: again }));
  await client.stopped();
  writeFileSync(program, loop.replace('n: 0', 'n: 1'));
  await client.restartRequest({});
  expect(await client.stopped()).toMatchObject({ reason: 'entry' });
  expect((await client.evaluateRequest({ expression: 'input.seed' })).body.result).toBe('5');
  await client.continueRequest(go);
  expect(await client.stopped()).toMatchObject({ reason: 'breakpoint', hitBreakpointIds: [1] });
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('1');
  expect((await runs()).map(({ status }) => status).toSorted()).toEqual(['cancelled', 'paused']);
});

test('attach takes up a run that was left, and shows one that has ended', async () => {
  await launch({ stopOnEntry: false });
  await client.stopped();
  await client.disconnectRequest();
  await closed;
  const [{ run_id = '' } = {}] = await runs();
  const attached = async () => {
    ({ client } = connected());
    await client.initializeRequest();
    await client.attachRequest({ run: run_id, folder } as DebugProtocol.AttachRequestArguments);
    await client.configurationDoneRequest();
    await client.stopped();
  };
  await attached();
  const exited = client.waitForEvent('exited');
  await client.customRequest('pravah/answer', { payload: 7 });
  await exited;
  await client.disconnectRequest();
  await attached();
  expect((await client.frames())[0]).toContain('Asked');
  expect((await client.evaluateRequest({ expression: 'n' })).body.result).toBe('3');
});

test('launch refuses a flow with errors, one that needs trust, and a missing input, and says what to do', async () => {
  await client.initializeRequest();
  const start = (name: string, text: string) =>
    client.launchRequest({ program: write(name, text), folder } as DebugProtocol.LaunchRequestArguments);
  await expect(start('bad.flow.yaml', loop.replace('to: Count', 'to: Nowhere'))).rejects.toThrow('bad.flow.yaml has errors');
  const module = loop.replace('expr: n < 3', 'module: ./x.ts');
  await expect(start('code.flow.yaml', module)).rejects.toThrow('--trust');
  await expect(start('in.flow.yaml', loop.replace('A: {}', 'A: { type: string }'))).rejects.toThrow('Add "input"');
  await expect(client.configurationDoneRequest()).rejects.toThrow('Send "launch" or "attach" first.');
  await client.launchRequest({ program, folder } as DebugProtocol.LaunchRequestArguments);
  await expect(client.launchRequest({ program, folder } as DebugProtocol.LaunchRequestArguments)).rejects.toThrow('already has a run');
});

test('a wrong message is answered with an error, and the session goes on', async () => {
  await client.initializeRequest();
  await expect(client.customRequest('gotoTargets', {})).rejects.toThrow('Unknown request "gotoTargets".');
  await expect(client.customRequest('toString')).rejects.toThrow('Unknown request');
  await expect(client.customRequest('launch', { program: 7 })).rejects.toThrow('at program');
  await expect(client.customRequest('scopes')).rejects.toThrow('The arguments of "scopes" are invalid');
  for (const text of ['no json', '[]', 'null', '{"type":"response","request_seq":1}']) {
    const ignored = client.waitForEvent('output');
    toAdapter.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    expect((await ignored).body.output).toContain('Ignored a message of the client');
  }
  expect((await client.threadsRequest()).body.threads).toHaveLength(1);
});

test('lines are counted from 0 for a client that does so', async () => {
  await client.initializeRequest({ adapterID: 'pravah', linesStartAt1: false, pathFormat: 'path' });
  await client.launchRequest({ program, folder } as DebugProtocol.LaunchRequestArguments);
  expect((await at({ line: again - 1 })).body.breakpoints).toMatchObject([{ verified: true, line: again - 1 }]);
  await client.configurationDoneRequest();
  await client.stopped();
  expect((await client.stackTraceRequest(go)).body.stackFrames).toMatchObject([{ line: again - 1 }]);
});
