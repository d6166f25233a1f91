import { expect, test } from 'vitest';
import { z } from 'zod';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { createContext } from '#main/sdk/create-context.ts';
import type { Json } from '#shared/json.ts';
import type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
import { defineFlow } from './define-flow.ts';
import { defineTool } from './define-tool.ts';
import type { HandlerOptions } from './flow-types.ts';
import { state } from './state.ts';

const Ticket = state('Ticket', z.object({ mail: z.string() }));
const Reply = state('Reply', z.object({ text: z.string() }));

/** What was done outside, in order. */
let done: string[] = [];

const customers = defineTool({
  name: 'customers',
  description: 'The customer who has a mail address.',
  effect: 'read',
  input: z.object({ mail: z.string() }),
  output: z.object({ name: z.string() }),
  call: ({ mail }) => {
    done.push('looked up');
    return { name: mail.split('@')[0] ?? '' };
  },
});

/** A tool, three effects and two questions. */
const flow = defineFlow({ input: Ticket, output: Reply, tools: [customers] })
  .work(
    Ticket,
    Reply,
    async ({ mail }, ctx) => {
      const { name } = await ctx.tools.customers({ mail });
      const draft = await ctx.effect('drafted', () => {
        done.push('drafted');
        return { id: 7, at: ctx.now() };
      });
      const send = await ctx.suspend({ question: `Write to ${name}?` }, z.object({ ok: z.boolean() }));
      if (send.ok) await ctx.effect('sent', async () => done.push('sent'));
      const rating = await ctx.suspend({ question: 'How was it?' });
      await ctx.effect('rated', () => done.push('rated'));
      return { text: `${name} ${draft.id} ${send.ok} ${JSON.stringify(rating)} ${draft.at === ctx.now()} ${ctx.random()}` };
    },
    { tools: ['customers'], asks: true },
  )
  .build();

const input = { mail: 'ada@example.org' };
const once = ['looked up', 'drafted', 'sent', 'rated'];
const answers: readonly Json[] = [{ ok: true }, 5];
const context = await createContext({ tools: [customers] });

/** Continues a run from JSON, as another process would, and answers its questions. `answered` is how many have been. */
async function goOn(runtime: FlowRuntime<{ text: string }>, recorder: MemoryRecorder): Promise<RunOutcome<{ text: string }>> {
  let current = runtime;
  let outcome: RunOutcome<{ text: string }> = { type: 'continue' };
  while (outcome.type !== 'done') {
    const snapshot = JSON.parse(JSON.stringify(current.snapshot())) as Snapshot;
    current = FlowRuntime.fromSnapshot(flow, snapshot, { recorder });
    const [question] = snapshot.control.suspensions;
    const answer = answers[
      snapshot.control.handlers.Ticket?.calls.filter(({ tool, result }) => tool === 'ask' && result).length ?? 0
    ] as Json;
    outcome =
      question && snapshot.control.answers.length === 0
        ? await current.resume(context, question.tool_id, answer)
        : await current.next(context);
  }
  return outcome;
}

test('a handler that asks does everything once, although it runs again after each answer', async () => {
  done = [];
  const recorder = new MemoryRecorder();
  const runtime = FlowRuntime.new(flow, input, { recorder, run_id: 'run' });
  const first = await runtime.next(context);
  expect(first).toMatchObject({
    type: 'suspend',
    tool_id: 'Ticket::ask',
    value: { question: 'Write to ada?' },
    payload_schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
  });
  const end = await goOn(runtime, recorder);
  expect(end).toMatchObject({ type: 'done', output: { text: expect.stringMatching(/^ada 7 true 5 true 0\.\d+$/) } });
  expect(done).toEqual(once);
});

test('a handler that asks, killed after any of its calls, does each effect once and ends with the same output', async () => {
  const whole = new MemoryRecorder();
  let effects = 0;
  whole.crashAt = (place) => {
    if (place === 'after') effects += 1;
    return false;
  };
  const expected = await goOn(FlowRuntime.new(flow, input, { recorder: whole, run_id: 'run' }), whole);
  expect(effects).toBeGreaterThanOrEqual(5);
  for (let crash = 1; crash <= effects; crash += 1) {
    done = [];
    const recorder = new MemoryRecorder();
    let seen = 0;
    recorder.crashAt = (place) => place === 'after' && ++seen === crash;
    const runtime = FlowRuntime.new(flow, input, { recorder, run_id: 'run' });
    let held: FlowRuntime<{ text: string }> = runtime;
    for (let answered = 0; ; answered += 1) {
      const failure = await failureFrom(
        answered === 0 ? held.next(context) : held.resume(context, 'Ticket::ask', answers[answered - 1] as Json),
      ).catch(() => null);
      if (failure) break;
      held = FlowRuntime.fromSnapshot(flow, JSON.parse(JSON.stringify(held.snapshot())) as Snapshot, { recorder });
    }
    recorder.crashAt = () => false;
    const end = await goOn(held, recorder);
    expect({ crash, done: [...done].sort() }).toEqual({ crash, done: [...once].sort() });
    if (end.type !== 'done' || expected.type !== 'done') throw new Error('not done');
    const words = (text: string) => text.split(' ').slice(0, 5);
    expect(words(end.output.text)).toEqual(words(expected.output.text));
  }
});

const build = (
  handler: (value: { mail: string }, ctx: never) => Promise<{ text: string }>,
  options: HandlerOptions<never, true> = { asks: true },
) =>
  defineFlow({ input: Ticket, output: Reply })
    .work(Ticket, Reply, handler as never, options)
    .build();

test('a handler that does not make a recorded call again fails with the calls that it left out', async () => {
  let run = 0;
  const forgetful = build(async (_, ctx: never) => {
    run += 1;
    const { effect, suspend } = ctx as {
      effect: (name: string, act: () => unknown) => Promise<Json>;
      suspend: (value: Json) => Promise<Json>;
    };
    if (run === 1) await effect('sent', () => 1);
    await suspend('Go on?');
    return { text: 'x' };
  });
  const runtime = FlowRuntime.new(forgetful, input);
  await runtime.next(context);
  expect(await failureFrom(runtime.resume(context, 'Ticket::ask', true))).toMatchObject({
    variant: 'HandlerError',
    code: 'ORCHESTRATION_HANDLER_DIVERGED',
    details: { calls: ['ctx.effect(sent)'] },
    retryable: false,
  });
});

test('two questions that are asked at once are both pending', async () => {
  const both = build(async (_, ctx: never) => {
    const { suspend } = ctx as { suspend: (value: Json) => Promise<Json> };
    const [first, second] = await Promise.all([suspend('one'), suspend('two')]);
    return { text: `${first} ${second}` };
  });
  const run = both.start(input, context);
  await run.result();
  expect(run.suspensions.map(({ value }) => value)).toEqual(['one', 'two']);
  for (const answer of ['a', 'b']) {
    const [question] = run.suspensions;
    if (question) await run.resume(question, answer);
  }
  expect(await run.toEnd()).toEqual({ text: 'a b' });
});

test('equal effects in a row are each made', async () => {
  let count = 0;
  const counting = build(async (_, ctx: never) => {
    const { effect } = ctx as { effect: (name: string, act: () => unknown) => Promise<Json> };
    const numbers = [await effect('count', () => ++count), await effect('count', () => ++count)];
    return { text: numbers.join(' ') };
  });
  expect(await counting.start(input, context).toEnd()).toEqual({ text: '1 2' });
});

test('a handler that does not say that it asks is told which option to add', async () => {
  const plain = defineFlow({ input: Ticket, output: Reply })
    .work(Ticket, Reply, (_, ctx) => (ctx as unknown as { suspend: () => never }).suspend())
    .build();
  expect(await plain.start(input, context).result()).toMatchObject({
    status: 'error',
    error: { variant: 'HandlerError', message: expect.stringContaining('asks: true') },
  });
});

test('a tool node waits for the approval that its tool needs', async () => {
  const note = defineTool({
    name: 'note',
    description: 'Writes a note.',
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    call: ({ text }) => ({ text: text.toUpperCase() }),
  });
  const noting = defineFlow({ input: Ticket, output: Reply, tools: [note] })
    .tool(Ticket, Reply, note, ({ mail }) => ({ text: mail }))
    .build();
  const run = noting.start(input, await createContext({ tools: [note] }));
  const result = await run.result();
  if (result.status !== 'suspended') throw new Error(result.status);
  expect(result.suspension).toMatchObject({ reason: 'approval', value: { tool: 'note', input: { text: input.mail } } });
  await run.resume(result.suspension, { approve: true });
  expect(await run.toEnd()).toEqual({ text: 'ADA@EXAMPLE.ORG' });
});

test('a join of 16 states gets all their values in order', async () => {
  const parts = Array.from({ length: 16 }, (_, index) => state(`P${index}`, z.number()));
  const [first, second, third, ...others] = parts;
  if (!first || !second || !third) throw new Error('no states');
  const All = state('All', z.array(z.number()));
  const joined = defineFlow({ input: Ticket, output: All })
    .fork(Ticket, [first, second, third, ...others], () => parts.map((_, index) => index) as never)
    .join([first, second, third, ...others], All, ((...args: unknown[]) => args.slice(0, -1)) as never)
    .build();
  expect(await joined.start(input, context).toEnd()).toEqual(parts.map((_, index) => index));
  const tooMany = [...parts, state('P16', z.number())] as never;
  expect(() => defineFlow({ input: Ticket, output: All }).join(tooMany, All, (() => []) as never)).toThrow('up to 16');
});

test('a flow has a name, a hash and its graph, which do not change its JSON text', () => {
  expect([flow.name, flow.graph.hash, Object.keys(flow)]).toEqual(['Ticket', flow.hash, expect.not.arrayContaining(['start', 'graph'])]);
  expect(flow.hash).not.toBe(
    defineFlow({ input: Ticket, output: Reply })
      .work(Ticket, Reply, () => ({ text: '' }))
      .build().hash,
  );
});
