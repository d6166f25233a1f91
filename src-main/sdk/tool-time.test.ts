import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { createContext, defineFlow, defineTool, FlowRuntime, jsonSchema, openJournal, state, type ToolCallContext } from './runtime.ts';

const number = jsonSchema<number>({ type: 'number' });
const [A, B] = [state('A', number), state('B', number)];

/** A tool that does not look at its signal. */
function deafTool(call: (ctx: ToolCallContext) => Promise<number>, timeout?: number) {
  const input = z.object({});
  const output = z.number();
  return defineTool({
    name: 'deaf',
    description: 'Ignores its signal.',
    input,
    output,
    approve: 'never',
    timeout,
    call: (_, ctx) => call(ctx),
  });
}

/** A flow whose handler calls the tool and waits for it. */
const calling = defineFlow({ input: A, output: B, tools: ['deaf'] })
  .work(A, B, async (_, ctx) => (await ctx.tools.deaf?.({})) as number, { tools: ['deaf'] })
  .build();

/** A flow whose handler waits for nothing that it can be waited for. */
const endless = defineFlow({ input: A, output: B })
  .work(A, B, () => new Promise<number>(() => undefined))
  .build();

async function temporaryJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-tool-time-'));
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return journal;
}

describe('the timeout of a tool', () => {
  test('ends the call, aborts its signal and drops what comes later', async () => {
    const late = Promise.withResolvers<number>();
    const seen: ToolCallContext[] = [];
    const events: RunEvent[] = [];
    const tool = deafTool((ctx) => {
      seen.push(ctx);
      return late.promise;
    }, 0.02);
    const run = FlowRuntime.new(calling, 1);
    const context = await createContext({ tools: [tool], onEvent: (event) => events.push(event) });
    const failure = await failureFrom(run.next(context));
    expect(failure).toMatchObject({ variant: 'HandlerError', cause: { code: 'TOOL_TIMEOUT', message: expect.stringContaining('0.02 s') } });
    expect(seen[0]?.signal.aborted).toBe(true);
    const told = events.length;
    seen[0]?.log('still here');
    late.resolve(2);
    await new Promise(setImmediate);
    expect(events).toHaveLength(told);
    expect(run.snapshot()).toMatchObject({ seq: 0, states: [{ name: 'A', value: 1 }] });
  });

  test('is a result for the model of an agent', async () => {
    using space = new TestWorkspace({}, [deafTool(() => new Promise(() => undefined), 0.02)]);
    const model = space.script({ tool_calls: [{ tool: 'deaf' }] }, { expect: { contains: 'did not answer within' }, text: '1' });
    const flow = defineFlow({ input: A, output: state('C', z.string()), tools: ['deaf'] })
      .agent(A, state('C', z.string()), { model, mode: 'chat', tools: ['deaf'] })
      .build();
    const run = FlowRuntime.new(flow, 1);
    await run.next(space.context);
    await run.next(space.context);
    expect(space.calls).toEqual([['deaf', expect.stringContaining('Timeout'), true]]);
    expect(await run.next(space.context)).toEqual({ type: 'done', output: '1' });
  });

  test('is 60 s where the tool does not say', () => {
    expect(deafTool(async () => 1).timeout).toBe(60);
  });
});

describe('cancelling', { timeout: 30_000 }, () => {
  test.each([
    ['a tool that ignores its signal', calling],
    ['a handler that ignores its signal', endless],
  ])('does not wait for %s, whose outcome is then unknown', async (_, flow) => {
    const begun = Promise.withResolvers<void>();
    const tool = deafTool(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const journal = await temporaryJournal();
    const run = journal.start(flow, 1);
    const stop = new AbortController();
    const cancelled = failureFrom(run.next(await createContext({ tools: [tool], signal: stop.signal })));
    if (flow === calling) await begun.promise;
    stop.abort();
    expect(await cancelled).toMatchObject({ code: 'CANCELLED_SIGNAL' });

    const context = await createContext({ tools: [deafTool(async () => 7)] });
    const asked = await run.next(context);
    expect(asked).toMatchObject({ type: 'suspend', reason: 'unknown_outcome' });
    if (asked.type !== 'suspend') return;
    const answer: Json = flow === calling ? { retry: true } : { result: 7 };
    expect(await run.resume(context, asked.tool_id, answer, { tool_call_id: asked.tool_call_id })).toEqual({ type: 'done', output: 7 });
    expect(await journal.replay(flow, run.run_id)).toMatchObject({ divergence: null });
  });

  test('leaves a run as it was where a tool of an agent ignores its signal', async () => {
    const begun = Promise.withResolvers<void>();
    const stop = new AbortController();
    const tool = deafTool(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    using space = new TestWorkspace({ signal: stop.signal }, [tool]);
    const C = state('C', z.string());
    const model = space.script({ tool_calls: [{ tool: 'deaf' }] }, { text: 'done' });
    const flow = defineFlow({ input: A, output: C, tools: ['deaf'] })
      .agent(A, C, { model, mode: 'chat', tools: ['deaf'] })
      .build();
    const journal = await temporaryJournal();
    const run = journal.start(flow, 1);
    await run.next(space.context);
    const cancelled = failureFrom(run.next(space.context));
    await begun.promise;
    stop.abort();
    expect(await cancelled).toMatchObject({ code: 'CANCELLED_SIGNAL' });
    expect(run.snapshot().seq).toBe(1);
    expect(await run.next({ ...space.context, signal: new AbortController().signal })).toMatchObject({
      type: 'suspend',
      reason: 'unknown_outcome',
      tool_id: 'A::deaf',
    });
  });
});
