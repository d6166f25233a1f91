import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type SqlDatabase } from './database.ts';
import { Journal } from './journal.ts';
import { JournalConversations } from './journal-conversations.ts';
import { KeptConversations } from './kept-conversations.ts';
import { currentVersion, migrate, migrations, versionOf } from './migrations.ts';
import { RunReader } from './run-reader.ts';
import { StateAccesses } from './state-accesses.ts';
import { createRun, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

let folder: string;
let remove: () => void;
let path: string;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
  path = join(folder, 'runs.db');
});
afterEach(() => remove());

/** For each migration: what an older file holds, and what must be true of it afterwards. A new migration needs an entry here. */
const exercises: Readonly<Record<number, (database: SqlDatabase) => () => void>> = {
  1: (database) => {
    expect(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()).toEqual({ count: 0 });
    return () => {
      const journal = Journal.open(path);
      const runId = createRun(journal, { n: 0 });
      const recorder = recorderOf(journal, runId, 'one');
      recorder.commit(stepRecord(1, { n: 1 }, { pure: false }));
      expect(new RunReader(journal, journal.row(runId)).foldAt(1).states.get('A')?.value).toEqual({ n: 1 });
      journal.close();
    };
  },
  2: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 6, 1, 0, '[]', 0, 1, 1);
    `);
    const insert = database.prepare(
      `INSERT INTO steps (run, seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note)
       VALUES (1, ?, ?, ?, ?, ?, '[]', ?, '[]', '{}', '[]', 1, 1, 0, 0, '')`,
    );
    insert.run(1, 'transition', 'W', 'work', null, '["D"]');
    insert.run(2, 'transition', 'D', 'agent', 'reason', '[]');
    insert.run(3, 'suspended', 'D', 'agent', null, '[]');
    insert.run(4, 'transition', 'D', 'agent', 'act', '[]');
    insert.run(5, 'transition', 'D', 'agent', 'reason', '["D"]');
    insert.run(6, 'transition', 'D', 'agent', 'reason', '[]');
    return () => {
      const journal = Journal.open(path);
      const timeline = new RunReader(journal, journal.row('r')).timeline();
      expect(timeline.map(({ turn }) => turn)).toEqual([null, 1, 1, 1, 2, 1]);
      journal.close();
    };
  },
  3: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '"text"', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
    `);
    return () => {
      const journal = Journal.open(path);
      const row = journal.row('r');
      expect([journal.forkOriginOf(row), journal.recordedAs(row), journal.sourcesOf(row)]).toEqual([null, 'r', new Map()]);
      expect(journal.files.changes(row)).toEqual([]);
      journal.close();
    };
  },
  4: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 2, 1, 0, '[]', 0, 1, 1);
      INSERT INTO steps (run, seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note)
      VALUES (1, 1, 'transition', 'D', 'agent', 'reason', '[]', '[]', '[]', '{}', '[{"type":"node_enter","node":"D"},{"type":"node_exit","node":"D"}]', 1, 2, 7, 0, ''),
        (1, 2, 'transition', 'D', 'agent', 'act', '["D"]', '["E"]', '[1]', '{}', '[]', 1, 3, 0, 0, '');
      INSERT INTO messages (run, node, seq, messages) VALUES (1, 'D', 2, '[]'), (1, 'D', 1, '[]');
    `);
    return () => {
      const journal = Journal.open(path);
      const reader = new RunReader(journal, journal.row('r'));
      expect(reader.conversations()).toEqual([{ node: 'D', since: 1 }]);
      expect(reader.nodeStats(2)).toEqual({ D: { count: 1, turns: 1, tokens: 7, duration_ms: 5 } });
      // Rows of then hold how their nodes began and ended, rows of now do not.
      expect([...reader.events()].map(({ type, seq }) => [type, seq])).toEqual([
        ['node_enter', undefined],
        ['node_exit', undefined],
        ['node_enter', 2],
        ['node_exit', 2],
      ]);
      journal.close();
    };
  },
  5: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 1, 3, 0, '[]', 0, 1, 1);
      INSERT INTO steps (run, seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note)
      VALUES (1, 1, 'transition', 'A', 'work', NULL, '["A"]', '["B"]', '[1]', '{}', '[]', 1, 2, 7, 0, '');
      INSERT INTO effects (run, seq, attempt, key, kind, node, name, input, started_at, finished_at, outcome)
      VALUES (1, 1, 1, 'handler', 'handler', 'A', 'A', '[]', 1, 2, '{"result":1}'), (1, 2, 3, 'handler', 'handler', 'B', 'B', '[]', 3, NULL, NULL);
    `);
    return () => {
      const journal = Journal.open(path);
      const row = journal.row('r');
      expect(row).toMatchObject({ last_seq: 1, attempt: 3, tokens: 0 });
      const reader = new RunReader(journal, row);
      expect([1, 2].map((seq) => reader.effects(seq).map(({ outcome }) => outcome))).toEqual([['{"result":1}'], [null]]);
      journal.close();
    };
  },
  6: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '"text"', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
      INSERT INTO origins (run, parent_run_id, parent_seq) VALUES (1, 'parent', 4);
    `);
    return () => {
      const journal = Journal.open(path);
      expect(journal.runOriginOf(journal.row('r'))).toEqual({ run_id: 'parent', seq: 4 });
      journal.close();
    };
  },
  7: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 130, 1, 0, '[]', 0, 1, 1);
      WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 130)
      INSERT INTO steps (run, seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note)
      SELECT 1, n, 'transition', 'A', 'work', NULL, iif(n = 1, '["In"]', '["A"]'), iif(n = 130, '["Out"]', '["A"]'), '[1]', '{}', '[]', 1, 2, 7, 0, '' FROM numbers;
    `);
    return () => {
      const journal = Journal.open(path);
      const accesses = new StateAccesses(journal, journal.row('r'));
      expect([accesses.last('writes', 'A', 100), accesses.last('writes', 'A', 130), accesses.next('writes', 'A', 129)]).toEqual([
        100,
        129,
        null,
      ]);
      expect([accesses.next('reads', 'In', 0), accesses.last('reads', 'In', 130), accesses.last('writes', 'In', 130)]).toEqual([
        1,
        1,
        null,
      ]);
      expect([accesses.next('writes', 'Out', 0), accesses.next('reads', 'A', 64)]).toEqual([130, 65]);
      journal.close();
    };
  },
  8: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
    `);
    return () => {
      const journal = Journal.open(path);
      expect(journal.row('r').engine).toBe(1);
      journal.close();
    };
  },
  9: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 1, 1, 0, '[]', 0, 1, 1);
      INSERT INTO steps (run, seq, type, node, kind, phase, consumed, produced, produced_values, control, events, started_at, duration_ms, tokens, pure, note)
      VALUES (1, 1, 'transition', 'A', 'work', NULL, '["A"]', '["B"]', '[1]', '{}', '[]', 1, 2, 7, 0, '');
      INSERT INTO effects (run, seq, attempt, key, kind, node, name, input, started_at, finished_at, outcome)
      VALUES (1, 1, 1, 'call_1', 'tool', 'A', 'read_file', '{}', 1, 2, '{"result":1}');
    `);
    return () => {
      const journal = Journal.open(path);
      const reader = new RunReader(journal, journal.row('r'));
      expect(reader.timeline()).toMatchObject([{ supplied: null, mocked: 0 }]);
      expect(reader.effects(1)).toMatchObject([{ key: 'call_1', supplied: null }]);
      journal.close();
    };
  },
  10: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
      INSERT INTO messages (run, node, seq, messages) VALUES (1, 'A', 1, '[]');
    `);
    return () => {
      const journal = Journal.open(path);
      expect(new JournalConversations(journal).list()).toEqual([]);
      expect(new RunReader(journal, journal.row('r')).messageSeqs()).toEqual([1]);
      journal.close();
    };
  },
  11: effectUnderWay,
  12: effectUnderWay,
  13: (database) => {
    database.exec(`
      INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
      VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
      INSERT INTO kept_conversations (conversation, key, head, created_at, updated_at) VALUES ('@workspace/k', 'k', 0, 1, 1);
    `);
    return () => {
      const journal = Journal.open(path);
      const { database: migrated, values } = journal;
      const request = { seq: 1, id: '@workspace/k', holder: { run_id: 'r', node: 'A', since: 1 } };
      expect(new KeptConversations(migrated, values).open({ run: 1, run_id: 'r' }, request)).toMatchObject({ type: 'open' });
      journal.close();
    };
  },
};

test.each(migrations)('migration $version ($name) keeps what an older journal holds', ({ version }) => {
  const exercise = exercises[version];
  if (!exercise) throw new Error(`No test exercises migration ${version}. Add one to the table above.`);
  const database = openDatabase(path);
  migrate(database, path, version - 1);
  const check = exercise(database);
  migrate(database, path, version);
  expect(versionOf(database)).toBe(version);
  database.close();
  check();
});

test('a journal of an older program that came from elsewhere is read, and left as it is', () => {
  const database = openDatabase(path);
  migrate(database, path, 1);
  database.exec(`
    INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
    VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '"text"', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
  `);
  database.close();
  const journal = Journal.openForeign(path);
  const row = journal.row('r');
  expect([journal.readonly, journal.forkOriginOf(row), new RunReader(journal, row).timeline()]).toEqual([true, null, []]);
  expect(() => journal.setId('mine')).toThrow(/viewed/);
  journal.close();
  const again = openDatabase(path);
  expect(versionOf(again)).toBe(1);
  again.close();
});

test('migrations are numbered from 1 without gaps', () => {
  expect(migrations.map(({ version }) => version)).toEqual(Array.from({ length: currentVersion }, (_, index) => index + 1));
});

test('a journal of a newer program is refused and left as it is', () => {
  Journal.open(path).close();
  const database = openDatabase(path);
  database.pragma(`user_version = ${currentVersion + 1}`);
  database.close();
  expect(() => Journal.open(path)).toThrow(/newer Pravah Studio/);
  const again = openDatabase(path);
  expect(versionOf(again)).toBe(currentVersion + 1);
  again.close();
});

test('a database of another program is refused and left as it is', () => {
  const database = openDatabase(path);
  database.exec('CREATE TABLE bookmarks (url TEXT)');
  database.close();
  expect(() => Journal.open(path)).toThrow(/another program/);
  const again = openDatabase(path);
  expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'bookmarks' }]);
  again.close();
});

/** A run whose only effect has no outcome. */
function effectUnderWay(database: SqlDatabase): () => void {
  database.exec(`
    INSERT INTO runs (run, run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at)
    VALUES (1, 'r', 'a.flow.yaml', 'A', 'h', '""', 'null', 'null', '{}', 'paused', 0, 1, 0, '[]', 0, 1, 1);
    INSERT INTO effects (run, seq, attempt, key, kind, node, name, input, started_at) VALUES (1, 1, 1, 'model', 'model', 'A', 'm', '{}', 1);
  `);
  return () => {
    const journal = Journal.open(path);
    expect(new RunReader(journal, journal.row('r')).effectsOf(1)).toMatchObject([{ key: 'model', outcome: null }]);
    journal.removeRun('r', 0);
    journal.close();
  };
}
