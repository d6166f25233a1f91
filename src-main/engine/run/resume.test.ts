import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { flowOf, type NodeSketch, run, work } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { argsHash } from '#main/engine/tool-calls/tool-call-events.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

const toolBody = (tool: string, input: Readonly<Record<string, Json>>, into?: string): NodeBody => ({
  type: 'tool',
  tool,
  with: input,
  into,
});

function agent(model: string, ...tools: (string | { use: string; approve: 'always' | 'never' })[]): NodeSketch {
  return { kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: { model, tools } } };
}

const suspendNode: NodeSketch = { kind: 'suspend', from: ['B'], to: ['C'], body: { type: 'suspend' } };
const decision = { C: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false } };

async function waiting(space: TestWorkspace, nodes: readonly NodeSketch[], input: Json = {}): Promise<FlowRuntime> {
  const runtime = FlowRuntime.new(flowOf(nodes), input);
  expect((await goOn(runtime, space.context)).type).toBe('suspend');
  return runtime;
}

const callId = (runtime: FlowRuntime) => runtime.snapshot().control.suspensions[0]?.tool_call_id as string;

describe('a suspend node', () => {
  const nodes = [work('A', 'B'), suspendNode, work('C', 'Z')];

  it('shows its state and takes the answer as the next one', async () => {
    using space = new TestWorkspace();
    const runtime = FlowRuntime.new(flowOf(nodes, { schemas: decision }), { q: 'go?' });
    expect(await goOn(runtime, space.context)).toEqual({
      type: 'suspend',
      reason: 'suspend_node',
      tool_id: 'B::suspend',
      node: 'B',
      tool_call_id: callId(runtime),
      value: { q: 'go?' },
      payload_schema: decision.C,
    });
    expect(await runtime.resume(space.context, 'B::suspend', { ok: true })).toEqual({ type: 'continue' });
    expect(await runtime.next(space.context)).toEqual({ type: 'done', output: { ok: true } });
    expect(space.events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '1 node_enter',
      '1 node_exit',
      '2 node_enter',
      '2 suspended',
      '3 resumed',
      '4 node_exit',
      '5 node_enter',
      '5 node_exit',
    ]);
  });

  it('refuses every wrong call, changes nothing by it, and still takes the right one', async () => {
    using space = new TestWorkspace();
    const runtime = FlowRuntime.new(flowOf(nodes, { schemas: decision }), {});
    expect(await failureFrom(runtime.resume(space.context, 'B::suspend', { ok: true }))).toMatchObject({ variant: 'UnexpectedResumption' });
    await goOn(runtime, space.context);
    const before = JSON.stringify(runtime.snapshot());
    const id = callId(runtime);
    const refusals = [
      [runtime.next(space.context), { variant: 'ResumeRequired', tool_id: 'B::suspend' }],
      [
        () => runtime.resume(space.context, 'B::other', { ok: true }),
        { variant: 'ResumeMismatchError', details: { expected: 'B::suspend' } },
      ],
      [
        () => runtime.resume(space.context, 'B::suspend', { ok: true }, { tool_call_id: 'old' }),
        { variant: 'ResumeMismatchError', details: { tool_call_id: id } },
      ],
      [
        () => runtime.resume(space.context, 'B::suspend', { ok: 'yes' }),
        { variant: 'DeserializeError', node: 'B', details: { path: '/ok' } },
      ],
      [() => runtime.resume(space.context, 'B::suspend', { ok: true, n: Number.NaN }), { variant: 'DeserializeError' }],
    ] as const;
    for (const [call, error] of refusals) {
      expect(await failureFrom(typeof call === 'function' ? call() : call)).toMatchObject(error);
      expect(JSON.stringify(runtime.snapshot())).toBe(before);
    }
    expect(await runtime.resume(space.context, 'B::suspend', { ok: true }, { tool_call_id: id })).toEqual({ type: 'continue' });
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: { ok: true } });
    expect(await failureFrom(runtime.resume(space.context, 'B::suspend', { ok: true }))).toMatchObject({ variant: 'UnexpectedResumption' });
  });
});

describe('an approval', () => {
  const write = { tool_calls: [{ tool: 'write_file', input: { path: 'note.txt', content: 'one' } }] };
  const always = { use: 'write_file', approve: 'always' } as const;

  it('is asked before the call, with what it would change', async () => {
    using space = new TestWorkspace();
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    expect(runtime.snapshot().control.suspensions).toMatchObject([
      {
        reason: 'approval',
        tool_id: 'A::write_file',
        value: {
          kind: 'approval',
          tool: 'write_file',
          input: { path: 'note.txt', content: 'one' },
          input_schema: {},
          path: 'note.txt',
          before_hash: null,
        },
      },
    ]);
    expect(() => space.read('note.txt')).toThrow();
    expect(await runtime.resume(space.context, 'A::write_file', { approve: true })).toEqual({ type: 'continue' });
    expect(space.read('note.txt')).toBe('one');
    expect([space.count('tool_call'), space.count('tool_result'), space.count('suspended'), space.count('resumed')]).toEqual([1, 1, 1, 1]);
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 1 });
  });

  it('may edit the input, which is checked', async () => {
    using space = new TestWorkspace();
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    const wrong: Json[] = [{ path: 5 }, { path: 'a', content: 'b', colour: 'red' }];
    for (const input of wrong) {
      const error = await failureFrom(runtime.resume(space.context, 'A::write_file', { approve: true, input }));
      expect(error).toMatchObject({ variant: 'DeserializeError', details: { path: expect.stringContaining('/input/') } });
    }
    await runtime.resume(space.context, 'A::write_file', { approve: true, input: { path: 'other.txt', content: 'two' } });
    expect(space.read('other.txt')).toBe('two');
    expect(() => space.read('note.txt')).toThrow();
  });

  it('reports an edited input to the model and in the events, beside what the model had asked for', async () => {
    using space = new TestWorkspace();
    const model = space.script(write, { expect: { contains: 'It ran with: {"path":"other.txt","content":"two"}' }, output: 1 });
    const runtime = await waiting(space, [agent(model, always)]);
    const input = { path: 'other.txt', content: 'two' };
    await runtime.resume(space.context, 'A::write_file', { approve: true, input });
    const [asked, result] = (runtime.history().A ?? []).slice(-2).map(({ content }) => content[0]);
    expect(asked).toMatchObject({ type: 'tool_call', input: { path: 'note.txt', content: 'one' } });
    expect(result).toMatchObject({ type: 'tool_result', is_error: false, ran_with: input, edited_by: 'person' });
    const call_id = expect.any(String);
    expect(space.events.filter(({ type }) => type.startsWith('tool_') || type === 'resumed')).toMatchObject([
      { type: 'tool_call', arguments: { path: 'note.txt', content: 'one' }, args_hash: argsHash({ path: 'note.txt', content: 'one' }) },
      { type: 'resumed' },
      { type: 'tool_call_edited', node: 'A', tool_call_id: call_id, arguments: input, args_hash: argsHash(input), by: 'person' },
      { type: 'tool_result', args_hash: argsHash(input) },
    ]);
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 1 });
  });

  it('that repeats the input is not an edit, whatever the order of its fields', async () => {
    using space = new TestWorkspace();
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    await runtime.resume(space.context, 'A::write_file', { approve: true, input: { content: 'one', path: 'note.txt' } });
    expect(space.count('tool_call_edited')).toBe(0);
    expect(JSON.stringify(runtime.history())).not.toContain('ran_with');
  });

  it('runs the edited input that the second question showed, when the file changed after the first', async () => {
    using space = new TestWorkspace();
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    space.write('note.txt', 'changed meanwhile');
    const input = { path: 'note.txt', content: 'two' };
    const again = await runtime.resume(space.context, 'A::write_file', { approve: true, input });
    expect(again).toMatchObject({ type: 'suspend', reason: 'approval', value: { input } });
    await runtime.resume(space.context, 'A::write_file', { approve: true });
    expect(space.read('note.txt')).toBe('two');
    expect(runtime.history().A?.at(-1)?.content).toMatchObject([{ ran_with: input, edited_by: 'person' }]);
  });

  it('masks a secret that a person typed into the input', async () => {
    using space = new TestWorkspace({ secrets: new Map([['token', 'hunter2-hunter2']]) });
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    await runtime.resume(space.context, 'A::write_file', { approve: true, input: { path: 'note.txt', content: 'hunter2-hunter2' } });
    expect(JSON.stringify([runtime.history(), space.events])).not.toContain('hunter2');
  });

  it('leaves the hash of what ran out of the result of a call that was refused', async () => {
    using space = new TestWorkspace();
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    await runtime.resume(space.context, 'A::write_file', { approve: false });
    const result = space.events.find(({ type }) => type === 'tool_result');
    expect(result).toMatchObject({ is_error: true, error_code: 'TOOL_DENIED' });
    expect(result).not.toHaveProperty('args_hash');
  });

  it('sends a refusal and its reason to the model', async () => {
    using space = new TestWorkspace();
    const model = space.script(write, { expect: { contains: 'refused write_file: the disk is full' }, output: 0 });
    const runtime = await waiting(space, [agent(model, always)]);
    await runtime.resume(space.context, 'A::write_file', { approve: false, reason: 'the disk is full' });
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 0 });
    expect(() => space.read('note.txt')).toThrow();
  });

  it('shows the difference again when the file has changed since the question', async () => {
    using space = new TestWorkspace();
    const runtime = await waiting(space, [agent(space.script(write, { output: 1 }), always)]);
    space.write('note.txt', 'another program');
    const again = await runtime.resume(space.context, 'A::write_file', { approve: true });
    expect(again).toMatchObject({ type: 'suspend', reason: 'approval', value: { before_hash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(space.read('note.txt')).toBe('another program');
    await runtime.resume(space.context, 'A::write_file', { approve: true });
    expect(space.read('note.txt')).toBe('one');
  });

  it('is not asked for what is refused in any case', async () => {
    using space = new TestWorkspace();
    const model = space.script({ tool_calls: [{ tool: 'write_file', input: { path: '.git/config', content: '' } }] }, { output: 1 });
    expect(await goOn(FlowRuntime.new(flowOf([agent(model, always)]), {}), space.context)).toEqual({ type: 'done', output: 1 });
    expect(space.calls[0]).toMatchObject(['write_file', expect.stringContaining('Denied'), true]);
  });

  it.each([
    ['by the tool itself', 'run_command', {}, true, true],
    ['not where a trusted author lifts it', { use: 'run_command', approve: 'never' }, {}, true, false],
    ['where the author lifts it in a folder that is not trusted', { use: 'run_command', approve: 'never' }, {}, false, true],
    ['where the workspace insists', { use: 'run_command', approve: 'never' }, { run_command: 'always' }, true, true],
    ['where the workspace is laxer than the tool', 'run_command', { run_command: 'never' }, true, true],
  ] as const)('of an agent is asked %s', async (_name, use, approve, trusted, asks) => {
    using space = new TestWorkspace({ approve, trusted, commands: ['true'] });
    const model = space.script({ tool_calls: [{ tool: 'run_command', input: { command: 'true' } }] }, { output: 1 });
    const outcome = await goOn(FlowRuntime.new(flowOf([agent(model, use)]), {}), space.context);
    expect(outcome.type).toBe(asks ? 'suspend' : 'done');
  });

  it.each([
    ['written out', { command: 'echo', args: ['hi'] }, ['echo'], 'done'],
    ['filled in, under a rule that pins them down', { command: 'echo', args: ['{word}'] }, [{ name: 'echo', args: ['*'] }], 'done'],
    ['filled in, under a bare name', { command: 'echo', args: ['{word}'] }, ['echo'], 'suspend'],
  ] as const)('of a tool body whose arguments are %s', async (_name, input, commands, ending) => {
    using space = new TestWorkspace({ commands });
    const body = toolBody('run_command', input as never);
    const outcome = await goOn(FlowRuntime.new(flowOf([work('A', 'Z', body)]), { word: 'hi' }), space.context);
    expect(outcome.type).toBe(ending);
  });
});

describe('several suspensions in one act', () => {
  const ask = (question: string) => ({ tool: 'ask_user', input: { question } });

  it('are asked one after the other in call order, and nothing is done twice', async () => {
    using space = new TestWorkspace();
    const model = space.script(
      { tool_calls: [ask('one?'), { tool: 'storage', input: { path: 'log.txt', action: 'append', data: 'x' } }, ask('two?')] },
      { expect: { contains: 'first' }, output: 1 },
    );
    const runtime = await waiting(space, [agent(model, 'ask_user', 'storage')]);
    const [first, second] = runtime.snapshot().control.suspensions;
    expect(await failureFrom(runtime.resume(space.context, 'A::ask_user', 'first'))).toMatchObject({ variant: 'ResumeMismatchError' });
    const double = runtime.resume(space.context, 'A::ask_user', 'first', { tool_call_id: first?.tool_call_id });
    expect(await double).toMatchObject({ type: 'suspend', tool_call_id: second?.tool_call_id, value: { question: 'two?' } });
    const late = runtime.resume(space.context, 'A::ask_user', 'first', { tool_call_id: first?.tool_call_id });
    expect(await failureFrom(late)).toMatchObject({ variant: 'ResumeMismatchError' });
    await runtime.resume(space.context, 'A::ask_user', 'second');
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 1 });
    expect(space.read('log.txt')).toBe('x');
    expect(space.calls.map(([tool, result]) => [tool, typeof result === 'string' ? result : ''])).toEqual([
      ['storage', ''],
      ['ask_user', 'first'],
      ['ask_user', 'second'],
      ['submit', 'The result was accepted.'],
    ]);
    expect(space.count('tool_call')).toBe(4);
    expect(space.count('suspended')).toBe(2);
  });

  it('refuses an answer that is not among the choices, and a question whose schema is invalid', async () => {
    using space = new TestWorkspace();
    const questions: Json[] = [
      { tool: 'ask_user', input: { question: 'which?', choices: ['a', 'b'] } },
      { tool: 'ask_user', input: { question: 'what?', schema: { type: 'nonsense' } } },
    ];
    const runtime = await waiting(space, [agent(space.script({ tool_calls: questions }, { output: 1 }), 'ask_user')]);
    expect(runtime.snapshot().control.suspensions).toHaveLength(1);
    expect(await failureFrom(runtime.resume(space.context, 'A::ask_user', 'c'))).toMatchObject({ variant: 'DeserializeError' });
    await runtime.resume(space.context, 'A::ask_user', 'b');
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 1 });
  });
});

describe('a tool that turns the answer into its result', () => {
  it('may ask again, and is not started again', async () => {
    let started = 0;
    const tool: Tool = {
      name: 'bargain',
      description: 'Asks until the price is right.',
      input_schema: { type: 'object', properties: {} },
      effect: 'write',
      approve: 'never',
      call: (_input, ctx) => {
        started += 1;
        return ctx.suspend({ price: 10 });
      },
      resume: (_input, payload, ctx) => (payload === 'deal' ? { sold: true } : ctx.suspend({ price: 8 })),
    };
    using space = new TestWorkspace({}, [tool]);
    const runtime = await waiting(space, [work('A', 'Z', toolBody('bargain', {}, 'result'))]);
    expect(await runtime.resume(space.context, 'A::bargain', 'too much')).toMatchObject({ type: 'suspend', value: { price: 8 } });
    expect(await runtime.resume(space.context, 'A::bargain', 'deal')).toEqual({ type: 'done', output: { result: { sold: true } } });
    expect(started).toBe(1);
    expect(space.calls).toHaveLength(1);
  });
});

describe('a tool body', () => {
  it('fails its step with the tool’s own error', async () => {
    using space = new TestWorkspace();
    const runtime = FlowRuntime.new(flowOf([work('A', 'Z', toolBody('read_file', { path: '{where}' }))]), { where: '../x' });
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({ type: 'ToolError', variant: 'PathEscape', node: 'A' });
    const missing = FlowRuntime.new(flowOf([work('A', 'Z', toolBody('read_file', { path: '{who.name}' }))]), { who: {} });
    expect(await failureFrom(missing.next(space.context))).toMatchObject({
      variant: 'HandlerError',
      message: expect.stringContaining('who.name'),
    });
  });

  it('keeps the type of a value that is the whole argument', async () => {
    using space = new TestWorkspace();
    const body = toolBody('transform', { input_data: '{rows}', expression: '$[0]' });
    const runtime = FlowRuntime.new(flowOf([work('A', 'Z', body)]), { rows: [{ a: 1 }] });
    expect(await runtime.next(space.context)).toMatchObject({ type: 'done', output: { result: { a: 1 } } });
  });
});

describe('tools inside a sandboxed handler', () => {
  const source = `async (a, ctx) => {
    const before = [ctx.now(), ctx.random()];
    await ctx.tools.storage({ path: 'log.txt', action: 'append', data: 'x' });
    const answers = await Promise.all([ctx.tools.ask_user({ question: 'one?' }), ctx.tools.ask_user({ question: 'two?' })]);
    await ctx.tools.storage({ path: 'log.txt', action: 'append', data: 'y' });
    return { answers, same: before[0] === ctx.now(), random: before[1] };
  }`;

  it('may ask, and when the handler runs again nothing outside happens twice', async () => {
    let time = 0;
    using space = new TestWorkspace({ clock: { now: () => (time += 1_000) } });
    const runtime = await waiting(space, [work('A', 'Z', run(source, 'storage', 'ask_user'))]);
    const [one, two] = runtime.snapshot().control.suspensions;
    const second = await runtime.resume(space.context, 'A::ask_user', 'yes', { tool_call_id: one?.tool_call_id });
    expect(second).toMatchObject({ type: 'suspend', tool_call_id: two?.tool_call_id });
    const done = await runtime.resume(space.context, 'A::ask_user', 'no');
    expect(done).toMatchObject({ type: 'done', output: { answers: ['yes', 'no'], same: true } });
    expect(space.read('log.txt')).toBe('xy');
    expect(space.count('tool_call')).toBe(4);
    expect(space.count('tool_result')).toBe(4);
  });

  it('ask for approval like an agent’s, and a refusal is thrown inside', async () => {
    using space = new TestWorkspace({ commands: ['true'] });
    const body = run(
      'async (a, ctx) => { try { return await ctx.tools.run_command({ command: "true" }); } catch (e) { return [e.name, e.variant, e.message]; } }',
      'run_command',
    );
    const runtime = await waiting(space, [work('A', 'Z', body)]);
    const done = await runtime.resume(space.context, 'A::run_command', { approve: false, reason: 'not now' });
    expect(done).toMatchObject({ type: 'done', output: ['ToolError', 'Denied', expect.stringContaining('not now')] });
  });

  it('fail the step as HandlerError with the tool’s error as its cause, if it is not caught', async () => {
    using space = new TestWorkspace();
    const body = run('(a, ctx) => ctx.tools.read_file({ path: "absent.txt" })', 'read_file');
    const error = await failureFrom(FlowRuntime.new(flowOf([work('A', 'Z', body)]), {}).next(space.context));
    expect(error).toMatchObject({ variant: 'HandlerError', node: 'A', cause: { type: 'ToolError', variant: 'Io' } });
  });

  it('finish before the step does, although the handler did not wait for them', async () => {
    using space = new TestWorkspace();
    const body = run('(a, ctx) => { ctx.tools.storage({ path: "log.txt", action: "append", data: "x" }); return 1; }', 'storage');
    expect(await FlowRuntime.new(flowOf([work('A', 'Z', body)]), {}).next(space.context)).toEqual({ type: 'done', output: 1 });
    expect(space.read('log.txt')).toBe('x');
  });
});
