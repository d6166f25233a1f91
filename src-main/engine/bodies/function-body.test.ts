import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import { flowOf, work } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { NodeBody } from '#shared/flow/graph.ts';

const body = (call: (input: never, ctx: HandlerContext) => unknown, ...tools: string[]): NodeBody => ({
  type: 'function',
  call,
  pure: false,
  tools,
});
const start = (node: NodeBody) => FlowRuntime.new(flowOf([work('A', 'Z', node)]), { n: 1 });
const append = { path: 'log.txt', action: 'append', data: 'x' };

describe('a function of a code-first flow', () => {
  it('gets the clock of its step, random numbers, its tools and what the host handed in', async () => {
    using space = new TestWorkspace({ services: { greeting: 'hello' } });
    const handler = body(async (_input, ctx) => {
      ctx.log('here', undefined);
      await ctx.tools.storage?.(append);
      return [ctx.node, ctx.now(), ctx.random() < 1, ctx.services.greeting, Object.keys(ctx.tools), ctx.signal.aborted];
    }, 'storage');
    expect(await start(handler).next(space.context)).toEqual({ type: 'done', output: ['A', 1_000, true, 'hello', ['storage'], false] });
    expect(space.read('log.txt')).toBe('x');
    expect(space.events.find(({ type }) => type === 'log')).toMatchObject({ values: ['here', null] });
  });

  it('has finished only when the calls that it did not wait for have', async () => {
    using space = new TestWorkspace();
    const handler = body(async (_input, ctx) => {
      void ctx.tools.storage?.(append);
      return 1;
    }, 'storage');
    expect(await start(handler).next(space.context)).toEqual({ type: 'done', output: 1 });
    expect(space.read('log.txt')).toBe('x');
  });

  it('cannot suspend or call a tool that asks the user', async () => {
    using space = new TestWorkspace();
    const suspends = body((_input, ctx) => ctx.suspend());
    expect(await failureFrom(start(suspends).next(space.context))).toMatchObject({
      variant: 'HandlerError',
      message: expect.stringContaining('suspend node'),
    });
    const asks = body((_input, ctx) => ctx.tools.ask_user?.({ question: '?' }), 'ask_user');
    expect(await failureFrom(start(asks).next(space.context))).toMatchObject({
      variant: 'HandlerError',
      message: expect.stringContaining('cannot wait'),
    });
  });

  it('fails with a tool’s error as its cause where it does not catch it', async () => {
    using space = new TestWorkspace();
    const reads = body((_input, ctx) => ctx.tools.read_file?.({ path: 'absent.txt' }), 'read_file');
    expect(await failureFrom(start(reads).next(space.context))).toMatchObject({
      variant: 'HandlerError',
      node: 'A',
      cause: { variant: 'Io' },
    });
  });

  it('fails the step, whatever it catches, when a tool’s result holds a secret', async () => {
    using space = new TestWorkspace({ secrets: new Map([['KEY', 'sk-12345678']]) });
    space.write('a.txt', 'the key is sk-12345678');
    const reads = body(async (_input, ctx) => {
      await ctx.tools.read_file?.({ path: 'a.txt' }).catch(() => null);
      return 1;
    }, 'read_file');
    expect(await failureFrom(start(reads).next(space.context))).toMatchObject({ variant: 'SecretInState' });
  });
});
