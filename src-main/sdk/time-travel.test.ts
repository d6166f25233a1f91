import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createContext, defineFlow, openJournal, state } from './runtime.ts';

const Order = state('Order', z.object({ n: z.number() }));
const Priced = state('Priced', z.object({ price: z.number() }));
const Paid = state('Paid', z.object({ paid: z.number() }));

let asked = 0;
const flow = (tax: number) =>
  defineFlow({ name: 'Orders', input: Order, output: Paid })
    .work(Order, Priced, async ({ n }) => {
      asked += 1;
      return { price: n * 10 };
    })
    .work(Priced, Paid, ({ price }) => ({ paid: price * 1 + tax }), { pure: true })
    .build();

test('a run of a flow in code is looked at, forked, computed again, compared and taken along from TypeScript', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-api-'));
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ctx = await createContext();
  const finish = async (run: { next(context: typeof ctx): Promise<{ readonly type: string }> }) => {
    let outcome = await run.next(ctx);
    while (outcome.type === 'continue') outcome = await run.next(ctx);
    return outcome;
  };
  const first = flow(1);
  const run = journal.start(first, { n: 2 });
  expect(await finish(run)).toMatchObject({ output: { paid: 21 } });
  expect([journal.stateAt(run.run_id, 1), asked]).toEqual([[{ name: 'Priced', value: { price: 20 } }], 1]);

  const fork = await journal.fork(first, run.run_id, 1, { states: [{ name: 'Priced', value: { price: 5 } }] });
  expect(await finish(fork)).toMatchObject({ output: { paid: 6 } });
  await expect(journal.fork(first, run.run_id, 1, { states: [{ name: 'Priced', value: {} }] })).rejects.toMatchObject({
    variant: 'SnapLoadError',
  });

  expect(await journal.replay(first, run.run_id)).toMatchObject({ divergence: null, steps: 2, effects: 1, notes: [] });
  expect((await journal.replay(flow(2), run.run_id)).divergence).toMatchObject({ seq: 2, expected: 21, actual: 22 });
  const other = defineFlow({ name: 'Orders', input: Order, output: Paid })
    .work(Order, Priced, async ({ n }) => ({ price: n }))
    .work(Priced, Paid, ({ price }) => ({ paid: price * 2 }), { pure: true })
    .build();
  expect(await journal.replay(other, run.run_id)).toMatchObject({
    steps: 1,
    divergence: { seq: 2, path: '/Paid/paid', expected: 21, actual: 40 },
  });
  expect(asked).toBe(1);

  expect(await journal.compare(run.run_id, fork.run_id)).toMatchObject({ shared: { seq: 1, other_seq: 0 }, differing: 2 });
  const capsule = await journal.exportRun(run.run_id, { redact: { places: ['Order/n'] } });
  expect(JSON.parse(capsule)).toMatchObject({ pravah_capsule: 1, input: { n: 0 }, run: { status: 'success' } });
});

test('a handler that is done again after a crash gets what its tools had given, and the run is computed again from its record', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-api-'));
  const path = join(folder, 'runs.db');
  let journal = await openJournal(path);
  onTestFinished(() => {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ctx = await createContext({ working_dir: folder, builtin: ['storage'] });
  let lost = true;
  const written = Promise.withResolvers<void>();
  const noted = defineFlow({ name: 'Notes', input: Order, output: Priced })
    .work(
      Order,
      Priced,
      async (_order, { tools, now }) => {
        await tools.storage?.({ path: 'log.txt', action: 'append', data: `${now()};` });
        written.resolve();
        if (lost) await new Promise(() => {});
        return { price: now() };
      },
      { tools: ['storage'] },
    )
    .build();
  const begun = journal.start(noted, { n: 1 });
  const { run_id: runId } = begun;
  void begun.next(ctx).catch(() => {});
  await written.promise;
  // The handler never ends: for the journal that is a process that was lost in the middle of it.
  journal.close();
  lost = false;
  journal = await openJournal(path);
  const again = journal.open(noted, runId);
  expect(await again.next(ctx)).toMatchObject({ type: 'suspend', reason: 'unknown_outcome' });
  const done = await again.resume(ctx, 'Order::handler', { retry: true });
  expect(done).toEqual({ type: 'done', output: { price: expect.any(Number) } });
  expect(readFileSync(join(folder, 'log.txt'), 'utf8')).toBe(`${done.type === 'done' && done.output.price};`);
  expect(await journal.replay(noted, runId)).toMatchObject({ divergence: null, steps: 3, effects: 2 });
  expect((await journal.fork(noted, runId, 1)).snapshot().control.handlers.Order).toMatchObject({ since: 1, calls: [] });
});
