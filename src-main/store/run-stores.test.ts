import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Effect } from '#main/engine/ports/recorder.ts';
import { Journal } from '#main/journal/journal.ts';
import { acquireLease, leaseDuration, releaseLease, renewLease } from '#main/journal/lease.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { readLimit } from '#main/journal/run-store.ts';
import { RunStoreCalls } from '#main/journal/run-store-calls.ts';
import { createRun, recorderOf, stepRecord } from '#main/journal/testing.ts';
import { MemoryRunStore } from '#main/store/memory/memory-run-store.ts';
import { connectPostgres } from '#main/store/postgres/connection.ts';
import { migratePostgres } from '#main/store/postgres/migrations.ts';
import { RunStoreThread } from '#main/store/postgres/run-store-client.ts';
import { PostgresServer, withoutPostgres } from '#main/testing/postgres-server.ts';

const noPostgres = withoutPostgres('runs in PostgreSQL');
let postgres: PostgresServer | undefined;
let url = '';
let thread: RunStoreThread | undefined;

beforeAll(async () => {
  if (noPostgres) return;
  postgres = await PostgresServer.start();
  url = await postgres.database();
  const connection = await connectPostgres(url);
  await migratePostgres(connection);
  await connection.close();
  thread = await RunStoreThread.start(url);
});
afterAll(async () => {
  await thread?.close();
  await postgres?.[Symbol.asyncDispose]();
});

const folder = mkdtempSync(join(tmpdir(), 'pravah-run-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened: Journal[] = [];
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close();
});

let files = 0;
function journalAt(path: string, options: Parameters<typeof Journal.open>[1] = {}): Journal {
  const journal = Journal.open(path, options);
  opened.push(journal);
  return journal;
}
const newPath = () => {
  files += 1;
  return join(folder, `${files}.db`);
};

/** What opens journals as servers with a common store have them: each call is another server. */
type Servers = () => Journal;

const stores: readonly [string, () => Servers][] = [
  [
    'SQLite',
    () => {
      const path = newPath();
      return () => journalAt(path, { in_use: true });
    },
  ],
  [
    'memory',
    () => {
      const store = new MemoryRunStore();
      return () => journalAt(newPath(), { store });
    },
  ],
  ...(noPostgres
    ? []
    : [
        ['PostgreSQL', () => () => journalAt(newPath(), { store: new RunStoreCalls((thread as RunStoreThread).connect()) })] as [
          string,
          () => Servers,
        ],
      ]),
];

const effect = (key: string): Effect => ({ key, kind: 'tool', node: 'A', name: 'send', input: { text: 'hello' }, closing: false });
const valueAt = (journal: Journal, runId: string, seq: number) =>
  new RunReader(journal, journal.row(runId)).foldAt(seq).states.get('A')?.value;

/** A journal of another server in which the run is up to date. */
function fetched(open: Servers, runId: string): Journal {
  const journal = open();
  journal.fetch(runId);
  return journal;
}

describe.each(stores)('runs in %s', (_name, servers) => {
  it('are read and continued by another server, with all that was recorded', async () => {
    const open = servers();
    const first = open();
    const long = 'long '.repeat(5000);
    const runId = createRun(first, { text: 'begin' });
    const recorder = recorderOf(first, runId, 'first');
    recorder.commit(stepRecord(1, { long }));
    const outcome = await recorder.effect(2, effect('tool:1'), async () => ({ sent: true }));
    expect(outcome).toMatchObject({ result: { sent: true } });
    recorder.commit(stepRecord(2, { long, more: 1 }, { pure: false, history: { A: [{ role: 'user', text: 'hi' }] as never } }));
    recorder.end({ status: 'paused' });
    const second = fetched(open, runId);
    expect(rowsOf(second, runId)).toEqual(rowsOf(first, runId));
    expect(valueAt(second, runId, 2)).toEqual({ long, more: 1 });
    const continued = recorderOf(second, runId, 'second');
    continued.commit(stepRecord(3, { done: 'ß\u0000𝄞' }));
    continued.end({ status: 'success', output: { long } });
    first.fetch(runId);
    expect(first.row(runId)).toMatchObject({ status: 'success', last_seq: 3, lease_token: null });
    expect(valueAt(first, runId, 3)).toEqual({ done: 'ß\u0000𝄞' });
    expect(rowsOf(first, runId)).toEqual(rowsOf(second, runId));
  });

  it('belong to one server at a time, until it releases them or is silent for too long', () => {
    const open = servers();
    const first = open();
    const runId = createRun(first, {});
    const second = fetched(open, runId);
    const lease = (journal: Journal, token: string, now: number) => acquireLease(journal.database, journal.row(runId).run, token, now);
    lease(first, 'first', Date.now());
    expect(() => lease(second, 'second', Date.now())).toThrow(expect.objectContaining({ variant: 'Conflict' }));
    second.fetch(runId);
    expect(() => lease(second, 'second', Date.now())).toThrow(expect.objectContaining({ variant: 'Conflict' }));
    expect(renewLease(first.database, first.row(runId).run, 'first', Date.now())).toEqual({ held: true, cancel: false });
    expect(releaseLease(first.database, first.row(runId).run, 'first')).toBe(true);
    second.fetch(runId);
    lease(second, 'second', Date.now());
    first.fetch(runId);
    lease(first, 'first', Date.now() + leaseDuration + 1000);
    expect(renewLease(second.database, second.row(runId).run, 'second', Date.now()).held).toBe(false);
  });

  it('take no record of a server that has lost them', () => {
    const open = servers();
    const first = open();
    const runId = createRun(first, {});
    const recorder = recorderOf(first, runId, 'first');
    recorder.commit(stepRecord(1, 'first'));
    recorder.flush();
    const second = fetched(open, runId);
    acquireLease(second.database, second.row(runId).run, 'second', Date.now() + leaseDuration + 1000);
    recorder.commit(stepRecord(2, 'late'));
    expect(() => recorder.flush()).toThrow(expect.objectContaining({ variant: 'Conflict' }));
    expect(fetched(open, runId).row(runId)).toMatchObject({ last_seq: 1, lease_token: 'second' });
  });

  it('tell who continues them that an effect has begun, and not how it ended', async () => {
    const open = servers();
    const first = open();
    const runId = createRun(first, {});
    const begun = Promise.withResolvers<void>();
    void recorderOf(first, runId, 'first').effect(1, effect('tool:1'), () => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    await begun.promise;
    const second = fetched(open, runId);
    const { run } = second.row(runId);
    acquireLease(second.database, run, 'second', Date.now() + leaseDuration + 1000);
    const recorder = recorderOf(second, runId, 'second');
    expect(recorder.begun(1, 'tool:1')).toBe(true);
    await expect(recorder.effect(1, effect('tool:1'), async () => 'twice')).rejects.toThrow(/send/);
  });

  it('are cancelled where they are driven, whoever asks', () => {
    const open = servers();
    const first = open();
    const runId = createRun(first, {});
    let asked = 0;
    const recorder = recorderOf(first, runId, 'first', {
      onCancel: () => {
        asked += 1;
      },
    });
    const second = fetched(open, runId);
    recorder.commit(stepRecord(1, 'more'));
    recorder.flush();
    // What the second server knows is older by now.
    second.requestCancel(second.row(runId));
    expect(renewLease(first.database, first.row(runId).run, 'first', Date.now())).toEqual({ held: true, cancel: true });
    recorder.commit(stepRecord(2, 'last'));
    recorder.flush();
    expect(asked).toBe(1);
    recorder.end({ status: 'cancelled' });
    second.fetch(runId);
    expect(second.row(runId)).toMatchObject({ status: 'cancelled', cancel: 0 });
  });

  it('are removed for all servers, with their values but not those of others', () => {
    const open = servers();
    const first = open();
    const shared = 'shared '.repeat(2000);
    const [gone, kept] = [createRun(first, { shared }), createRun(first, { shared })];
    const second = fetched(open, gone);
    second.fetch(kept);
    first.removeRun(gone, Date.now());
    second.fetch(gone);
    expect(second.has(gone)).toBe(false);
    const third = fetched(open, gone);
    expect(third.has(gone)).toBe(false);
    third.fetch(kept);
    expect(third.inputOf(third.row(kept))).toEqual({ shared });
  });

  it('are fetched whole if they have more records than are read at once', () => {
    const open = servers();
    const first = open();
    const runId = createRun(first, {});
    const recorder = recorderOf(first, runId, 'first');
    const count = readLimit + 200;
    for (let seq = 1; seq <= count; seq += 1) recorder.commit(stepRecord(seq, seq, { pure: false }));
    recorder.end({ status: 'paused' });
    const second = fetched(open, runId);
    expect(second.row(runId).last_seq).toBe(count);
    expect(valueAt(second, runId, count)).toBe(count);
    expect(rowsOf(second, runId)).toEqual(rowsOf(first, runId));
  });

  it('keep what files held before tools changed them', async () => {
    const open = servers();
    const first = open();
    const runId = createRun(first, {});
    const recorder = recorderOf(first, runId, 'first');
    const before = Buffer.from([0, 255, 1]);
    const hash = '15ec7bf0b50732b49f8228e07d24365338f9e3ab994b00af08e5a3bffe55fd8b';
    await recorder.effect(1, effect('tool:1'), async () => {
      recorder.keepFile(1, 'tool:1', { path: 'a.txt', before_hash: null, after_hash: hash, note: '', before: null });
      const { createHash } = await import('node:crypto');
      const before_hash = createHash('sha256').update(before).digest('hex');
      recorder.keepFile(1, 'tool:1', { path: 'b.bin', before_hash, after_hash: hash, note: '', before });
      return null;
    });
    recorder.end({ status: 'paused' });
    const second = fetched(open, runId);
    const changes = second.files.changes(second.row(runId));
    expect(changes.map(({ path }) => path)).toEqual(['a.txt', 'b.bin']);
    expect(second.files.content(changes[1]?.before_hash ?? '')).toEqual(before);
  });
});

it('a run in a shared store opens no conversation of the workspace, which other servers would not see', () => {
  const journal = journalAt(newPath(), { store: new MemoryRunStore() });
  const recorder = recorderOf(journal, createRun(journal, {}), 'first');
  const open = () => recorder.openConversation({ seq: 1, id: '@workspace/a', holder: { run_id: 'r', node: 'A', since: 1 } });
  expect(open).toThrow(/share runs, but no conversations/);
});

/** All rows of a run by table, without what differs between journals. */
function rowsOf(journal: Journal, runId: string): Record<string, unknown[]> {
  const { run } = journal.row(runId);
  const tables = journal.database
    .prepare(
      "SELECT name FROM sqlite_schema AS s WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(s.name) WHERE name = 'run')",
    )
    .all() as { name: string }[];
  const of = (name: string) =>
    (journal.database.prepare(`SELECT * FROM ${name} WHERE run = ?`).all(run) as Record<string, unknown>[]).map(
      ({ run: _run, lease_expires: _expires, ...row }) => row,
    );
  return Object.fromEntries(tables.map(({ name }) => [name, of(name)]));
}
