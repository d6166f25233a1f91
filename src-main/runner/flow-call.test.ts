import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunExecutor } from './run-executor.ts';
import { documentOf, TestWorkspace } from './testing.ts';

let space: TestWorkspace;
beforeEach(() => {
  space = new TestWorkspace();
});
afterEach(() => space.remove());

test('answers the question of a flow called as a tool after the run was reopened, without repeating effects', async () => {
  const append = { path: 'log.txt', action: 'append', data: 'x' };
  const inner = documentOf('N', 'O', [
    { kind: 'work', from: 'N', to: 'Q', tool: 'storage', with: append },
    { kind: 'suspend', from: 'Q', to: 'O' },
  ]);
  space.write('inner.flow.json', inner);
  const document = documentOf('A', 'Z', [{ kind: 'work', from: 'A', to: 'Z', tool: 'flow:./inner.flow.json', with: { n: '{n}' } }]);
  const first = await space.start(document, { n: 1 });
  expect(await first.continue()).toMatchObject({ status: 'suspended' });
  first.close();
  const row = space.journal.row(first.runId);
  expect(row).toMatchObject({ last_seq: 1, status: 'suspended' });
  const second = RunExecutor.open(await space.options(), first.runId);
  const stop = await second.resume('A::flow:./inner.flow.json', { answer: 42 }, { then_continue: true });
  expect(stop).toMatchObject({ status: 'success', output: { answer: 42 } });
  expect(readFileSync(join(space.folder, 'log.txt'), 'utf8')).toBe('x');
  const exits = space.events.filter((event) => event.type === 'node_exit');
  expect(exits.map(({ node, parent_span_id, produced }) => [node, parent_span_id, produced])).toEqual([
    ['N', 'call_0', { Q: expect.anything() }],
    ['Q', 'call_0', { O: { answer: 42 } }],
    ['A', undefined, { Z: { answer: 42 } }],
  ]);
});
