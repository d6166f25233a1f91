import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf, work } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { NodeBody } from '#shared/flow/graph.ts';

const body = (name: string, ...tools: string[]): NodeBody => ({ type: 'module', file: 'handlers.ts', export: name, tools });

const source = `
export const triple = (input: { n: number }): { n: number } => ({ n: input.n * 3 });
export default async (input: unknown, ctx: any) => { ctx.log('hello', 1); return [ctx.now(), typeof ctx.random(), await ctx.tools.read_file({ path: 'a.txt' })]; };
export const asks = (input: unknown, ctx: any) => ctx.tools.ask_user({ question: '?' });
export const throws = () => { throw Object.assign(new RangeError('too far'), { retryable: false }); };
export const exits = () => process.exit(3);
export const reads = (input: unknown, ctx: any) => ctx.tools.read_file({ path: 'absent.txt' });
export const environment = () => Object.keys(process.env);
export const nothing = () => undefined;
export const forever = () => new Promise(() => setInterval(() => {}, 1000));
export const loops = () => { for (;;); };
export const value = 5;
`;

function start(space: TestWorkspace, name: string, ...tools: string[]): FlowRuntime {
  space.write('handlers.ts', source);
  return FlowRuntime.new(flowOf([work('A', 'Z', body(name, ...tools))]), { n: 2 });
}

describe('a module body', () => {
  it('runs an exported TypeScript function in another process', async () => {
    using space = new TestWorkspace();
    expect(await start(space, 'triple').next(space.context)).toEqual({ type: 'done', output: { n: 6 } });
  });

  it('has a clock, random numbers, a log and its tools', async () => {
    using space = new TestWorkspace();
    space.write('a.txt', 'content');
    const done = await start(space, 'default', 'read_file').next(space.context);
    expect(done).toEqual({ type: 'done', output: [1_000, 'number', expect.stringContaining('content')] });
    expect(space.events.find(({ type }) => type === 'log')).toMatchObject({ values: ['hello', 1] });
  });

  it.each([
    ['throws', 'throws', { variant: 'HandlerError', retryable: false, message: expect.stringContaining('RangeError: too far') }],
    ['ends its process', 'exits', { variant: 'HandlerError', message: expect.stringContaining('code 3') }],
    ['calls a tool that fails', 'reads', { variant: 'HandlerError', cause: { type: 'ToolError', variant: 'Io' } }],
    ['calls a tool that asks', 'asks', { variant: 'HandlerError', message: expect.stringContaining('cannot wait') }],
    ['returns nothing', 'nothing', { variant: 'SerializeError' }],
    ['is no function', 'value', { variant: 'HandlerError', message: expect.stringContaining('no function value') }],
    ['is not there', 'absent', { variant: 'HandlerError', message: expect.stringContaining('no function absent') }],
  ])('fails its step when it %s', async (_name, name, error) => {
    using space = new TestWorkspace();
    expect(await failureFrom(start(space, name, 'read_file', 'ask_user').next(space.context))).toMatchObject({ node: 'A', ...error });
  });

  it('fails with BuildError in a context that starts no process', async () => {
    using space = new TestWorkspace();
    const { codeProcess: _, ...context } = space.context;
    expect(await failureFrom(start(space, 'triple').next(context))).toMatchObject({
      variant: 'BuildError',
      node: 'A',
      message: expect.stringContaining('starts no process'),
    });
  });

  it('sees no key of this process', async () => {
    using space = new TestWorkspace();
    process.env.PRAVAH_TEST_SECRET = 'sk-12345678';
    const done = await start(space, 'environment').next(space.context);
    delete process.env.PRAVAH_TEST_SECRET;
    expect(
      done.type === 'done' &&
        (done.output as string[]).filter((name) => !/^(PATH|HOME|LANG|TZ|TMPDIR|NODE_CHANNEL.*|NODE_COMPILE_CACHE)$/.test(name)),
    ).toEqual([]);
  });

  it.each(['forever', 'loops'])('is ended when the run is cancelled, also when it %s', async (name) => {
    const abort = new AbortController();
    using space = new TestWorkspace({ signal: abort.signal });
    const runtime = start(space, name);
    const step = runtime.next(space.context);
    setImmediate(() => abort.abort());
    expect(await failureFrom(step)).toMatchObject({ variant: 'Cancelled', node: 'A' });
  });

  it('is not run in a folder that is not trusted, nor from outside the folder', async () => {
    using untrusted = new TestWorkspace({ trusted: false });
    expect(await failureFrom(start(untrusted, 'triple').next(untrusted.context))).toMatchObject({ variant: 'BuildError', node: 'A' });
    using space = new TestWorkspace();
    const outside: NodeBody = { type: 'module', file: '../../etc/hostname', export: 'default', tools: [] };
    const runtime = FlowRuntime.new(flowOf([work('A', 'Z', outside)]), {});
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({ variant: 'BuildError', node: 'A' });
  });
});
