import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { left, right } from '#main/sdk/builder/sides.ts';
import { state } from '#main/sdk/builder/state.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { openJournal } from '#main/sdk/open-journal.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { RunEvent } from '#shared/run/event.ts';

/** Only ends a test that hangs. */
const patient = { timeout: 20_000 * slowness };

const Count = state('Count', z.object({ n: z.number() }));
const Next = state('Next', z.object({ n: z.number() }));
const Total = state('Total', z.object({ total: z.number() }));

const upTo = (end: number) =>
  defineFlow({ input: Count, output: Total })
    .either(Count, [Next, Total], ({ n }) => (n < end ? left({ n: n + 1 }) : right({ total: n })))
    .work(Next, Count, (next) => next)
    .build();

const Said = state('Said', z.string());

const Question = state('Question', z.object({ text: z.string() }));
const Answer = state('Answer', z.object({ yes: z.boolean() }));
const asking = defineFlow({ input: Question, output: Answer }).suspend(Question, Answer).build();
const failing = defineFlow({ input: Count, output: Total })
  .work(Count, Total, () => {
    throw new RangeError('too far');
  })
  .build();
const talking = defineFlow({ input: Count, output: Said }).agent(Count, Said, { model: 'openai://talks', mode: 'chat' }).build();
/** A model that streams 3,000 chunks, each long enough for an event of its own, as fast as its reader takes them. */
const talkative = (spoken: { chunks: number }): ModelClient => ({
  async complete({ onDelta, room }) {
    for (; spoken.chunks < 3000; spoken.chunks += 1) {
      onDelta?.({ type: 'text', text: 'x'.repeat(400) });
      await room?.();
    }
    return {
      message: { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(3000 * 400) }] },
      finish_reason: 'stop',
      usage: { tokens_in: 1, tokens_out: 1 },
    };
  },
});
const types = (events: readonly RunEvent[]) => events.map(({ type }) => type);

describe('a run that is started with its context', () => {
  test('returns its output', async () => {
    expect(
      await upTo(3)
        .start({ n: 0 }, await createContext())
        .toEnd(),
    ).toEqual({ total: 3 });
  });

  test('returns its result without rejecting, whatever the run does', async () => {
    const ctx = await createContext();
    expect(await upTo(1).start({ n: 0 }, ctx).result()).toEqual({ status: 'success', output: { total: 1 } });
    expect(await failing.start({ n: 0 }, ctx).result()).toMatchObject({
      status: 'error',
      error: { variant: 'HandlerError', node: 'Count' },
    });
    expect(await asking.start({ text: '?' }, ctx).result()).toMatchObject({ status: 'suspended', suspension: { node: 'Question' } });
  });

  test('throws in toEnd what failed, and says how to answer a question', async () => {
    const ctx = await createContext();
    await expect(failing.start({ n: 0 }, ctx).toEnd()).rejects.toMatchObject({ variant: 'HandlerError' });
    await expect(asking.start({ text: '?' }, ctx).toEnd()).rejects.toThrow('run.resume(suspension, answer)');
  });

  test('continues after an answer, and refuses one of another shape', async () => {
    const run = asking.start({ text: '?' }, await createContext());
    const result = await run.result();
    if (result.status !== 'suspended') throw new Error(result.status);
    expect(run.suspensions).toEqual([result.suspension]);
    await expect(run.resume(result.suspension, { yes: 1 })).rejects.toMatchObject({ variant: 'DeserializeError' });
    await run.resume(result.suspension, { yes: true });
    expect(await run.result()).toEqual({ status: 'success', output: { yes: true } });
  });

  test("gets answers from the context's onSuspend", async () => {
    const ctx = await createContext({ onSuspend: ({ node }) => ({ yes: node === 'Question' }) });
    expect(await asking.start({ text: '?' }, ctx).toEnd()).toEqual({ yes: true });
  });

  test('streams its events, init_stream first and end_stream last', async () => {
    const events = await Array.fromAsync(
      upTo(1)
        .start({ n: 0 }, await createContext())
        .stream(),
    );
    expect(types(events)).toEqual([
      'init_stream',
      ...['node_enter', 'node_exit', 'node_enter', 'node_exit', 'node_enter', 'node_exit'],
      'end_stream',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'success', output: { total: 1 }, usage: { prompt_tokens: 0, completion_tokens: 0 } });
    for (const event of events) expect(event).toMatchObject({ request_id: event.run_id });
  });

  test('leaves out where nodes begin and end if the reader asks for it', async () => {
    const run = upTo(1).start({ n: 0 }, await createContext());
    expect(types(await Array.fromAsync(run.stream({ node_events: false })))).toEqual(['init_stream', 'end_stream']);
  });

  test('streams as a web stream', async () => {
    const events = await Array.fromAsync(
      upTo(0)
        .start({ n: 0 }, await createContext())
        .stream()
        .toReadable(),
    );
    expect(types(events)).toEqual(['init_stream', 'node_enter', 'node_exit', 'end_stream']);
  });

  test('is paused when its reader leaves, with nothing in progress, and continues exactly', async () => {
    const run = upTo(100).start({ n: 0 }, await createContext());
    for await (const event of run.stream()) if (event.type === 'node_exit' && event.seq >= 5) break;
    const { seq } = run.snapshot();
    expect(seq).toBeLessThan(210);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(run.snapshot().seq).toBe(seq);
    const rest = await Array.fromAsync(run.stream());
    expect(rest.filter(({ type }) => type === 'node_exit').map((event) => event.seq)[0]).toBe(seq + 1);
    expect(await run.result()).toEqual({ status: 'success', output: { total: 100 } });
  });

  test('holds its transitions while the reader is slow', async () => {
    const run = upTo(2000).start({ n: 0 }, await createContext());
    const stream = run.stream()[Symbol.asyncIterator]();
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(run.snapshot().seq).toBeLessThan(600);
    await stream.return();
  });

  test('holds a model’s answer while the reader is slow, and ends it once the reader reads on', async () => {
    const spoken = { chunks: 0 };
    const ctx = await createContext({ models: () => talkative(spoken) });
    const run = talking.start({ n: 0 }, ctx);
    const reader = run.stream()[Symbol.asyncIterator]();
    await reader.next();
    await vi.waitFor(() => expect(spoken.chunks).toBeGreaterThan(990), patient);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(spoken.chunks).toBeLessThan(1010);
    let read = 1;
    for (let next = await reader.next(); !next.done; next = await reader.next()) read += 1;
    expect(spoken.chunks).toBe(3000);
    expect(read).toBeGreaterThan(3000);
    expect(await run.result()).toMatchObject({ status: 'success' });
  });

  test('never waits for a reader that takes gaps: it gets the beginning, one gap and the end', async () => {
    const run = upTo(450).start({ n: 0 }, await createContext());
    const reader = run.stream({ overflow: 'gap' })[Symbol.asyncIterator]();
    const { value: first } = await reader.next();
    expect(await run.result()).toMatchObject({ status: 'success' });
    const rest: RunEvent[] = [];
    for (let next = await reader.next(); !next.done; next = await reader.next()) rest.push(next.value);
    expect([first?.type, rest[0]?.type, rest.at(-1)?.type]).toEqual(['init_stream', 'gap', 'end_stream']);
    expect(rest.filter(({ type }) => type === 'gap')).toEqual([expect.objectContaining({ from: 1 })]);
    expect(rest.length).toBeLessThanOrEqual(1002);
  });

  test('waits for the promises of a listener where the context says so', async () => {
    let busy = 0;
    let most = 0;
    const onEvent = async () => {
      most = Math.max(most, ++busy);
      await new Promise(setImmediate);
      busy -= 1;
    };
    const ctx = await createContext({ onEvent, overflow: 'wait' });
    await upTo(50).start({ n: 0 }, ctx).toEnd();
    // The events of one transition, and those that begin the run.
    expect(most).toBeLessThanOrEqual(4);
  });

  test('lets listeners fail without failing, and reports their errors', async () => {
    const onListenerError = vi.fn();
    const run = upTo(1).start({ n: 0 }, await createContext({ onListenerError }));
    const seen: RunEvent[] = [];
    const unsubscribe = run.subscribe(() => {
      throw new Error('a bad listener');
    });
    run.subscribe((event) => seen.push(event));
    await run.next();
    unsubscribe();
    expect(await run.toEnd()).toEqual({ total: 1 });
    expect(onListenerError).toHaveBeenCalledTimes(2);
    expect(seen.length).toBeGreaterThan(2);
  });

  test('is stepped one transition at a time', async () => {
    const run = upTo(1).start({ n: 0 }, await createContext());
    expect(await run.step()).toEqual({ type: 'continue' });
    expect([run.state('Next'), run.state('Count'), run.usage.steps]).toEqual([{ n: 1 }, undefined, 1]);
    await run.next();
    expect(await run.next()).toEqual({ type: 'done', output: { total: 1 } });
    expect(await run.result()).toEqual({ status: 'success', output: { total: 1 } });
  });

  test('is driven once, however many wait for it', async () => {
    const run = upTo(3).start({ n: 0 }, await createContext());
    const results = [run.result(), run.result()];
    await expect(run.next()).rejects.toMatchObject({ variant: 'Conflict' });
    expect(await Promise.all(results)).toEqual([
      { status: 'success', output: { total: 3 } },
      { status: 'success', output: { total: 3 } },
    ]);
  });

  test('is cancelled in the middle of a model call', async () => {
    let calling = () => {};
    const called = new Promise<void>((resolve) => {
      calling = resolve;
    });
    const model = {
      complete: () => {
        calling();
        return new Promise(() => {});
      },
    } as unknown as ModelClient;
    const chat = defineFlow({ input: Question, output: Answer })
      .agent(Question, Answer, { model: 'openai://m', prompt: '{{text}}' })
      .build();
    const run = chat.start({ text: '?' }, await createContext({ models: () => model }));
    const result = run.result();
    await called;
    await run.cancel('not needed');
    expect(await result).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED_SIGNAL', message: 'not needed' } });
    expect(await run.result()).toMatchObject({ status: 'cancelled' });
  });

  test('says when a condition is true', async () => {
    const run = upTo(5).start({ n: 0 }, await createContext());
    const half = run.waitFor(({ states }) => states.some(({ name, value }) => name === 'Next' && (value as { n: number }).n === 3));
    const never = run.waitFor(() => false);
    await Promise.all([run.toEnd(), expect(never).rejects.toMatchObject({ variant: 'NotFound' })]);
    expect((await half).states).toEqual([{ name: 'Next', value: { n: 3 } }]);
    await expect(asking.start({ text: '' }, await createContext()).waitFor(() => false, { timeout: 1 })).rejects.toThrow('within 1 ms');
  });
});

describe('a run of a journal', () => {
  test('has the same shape, and continues in another journal object', async () => {
    using space = new TestWorkspace();
    const path = join(space.folder, 'runs.db');
    const ctx = await createContext();
    const first = await openJournal(path);
    const run = first.start(asking, { text: '?' }, ctx);
    expect(await run.result()).toMatchObject({ status: 'suspended' });
    first.close();
    const second = await openJournal(path);
    const again = second.open(asking, run.run_id, ctx);
    const [suspension] = again.suspensions;
    if (!suspension) throw new Error('no question');
    await again.resume(suspension, { yes: true });
    expect(await again.toEnd()).toEqual({ yes: true });
    second.close();
  });

  test('is released when its reader leaves, and cannot continue after it was cancelled', async () => {
    using space = new TestWorkspace();
    const path = join(space.folder, 'runs.db');
    const journal = await openJournal(path);
    const flow = upTo(50);
    const run = journal.start(flow, { n: 0 }, await createContext());
    for await (const event of run.stream()) if (event.type === 'node_exit') break;
    const other = await openJournal(path);
    expect(await other.open(flow, run.run_id, await createContext()).toEnd()).toEqual({ total: 50 });
    const second = journal.start(flow, { n: 0 }, await createContext());
    await second.cancel();
    expect(await second.result()).toMatchObject({ status: 'cancelled' });
    await expect(other.open(flow, second.run_id, await createContext()).toEnd()).rejects.toMatchObject({ variant: 'Cancelled' });
    other.close();
    journal.close();
  });
});
