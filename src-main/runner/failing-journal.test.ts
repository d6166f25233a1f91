import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { Journal } from '#main/journal/journal.ts';
import type { Json } from '#shared/json.ts';
import { RunExecutor } from './run-executor.ts';
import { detailOf } from './run-views.ts';
import { documentOf, TestWorkspace } from './testing.ts';

/** A journal that is full, locked or damaged: a clear error, and nothing is lost. */

let workspace: TestWorkspace;
beforeEach(() => {
  workspace = new TestWorkspace();
});
afterEach(() => workspace.remove());

const large = 'large '.repeat(20_000);
const document = documentOf('A', 'C', [
  { kind: 'work', from: 'A', to: 'B', tool: 'count', with: {} },
  { kind: 'work', from: 'B', to: 'C' },
]);

/** A tool that counts its calls and gives a large result. */
function counting(onCall: () => void = () => {}): { tool: Tool; calls: () => number } {
  let calls = 0;
  const call = (): Json => {
    calls += 1;
    onCall();
    return `${calls} ${large}`;
  };
  const schema = { type: 'object', additionalProperties: false };
  return {
    tool: { name: 'count', description: 'counts', input_schema: schema, effect: 'write', approve: 'never', call },
    calls: () => calls,
  };
}

/** Lets the journal grow no further, as a full disk does; returns how to make room again. */
function fill(journal: Journal): () => void {
  const pages = Number(journal.database.pragma('page_count', { simple: true }));
  journal.database.pragma(`max_page_count = ${pages}`);
  return () => journal.database.pragma('max_page_count = 1000000');
}

test('a disk that fills up during an effect loses neither the run nor the result, and nothing is done twice', async () => {
  const rooms: (() => void)[] = [];
  const { tool, calls } = counting(() => rooms.push(fill(workspace.journal)));
  const executor = await workspace.start(document, 1, [tool]);
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'SnapStoreError', message: expect.stringContaining('disk is full') });
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'SnapStoreError' });
  expect(detailOf(workspace.journal, executor.runId, Date.now())).toMatchObject({ status: 'paused', seq: 0 });
  rooms[0]?.();
  expect(await executor.continue()).toMatchObject({ status: 'success', output: `1 ${large}` });
  expect(calls()).toBe(1);
});

test('a process that ended before the result could be written asks what became of the effect', async () => {
  const rooms: (() => void)[] = [];
  const { tool, calls } = counting(() => rooms.push(fill(workspace.journal)));
  const first = await workspace.start(document, 1, [tool]);
  await expect(first.continue()).rejects.toMatchObject({ variant: 'SnapStoreError' });
  rooms[0]?.();
  const second = RunExecutor.open(await workspace.options([tool]), first.runId);
  expect((await second.continue()).status).toBe('suspended');
  expect(detailOf(workspace.journal, first.runId, Date.now()).suspensions).toMatchObject([{ reason: 'unknown_outcome' }]);
  expect(calls()).toBe(1);
});

test('reports a journal locked by another program, and the run continues later', async () => {
  const { tool, calls } = counting();
  const { runId } = await workspace.start(document, 1, [tool]);
  const impatient = Journal.open(workspace.journalPath, { busyTimeout: 20 });
  const executor = RunExecutor.open(await workspace.options([tool], impatient), runId);
  const other = Journal.open(workspace.journalPath);
  other.database.exec('BEGIN IMMEDIATE');
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'SnapStoreError', message: expect.stringContaining('locked') });
  expect(calls()).toBe(0);
  other.database.exec('ROLLBACK');
  other.close();
  expect((await executor.continue()).status).toBe('success');
  executor.close();
  impatient.close();
});

const damages: readonly (readonly [what: string, sql: string])[] = [
  ['a row of a wrong form', "UPDATE steps SET consumed = '{}' WHERE seq = 1"],
  ['a value that is no JSON', "UPDATE steps SET produced_values = '[' WHERE seq = 1"],
  ['a missing record', 'DELETE FROM steps WHERE seq = 1'],
  ['a missing beginning', 'DELETE FROM snapshots'],
  ['a state that the flow does not know', `UPDATE steps SET produced = '["X"]' WHERE seq = 1`],
  ['a missing large value', 'DELETE FROM blob_uses; DELETE FROM blobs'],
];

test.each(damages)('%s is reported as corruption, and the journal is unchanged', async (_what, sql) => {
  const { tool } = counting();
  const executor = await workspace.start(document, 1, [tool]);
  await executor.step('into');
  executor.close();
  workspace.journal.database.exec(sql);
  const before = workspace.journal.row(executor.runId);
  await expect(executor.continue()).rejects.toMatchObject({ variant: 'SnapLoadError' });
  expect(workspace.journal.row(executor.runId)).toMatchObject({ last_seq: before.last_seq, status: before.status, lease_token: null });
});
