import { createHook } from 'node:async_hooks';
import { afterEach, expect, it } from 'vitest';
import { documentOf, TestWorkspace } from './testing.ts';

let workspace: TestWorkspace | undefined;
afterEach(() => workspace?.remove());

/** Counts the promises that are made while `act` runs. */
async function promisesMade(act: () => Promise<unknown>): Promise<number> {
  let made = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') made += 1;
    },
  }).enable();
  await act();
  hook.disable();
  return made;
}

const steps = 10_001;

it('a record on SQLite makes no promise beyond those of its transition', async () => {
  workspace = new TestWorkspace();
  const document = documentOf('A', 'C', [
    { kind: 'either', from: 'A', to: ['C', 'B'], expr: 'n >= 5000' },
    { kind: 'work', from: 'B', to: 'A', expr: '{ n: n + 1 }' },
  ]);
  const executor = await workspace.start({ ...(document as object), limits: { steps: 100_000 } }, { n: 0 });
  const made = await promisesMade(() => executor.continue());
  executor.close();
  expect(workspace.journal.row(executor.runId)).toMatchObject({ status: 'success', last_seq: steps });
  // The thread yields every few milliseconds, which makes some more; one more for each record would double them.
  expect(made / steps).toBeGreaterThan(0.9);
  expect(made / steps).toBeLessThan(1.5);
});
