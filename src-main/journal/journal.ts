import Database from 'better-sqlite3';
import { currentEngine, type EngineVersion } from '#main/engine/step/engine-version.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import type { ForkOrigin, RunOrigin } from '#shared/contract/time-travel.ts';
import { type FlowGraph, graphJson } from '#shared/flow/graph.ts';
import { type Json, toJson } from '#shared/json.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import type { History } from '#shared/run/message.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';
import {
  explainingErrors,
  inTransaction,
  openDatabase,
  openForViewing,
  prepared,
  quickCheck,
  type SqlDatabase,
  type Statement,
  wasNotClosed,
  whenUnlocked,
} from './database.ts';
import { FileBackups } from './file-backups.ts';
import { leaseHolder } from './lease.ts';
import { checkSchemaIsOurs, currentVersion, migrate, versionOf } from './migrations.ts';
import { makePrivate } from './private-file.ts';
import { progress } from './progress.ts';
import { checked, type RunRow, readVariant, runRowSchema } from './rows.ts';
import type { RunStore } from './run-store.ts';
import { type InheritedMark, inheritMarks } from './supplied-marks.ts';
import { ValueReader, ValueWriter } from './value-store.ts';
import { WorkingCopy } from './working-copy.ts';

/** What is written when a run begins. */
export interface NewRun {
  /** Of the flow file, relative to the workspace. */
  readonly flow_path: string;
  /** The document at the start of the run. */
  readonly flow_text: string;
  readonly graph: FlowGraph;
  readonly input: Json;
  /** Model URLs that replace those of the flow's agents in this run, by node id. */
  readonly models?: Readonly<Record<string, string>>;
  /** The run before its first transition. */
  readonly snapshot: Snapshot;
  readonly created_at: number;
  /** The rules under which it makes its records. Default: those of new runs; a fork keeps its parent's. */
  readonly engine?: EngineVersion;
  /** Texts of the files that the flow was built from, itself included, by path relative to the workspace. */
  readonly sources?: ReadonlyMap<string, string>;
  /** For a fork: the parent's record at which it begins, and the data inherited from the parent. */
  readonly fork?: {
    readonly origin: RunOrigin;
    /** Writer of each state of the snapshot, by name. */
    readonly written_by: ReadonlyMap<string, string>;
    readonly history: History;
    /** What pins and mocks supplied before it began. */
    readonly marks?: readonly InheritedMark[];
  };
}

/** A row of `origins`, unchecked. */
interface OriginRow {
  readonly parent_run_id: unknown;
  readonly parent_seq: unknown;
  readonly recorded_as: unknown;
  readonly continues: unknown;
  readonly group_id: unknown;
  readonly variant: unknown;
}

const runColumns = `run, run_id, flow_path, flow_name, flow_hash, engine, models, status, ${progress}, output, error, suspensions, cancel,
  created_at, updated_at, lease_token, lease_owner, lease_expires`;

/** Which runs to return: of one flow, or all; those after a run in the order (newest first), or the first ones. */
export interface RunFilter {
  readonly flow_path?: string;
  readonly limit: number;
  readonly before?: { readonly created_at: number; readonly run_id: string };
}

/** One journal file: the runs of a workspace. Reading one run's records is in `run-reader.ts`, writing them in `run-recorder.ts`. */
export class Journal {
  readonly path: string;
  readonly readonly: boolean;
  readonly database: SqlDatabase;
  readonly values: ValueReader;
  readonly files: FileBackups;
  readonly #copy: WorkingCopy | null;

  private constructor(path: string, database: SqlDatabase, readonly: boolean, store?: RunStore) {
    this.path = path;
    this.database = database;
    this.readonly = readonly;
    this.values = new ValueReader(database, path);
    this.files = new FileBackups(database, path);
    this.#copy = store ? new WorkingCopy({ database, path }, store) : null;
  }

  /**
   * Opens (or creates) one of our journals. Checks it first if it was not closed, unless this process already has it open
   * (`in_use`). With a `store` it is a working copy of that store's runs. Throws `FlowError` as `openDatabase` does.
   */
  static open(
    path: string,
    { store, ...options }: { readonly busyTimeout?: number; readonly in_use?: boolean; readonly store?: RunStore } = {},
  ): Journal {
    const unclean = !options.in_use && wasNotClosed(path);
    const database = explainingErrors(path, () => {
      makePrivate(path);
      return openDatabase(path, options);
    });
    return closingOnFailure(database, () => {
      if (unclean) quickCheck(database, path);
      migrate(database, path);
      return new Journal(path, database, false, store);
    });
  }

  /** Brings a run up to date with the store of which this journal is a working copy, if it is one. Throws `FlowError` if the store does not answer. */
  fetch(runId: string): void {
    this.#copy?.fetch(runId);
  }

  /** Opens an imported journal read-only, after checking its integrity and its tables. */
  static openForeign(path: string): Journal {
    const database = openForViewing(path);
    return closingOnFailure(database, () => {
      quickCheck(database, path);
      const fresh = new Database(':memory:');
      try {
        checkSchemaIsOurs(database, path, fresh);
      } finally {
        fresh.close();
      }
      if (versionOf(database) === currentVersion) return new Journal(path, database, true);
      const copy = newestCopy(database, path);
      database.close();
      return new Journal(path, copy, true);
    });
  }

  /** Creates an in-memory journal for viewing runs, which `fill` writes. */
  static async inMemory(name: string, fill: (journal: Journal) => Promise<void>): Promise<Journal> {
    const database = openDatabase(':memory:');
    try {
      migrate(database, ':memory:');
      await fill(new Journal(name, database, false));
      return new Journal(name, database, true);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Returns the random id of this file, created on first use. */
  get id(): string | null {
    const row = this.reading(() => this.#prepared("SELECT value FROM meta WHERE key = 'journal_id'").get()) as
      | { value: unknown }
      | undefined;
    return typeof row?.value === 'string' ? row.value : null;
  }

  /** Creates the file's id unless another process already has. */
  setId(id: string): void {
    this.writing(() => this.#prepared("INSERT OR IGNORE INTO meta (key, value) VALUES ('journal_id', ?)").run(id));
  }

  /** Records a new run before its first transition. Returns its number in this file and the writer of its values. */
  createRun(run: NewRun): { readonly run: number; readonly writer: ValueWriter } {
    return this.writing(() => {
      const { snapshot, graph } = run;
      const inserted = this.#prepared(
        `INSERT INTO runs (run_id, flow_path, flow_name, flow_hash, flow_text, graph, input, models, status, last_seq, attempt, tokens, suspensions, cancel, created_at, updated_at, engine)
           VALUES (?, ?, ?, ?, '""', 'null', 'null', ?, ?, 0, 1, ?, '[]', 0, ?, ?, ?)`,
      ).run(
        snapshot.run_id,
        run.flow_path,
        graph.name,
        graph.hash,
        JSON.stringify(run.models ?? {}),
        waitsForAnswer(snapshot) ? 'suspended' : 'paused',
        snapshot.control.counters.tokens,
        run.created_at,
        run.created_at,
        run.engine ?? currentEngine,
      );
      const id = Number(inserted.lastInsertRowid);
      const writer = new ValueWriter(this.database, id);
      const suspensions = snapshot.control.suspensions.map((suspension) => ({ ...suspension, since: run.created_at }));
      this.#prepared('UPDATE runs SET flow_text = ?, graph = ?, input = ?, suspensions = ? WHERE run = ?').run(
        writer.write(run.flow_text),
        writer.write(graphJson(graph)),
        writer.write(run.input),
        writer.write(toJson(suspensions)),
        id,
      );
      this.#writeOrigin(id, run, writer);
      const states = snapshot.states.map((state) => ({
        ...state,
        written_at: 0,
        written_by: run.fork?.written_by.get(state.name) ?? '',
      }));
      this.#prepared('INSERT INTO snapshots (run, seq, states, control) VALUES (?, 0, ?, ?)').run(
        id,
        writer.write(toJson(states)),
        writer.write(toJson(snapshot.control)),
      );
      return { run: id, writer };
    });
  }

  #writeOrigin(id: number, { sources, fork }: NewRun, writer: ValueWriter): void {
    const insertSource = this.#prepared('INSERT INTO sources (run, path, text) VALUES (?, ?, ?)');
    for (const [path, text] of sources ?? []) insertSource.run(id, path, writer.write(text));
    if (!fork) return;
    const { run_id: runId, seq, continues, group, variant, copy } = fork.origin;
    this.#prepared('INSERT INTO origins (run, parent_run_id, parent_seq, continues, group_id, variant) VALUES (?, ?, ?, ?, ?, ?)').run(
      id,
      runId,
      seq,
      continues ? 1 : null,
      group ?? null,
      variant === undefined ? null : JSON.stringify({ name: variant, ...(copy && { copy }) }),
    );
    inheritMarks(this.database, fork.marks ?? [], id);
    const insertMessages = this.#prepared('INSERT INTO messages (run, node, seq, messages) VALUES (?, ?, 0, ?)');
    const insertConversation = this.#prepared('INSERT INTO conversations (run, node, since) VALUES (?, ?, 0)');
    for (const [node, messages] of Object.entries(fork.history)) {
      if (messages.length === 0) continue;
      insertMessages.run(id, node, writer.write(toJson(messages)));
      insertConversation.run(id, node);
    }
  }

  /** Returns the parent's record at which a fork begins; null if the run is not a fork. */
  forkOriginOf(row: Pick<RunRow, 'run'>): ForkOrigin | null {
    const origin = this.#originOf(row);
    if (typeof origin?.parent_run_id !== 'string' || typeof origin.parent_seq !== 'number') return null;
    return { run_id: origin.parent_run_id, seq: origin.parent_seq };
  }

  /** Returns the same with what the fork is to its parent. */
  runOriginOf(row: Pick<RunRow, 'run'>): RunOrigin | null {
    const fork = this.forkOriginOf(row);
    if (!fork) return null;
    const { continues, group_id: group, variant } = this.#originOf(row) ?? {};
    return {
      ...fork,
      ...(continues === 1 && { continues: true }),
      ...(typeof group === 'string' && { group }),
      ...(typeof variant === 'string' && readVariant(variant, this.path)),
    };
  }

  /** Returns the variants of a matrix, in the order in which they were made. */
  rowsOfGroup(group: string): RunRow[] {
    const rows = this.reading(() =>
      this.#prepared(`SELECT ${runColumns} FROM runs WHERE run IN (SELECT run FROM origins WHERE group_id = ?) ORDER BY run`).all(group),
    );
    return rows.map((row) => checked(runRowSchema, row, this.path));
  }

  /** Returns the id with which the run was recorded: its own, except for a run from a capsule. */
  recordedAs(row: Pick<RunRow, 'run' | 'run_id'>): string {
    const recordedAs = this.#originOf(row)?.recorded_as;
    return typeof recordedAs === 'string' ? recordedAs : row.run_id;
  }

  /** Texts of the files that the run's flow was built from, by path relative to the workspace. Empty for runs of older versions and of flows in code. */
  sourcesOf(row: Pick<RunRow, 'run'>): Map<string, string> {
    const rows = this.reading(() => this.#prepared('SELECT path, text FROM sources WHERE run = ? ORDER BY path').all(row.run)) as {
      path: string;
      text: string;
    }[];
    return new Map(rows.map(({ path, text }) => [path, String(this.values.read(text))]));
  }

  #originOf(row: Pick<RunRow, 'run'>): OriginRow | undefined {
    const select = 'SELECT parent_run_id, parent_seq, recorded_as, continues, group_id, variant FROM origins WHERE run = ?';
    return this.reading(() => this.#prepared(select).get(row.run)) as OriginRow | undefined;
  }

  /** Returns a run's row. Throws `NotFound`. */
  row(runId: string): RunRow {
    const row = this.reading(() => this.#prepared(`SELECT ${runColumns} FROM runs WHERE run_id = ?`).get(runId));
    if (row === undefined) {
      throw new FlowError('NotFound', `There is no run ${runId} in ${this.path}. List the runs with: pravah runs.`, {
        details: { run_id: runId },
      });
    }
    return checked(runRowSchema, row, this.path);
  }

  has(runId: string): boolean {
    return this.reading(() => this.#prepared('SELECT 1 FROM runs WHERE run_id = ?').get(runId)) !== undefined;
  }

  /** Returns the rows of the newest runs, newest first. */
  rows(filter: RunFilter): RunRow[] {
    const conditions: string[] = [];
    const given: (string | number)[] = [];
    if (filter.flow_path !== undefined) {
      conditions.push('flow_path = ?');
      given.push(filter.flow_path);
    }
    if (filter.before) {
      conditions.push('(created_at, run_id) < (?, ?)');
      given.push(filter.before.created_at, filter.before.run_id);
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const rows = this.reading(() =>
      this.#prepared(`SELECT ${runColumns} FROM runs ${where} ORDER BY created_at DESC, run_id DESC LIMIT ?`).all(...given, filter.limit),
    );
    return rows.map((row) => checked(runRowSchema, row, this.path));
  }

  /** Returns the graph that a run was started with. */
  graphOf(row: RunRow): FlowGraph {
    return this.values.readAs<FlowGraph>(this.#largeText(row, 'graph'));
  }

  flowTextOf(row: RunRow): string {
    const text = this.values.read(this.#largeText(row, 'flow_text'));
    return typeof text === 'string' ? text : '';
  }

  inputOf(row: RunRow): Json {
    return this.values.read(this.#largeText(row, 'input'));
  }

  setStatus(row: Pick<RunRow, 'run'>, status: RunStatus, now: number): void {
    this.writing(() => this.#prepared('UPDATE runs SET status = ?, updated_at = ? WHERE run = ?').run(status, now, row.run));
  }

  /** Asks the run's executor to cancel it. */
  requestCancel(row: Pick<RunRow, 'run'>): void {
    this.writing(() => this.#prepared('UPDATE runs SET cancel = 1 WHERE run = ?').run(row.run));
  }

  /** Removes a run and the large values that no other run uses. Throws `Conflict` while the run is driven. */
  removeRun(runId: string, now: number): void {
    this.writing(() => {
      const row = this.row(runId);
      if (leaseHolder(row, now)) throw new FlowError('Conflict', `Run ${runId} is running. Stop it before you remove it.`);
      const hashes = this.#prepared('SELECT hash FROM blob_uses WHERE run = ?').all(row.run) as { hash: string }[];
      const contents = this.files.contentsOf(row);
      this.#prepared('DELETE FROM runs WHERE run = ?').run(row.run);
      this.files.removeUnused(contents);
      const remove = this.#prepared(
        'DELETE FROM blobs WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.hash = blobs.hash)',
      );
      for (const { hash } of hashes) remove.run(hash);
    });
  }

  /** Runs a read; turns SQLite errors into `FlowError`s. */
  reading<Result>(read: () => Result): Result {
    return explainingErrors(this.path, () => whenUnlocked(this.database, read));
  }

  /** Runs `write` in a transaction. Throws `Conflict` for an imported journal. */
  writing<Result>(write: () => Result): Result {
    if (this.readonly) {
      throw new FlowError(
        'Conflict',
        `The journal ${this.path} was not created here by you, or is not writable, so its runs can be viewed but not continued. Fork a run to continue from it.`,
      );
    }
    return explainingErrors(this.path, () => inTransaction(this.database, write));
  }

  close(): void {
    this.database.close();
  }

  #prepared(sql: string): Statement {
    return prepared(this.database, sql);
  }

  #largeText(row: RunRow, column: 'graph' | 'flow_text' | 'input'): string {
    const found = this.reading(() => this.#prepared(`SELECT ${column} AS value FROM runs WHERE run = ?`).get(row.run)) as
      | { value: string }
      | undefined;
    if (!found) throw new FlowError('NotFound', `Run ${row.run_id} was removed in the meantime.`);
    return found.value;
  }
}

/** Returns the error of a failed run. */
export function errorOf(journal: Journal, row: RunRow): TransferableError | null {
  return row.error === null ? null : journal.values.readAs<TransferableError>(row.error);
}

/** Whether a run has an unanswered question. */
function waitsForAnswer({ control }: Snapshot): boolean {
  return control.suspensions.length > 0 && control.answers.length === 0;
}

/** Returns a migrated in-memory copy of an older journal, whose file must not be changed. */
function newestCopy(database: SqlDatabase, path: string): SqlDatabase {
  const bytes = explainingErrors(path, () => database.serialize());
  // SQLite can't open an in-memory file whose header declares a write-ahead log.
  bytes[18] = 1;
  bytes[19] = 1;
  const copy = new Database(bytes);
  return closingOnFailure(copy, () => {
    copy.pragma('trusted_schema = OFF');
    migrate(copy, path);
    copy.pragma('query_only = ON');
    return copy;
  });
}

function closingOnFailure<Result>(database: SqlDatabase, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    database.close();
    throw error;
  }
}
