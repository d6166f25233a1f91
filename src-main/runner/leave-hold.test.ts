import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json } from '#shared/json.ts';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

const beforeStorage: Breakpoint = { id: 'b1', kind: 'tool', tool: 'storage', on: 'before' };
const append = (data: string): Json => ({ path: 'log.txt', action: 'append', data });
const log = () => (existsSync(join(space.folder, 'log.txt')) ? readFileSync(join(space.folder, 'log.txt'), 'utf8') : '');

/** Continues a run until it is held `times` times, then leaves the step. */
async function leftAfter(document: Json, times: number, breakpoints: readonly Breakpoint[] = [beforeStorage]) {
  const { runId } = await space.start(document, { n: 1 });
  let count = 0;
  let onHeld = () => {};
  const held = new Promise<void>((resolve) => {
    onHeld = resolve;
  });
  const options = await space.options();
  const onHold = (stop: unknown) => {
    if (stop === null) return;
    count += 1;
    if (count === times) onHeld();
    else executor.continueHeld('continue');
  };
  const executor: RunExecutor = RunExecutor.open({ ...options, breakpoints, onHold }, runId);
  const ended = executor.continue();
  await held;
  expect(await executor.leaveHold()).toBe(true);
  return { executor, ended: await ended, reader: () => new RunReader(space.journal, space.journal.row(runId)) };
}

test('leaving a held body makes no call, pauses before its step, and repeats no finished call when it continues', async () => {
  const run = `async (a, ctx) => [await ctx.tools.storage(${JSON.stringify(append('one;'))}), await ctx.tools.storage(${JSON.stringify(append('two;'))})].length`;
  const tools = [{ use: 'storage', approve: 'never' }];
  const { executor, ended, reader } = await leftAfter(documentOf('A', 'Z', [{ kind: 'work', from: 'A', to: 'Z', run, tools }]), 2);
  expect(ended).toMatchObject({ status: 'paused', states: [{ name: 'A' }] });
  expect(log()).toBe('one;');
  expect(reader().row).toMatchObject({ status: 'paused', last_seq: 0, lease_token: null });
  executor.setBreakpoints([]);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  expect(log()).toBe('one;two;');
  expect(await executor.leaveHold()).toBe(false);
});

test('leaving a step that is held inside a flow that it calls records nothing of it, and the step starts again', async () => {
  space.write(
    'inner.flow.json',
    documentOf('N', 'O', [
      { kind: 'work', from: 'N', to: 'M', expr: 'input' },
      { kind: 'work', from: 'M', to: 'O', tool: 'storage', with: append('x') },
    ]),
  );
  const document = documentOf('A', 'Z', [{ kind: 'work', from: 'A', to: 'Z', tool: 'flow:./inner.flow.json', with: { n: '{n}' } }]);
  const { executor, ended, reader } = await leftAfter(document, 1);
  expect(ended).toMatchObject({ status: 'paused', states: [{ name: 'A' }] });
  expect([log(), reader().row.last_seq]).toEqual(['', 0]);
  executor.setBreakpoints([]);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
  expect(log()).toBe('x');
});

test('leaving a held model request makes none, and the run continues with it', async () => {
  space.write('turns.json', { turns: [{ text: 'hi' }] });
  const agent = { mode: 'chat', model: 'script://turns.json', prompt: 'Say {n}' };
  const breakpoints: Breakpoint[] = [{ id: 'b', kind: 'model', on: 'before' }];
  const { executor, ended, reader } = await leftAfter(documentOf('A', 'Z', [{ kind: 'agent', from: 'A', to: 'Z', agent }]), 1, breakpoints);
  expect(ended).toMatchObject({ status: 'paused' });
  expect(reader().effects(1)).toEqual([]);
  executor.setBreakpoints([]);
  expect(await executor.continue()).toMatchObject({ status: 'success' });
});
