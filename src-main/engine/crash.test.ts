import { describe, expect, it } from 'vitest';
import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { flowOf, run, work } from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { FlowRuntime } from './flow-runtime.ts';

const append = (data: string) => ({ path: 'log.txt', action: 'append', data });
const toolBody: NodeBody = { type: 'tool', tool: 'storage', with: append('x'), into: 'saved' };

/** A run that is lost at its first such effect, and taken up again from what was written down. */
class LostRun {
  readonly recorder = new MemoryRecorder();
  readonly graph: FlowGraph;
  #runtime: FlowRuntime;

  constructor(graph: FlowGraph) {
    this.graph = graph;
    this.#runtime = FlowRuntime.new(graph, { n: 1 }, { recorder: this.recorder, run_id: 'run' });
  }

  async crash(space: TestWorkspace, place: 'in' | 'after', kind: string): Promise<void> {
    this.recorder.crashAt = (where, effect) => where === place && effect.kind === kind && effect.name !== 'ctx.now';
    await failureFrom(goOn(this.#runtime, space.context));
    this.recorder.crashAt = () => false;
  }

  reopened(): FlowRuntime {
    const before = this.#runtime;
    const snapshot = JSON.parse(JSON.stringify(before.snapshot())) as ReturnType<FlowRuntime['snapshot']>;
    this.#runtime = FlowRuntime.fromSnapshot(this.graph, snapshot, { recorder: this.recorder }).withHistory(before.history());
    return this.#runtime;
  }
}

describe('a run whose process ended', () => {
  it('uses the recorded outcome of an effect that had ended', async () => {
    using space = new TestWorkspace();
    const lost = new LostRun(flowOf([work('A', 'Z', toolBody)]));
    await lost.crash(space, 'after', 'tool');
    expect(await goOn(lost.reopened(), space.context)).toMatchObject({ type: 'done' });
    expect(space.read('log.txt')).toBe('x');
  });

  it('asks about an effect that had started, and repeats it only if the answer says so', async () => {
    using space = new TestWorkspace();
    const lost = new LostRun(flowOf([work('A', 'Z', toolBody)]));
    await lost.crash(space, 'in', 'tool');
    const runtime = lost.reopened();
    expect(await goOn(runtime, space.context)).toMatchObject({
      type: 'suspend',
      reason: 'unknown_outcome',
      tool_id: 'A::storage',
      value: { kind: 'unknown_outcome', effect: 'tool', name: 'storage', input: append('x') },
    });
    expect(() => space.read('log.txt')).toThrow();
    expect(await failureFrom(runtime.resume(space.context, 'A::storage', { approve: true }))).toMatchObject({
      variant: 'DeserializeError',
    });
    expect(await runtime.resume(space.context, 'A::storage', { retry: true })).toMatchObject({ type: 'done' });
    expect(space.read('log.txt')).toBe('x');
  });

  it('takes the outcome that a person supplies', async () => {
    using space = new TestWorkspace();
    const lost = new LostRun(flowOf([work('A', 'Z', toolBody)]));
    await lost.crash(space, 'in', 'tool');
    const runtime = lost.reopened();
    await goOn(runtime, space.context);
    expect(await runtime.resume(space.context, 'A::storage', { result: 'it was saved' })).toEqual({
      type: 'done',
      output: { n: 1, saved: 'it was saved' },
    });
    expect(() => space.read('log.txt')).toThrow();
  });

  it.each<[string, NodeBody, string, string]>([
    ['a model call', { type: 'agent', agent: { model: 'script://script.json' } }, 'model', 'from the model'],
    ['an idempotent tool', { type: 'tool', tool: 'set_note', with: {} }, 'tool', 'a note'],
    ['a tool that only reads', { type: 'tool', tool: 'read_file', with: { path: 'note.txt' } }, 'tool', 'a note'],
  ])('repeats %s that had started, and says so', async (_name, body, kind, output) => {
    const setNote: Tool = {
      name: 'set_note',
      description: '',
      input_schema: { type: 'object' },
      effect: 'write',
      idempotent: true,
      approve: 'never',
      call: () => 'a note',
    };
    using space = new TestWorkspace({}, [setNote]);
    space.script({ text: 'from the model' });
    space.write('note.txt', 'a note');
    const node = { kind: body.type === 'agent' ? ('agent' as const) : ('work' as const), from: ['A'], to: ['Z'], body };
    const lost = new LostRun(flowOf([node], { schemas: body.type === 'agent' ? { Z: { type: 'string' } } : {} }));
    await lost.crash(space, 'in', kind);
    lost.reopened();
    await lost.crash(space, 'in', kind);
    expect(await goOn(lost.reopened(), space.context)).toEqual({ type: 'done', output });
    const repeated = { type: 'lifecycle', node: 'A', attempt: 2, reason: 'unknown_outcome' };
    expect(lost.recorder.records.at(-1)?.events).toContainEqual(expect.objectContaining(repeated));
  });

  it('does not repeat what a sandboxed handler had done, nor show it another time', async () => {
    let time = 0;
    using space = new TestWorkspace({ clock: { now: () => (time += 1_000) } });
    const source = `async (a, ctx) => {
      const line = String(ctx.now()) + ctx.random() + ';';
      await ctx.tools.storage({ path: 'log.txt', action: 'append', data: line });
      await ctx.tools.storage({ path: 'log.txt', action: 'append', data: 'again ' + line });
      return line;
    }`;
    const lost = new LostRun(flowOf([work('A', 'Z', run(source, 'storage'))]));
    await lost.crash(space, 'after', 'tool');
    const first = space.read('log.txt');
    const done = await goOn(lost.reopened(), space.context);
    expect(done).toEqual({ type: 'done', output: first });
    expect(space.read('log.txt')).toBe(`${first}again ${first}`);
  });

  it.each([
    ['again', { retry: true }, { calls: 2 }],
    ['with what a person says', { result: 'by hand' }, 'by hand'],
  ])('goes on %s where a handler that is not pure was under way', async (_name, payload, output) => {
    let calls = 1;
    const call = () => {
      calls += 1;
      return { calls };
    };
    using space = new TestWorkspace();
    const body: NodeBody = { type: 'function', call, pure: false, tools: [] };
    const lost = new LostRun(flowOf([work('A', 'Z', body)]));
    await lost.crash(space, 'in', 'handler');
    const runtime = lost.reopened();
    expect(await goOn(runtime, space.context)).toMatchObject({ type: 'suspend', reason: 'unknown_outcome', tool_id: 'A::handler' });
    expect(await runtime.resume(space.context, 'A::handler', payload)).toEqual({ type: 'done', output });
  });

  it('does not repeat what a handler in code had done when a person has it done again, nor tell it another time', async () => {
    let time = 0;
    using space = new TestWorkspace({ clock: { now: () => (time += 1_000) } });
    const call = async (_a: unknown, ctx: HandlerContext) => {
      const line = `${ctx.now()} ${ctx.random()};`;
      await ctx.tools.storage?.(append(line));
      await ctx.tools.storage?.(append('and then '));
      await ctx.tools.storage?.(append(line));
      return line;
    };
    const lost = new LostRun(flowOf([work('A', 'Z', { type: 'function', call, pure: false, tools: ['storage'] })]));
    const question = { type: 'suspend', reason: 'unknown_outcome', tool_id: 'A::handler' };
    let calls = 0;
    const endAt = (at: number, where: 'in' | 'after') => {
      lost.recorder.crashAt = (place, { kind }) => kind === 'tool' && place === where && ++calls === at;
    };
    endAt(1, 'after');
    await failureFrom(goOn(lost.reopened(), space.context));
    const line = space.read('log.txt');
    endAt(3, 'in');
    const again = lost.reopened();
    expect(await goOn(again, space.context)).toMatchObject(question);
    await failureFrom(again.resume(space.context, 'A::handler', { retry: true }));
    expect(space.read('log.txt')).toBe(`${line}and then `);
    lost.recorder.crashAt = () => false;
    const last = lost.reopened();
    expect(await goOn(last, space.context)).toMatchObject(question);
    expect(await last.resume(space.context, 'A::handler', { retry: true })).toEqual({ type: 'done', output: line });
    expect(space.read('log.txt')).toBe(`${line}and then ${line}`);
    expect(last.snapshot().control.handlers).toEqual({});
  });

  it('keeps an approval when it ended in the approved call', async () => {
    using space = new TestWorkspace();
    const call = { tool: 'write_file', input: { path: 'note.txt', content: 'one' } };
    const settings = {
      model: space.script({ tool_calls: [call] }, { output: 1 }),
      tools: [{ use: 'write_file', approve: 'always' as const }],
    };
    const graph = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: settings } }]);
    const lost = new LostRun(graph);
    const waiting = lost.reopened();
    expect(await goOn(waiting, space.context)).toMatchObject({ type: 'suspend' });
    lost.recorder.crashAt = (place, { kind }) => place === 'in' && kind === 'tool';
    await failureFrom(waiting.resume(space.context, 'A::write_file', { approve: true }));
    lost.recorder.crashAt = () => false;
    const runtime = lost.reopened();
    expect(runtime.snapshot().control).toMatchObject({ suspensions: [], answers: [{ payload: { approve: true } }] });
    expect(await failureFrom(runtime.resume(space.context, 'A::write_file', { approve: true }))).toMatchObject({
      variant: 'UnexpectedResumption',
    });
    expect(await runtime.next(space.context)).toMatchObject({ type: 'suspend', reason: 'unknown_outcome' });
    expect(await runtime.resume(space.context, 'A::write_file', { retry: true })).toEqual({ type: 'continue' });
    expect(space.read('note.txt')).toBe('one');
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: 1 });
  });

  it('does not lose an answer that was taken', async () => {
    using space = new TestWorkspace();
    const source =
      'async (a, ctx) => [await ctx.tools.ask_user({ question: "who?" }), await ctx.tools.storage({ path: "log.txt", action: "append", data: "x" })]';
    const lost = new LostRun(flowOf([work('A', 'Z', run(source, 'ask_user', 'storage'))]));
    const waiting = lost.reopened();
    expect(await goOn(waiting, space.context)).toMatchObject({ type: 'suspend' });
    lost.recorder.crashAt = (place, { kind }) => place === 'in' && kind === 'tool';
    await failureFrom(waiting.resume(space.context, 'A::ask_user', 'me'));
    lost.recorder.crashAt = () => false;
    const runtime = lost.reopened();
    expect(await runtime.next(space.context)).toMatchObject({ type: 'suspend', reason: 'unknown_outcome', tool_id: 'A::storage' });
    expect(await runtime.resume(space.context, 'A::storage', { result: 'saved' })).toEqual({ type: 'done', output: ['me', 'saved'] });
    expect(lost.recorder.records.map(({ type }) => type)).toEqual(['suspended', 'resumed', 'suspended', 'resumed', 'transition']);
  });
});
