import { z } from 'zod';
import { FlowError } from '#shared/run/error.ts';
import { prepared, type SqlDatabase } from './database.ts';
import { type RunTable, runTables, triggersOf } from './run-tables.ts';

const columnsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Columns of a row with their values. */
type Columns = z.infer<typeof columnsSchema>;

/** A changed row of a run, without the number of the run, which differs between journals. */
const rowChangeSchema = z.object({
  table: z.string(),
  insert: columnsSchema.optional(),
  update: columnsSchema.optional(),
  /** Names the row that is updated, or deleted if nothing else is said of it. */
  where: columnsSchema.optional(),
});
type RowChange = z.infer<typeof rowChangeSchema>;
const rowChangesSchema = z.array(rowChangeSchema);

/** What a transaction has changed of one run. */
export interface ChangedRun {
  readonly run: number;
  readonly run_id: string;
  readonly removed: boolean;
  /** The changed rows as text; empty if only the lease's time or the request to cancel changed. */
  readonly rows: string;
  /** Hashes of the values, and of the contents of files, that it uses from now on. */
  readonly values: readonly string[];
  readonly contents: readonly string[];
  /** Null: as before. */
  readonly cancel: boolean | null;
}

/** A row of the table in which triggers note changes. */
interface NotedChange extends Columns {
  readonly name: string;
  readonly run: number;
  readonly what: 'insert' | 'update' | 'delete';
}

/** Columns of `runs` that the store keeps apart from the rows. */
const storedApart: ReadonlySet<string> = new Set(['lease_expires', 'cancel']);

/** Notes which rows of runs a connection changes, and repeats such changes in another journal. */
export class RowChanges {
  readonly #database: SqlDatabase;
  readonly #tables: ReadonlyMap<string, RunTable>;

  constructor(database: SqlDatabase) {
    this.#database = database;
    const tables = runTables(database);
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    const width = Math.max(...tables.map(({ columns }) => columns.length));
    const values = Array.from({ length: width }, (_, index) => `old${index}, new${index}`).join(', ');
    database.pragma('temp_store = MEMORY');
    database.exec(
      `CREATE TEMP TABLE changed_rows (number INTEGER PRIMARY KEY, name TEXT NOT NULL, run INTEGER NOT NULL, what TEXT NOT NULL, ${values})`,
    );
    for (const table of tables) database.exec(triggersOf(table));
  }

  forget(): void {
    prepared(this.#database, 'DELETE FROM temp.changed_rows').run();
  }

  /** Returns what was changed since the last call. */
  take(): ChangedRun[] {
    const noted = prepared(this.#database, 'SELECT * FROM temp.changed_rows ORDER BY number').all() as NotedChange[];
    if (noted.length === 0) return [];
    this.forget();
    return [...Map.groupBy(noted, ({ run }) => run)].map(([run, changes]) => this.#changed(run, changes));
  }

  #changed(run: number, changes: readonly NotedChange[]): ChangedRun {
    const unchanged = { run, removed: false, rows: '', values: [], contents: [], cancel: null };
    const removal = changes.find(({ name, what }) => name === 'runs' && what === 'delete');
    if (removal) return { ...unchanged, run_id: String(this.#values(removal, 'old').run_id), removed: true };
    const insertedInto = (table: string, column: string) =>
      changes
        .filter(({ name, what }) => name === table && what === 'insert')
        .map((change) => this.#values(change, 'new')[column])
        .filter((value) => typeof value === 'string');
    const rows = changes.map((change) => this.#rowChange(change)).filter((row) => row !== null);
    const { run_id: runId } = prepared(this.#database, 'SELECT run_id FROM runs WHERE run = ?').get(run) as { run_id: string };
    return {
      ...unchanged,
      run_id: runId,
      rows: rows.length > 0 ? JSON.stringify(rows) : '',
      values: insertedInto('blob_uses', 'hash'),
      contents: insertedInto('file_changes', 'before_hash'),
      cancel: changes.reduce<boolean | null>((cancel, change) => this.#cancelOf(change) ?? cancel, null),
    };
  }

  #cancelOf(change: NotedChange): boolean | null {
    if (change.name !== 'runs' || change.what !== 'update') return null;
    const { cancel } = this.#values(change, 'new');
    return cancel === this.#values(change, 'old').cancel ? null : cancel === 1;
  }

  #rowChange(change: NotedChange): RowChange | null {
    const table = this.#table(change.name);
    const told = ([column]: readonly [string, unknown]) => column !== table.localKey && !(table.name === 'runs' && storedApart.has(column));
    const fields = (when: 'old' | 'new') => Object.entries(this.#values(change, when)).filter(told);
    if (change.what === 'insert')
      return { table: table.name, insert: Object.fromEntries(fields('new').filter(([, value]) => value !== null)) };
    const before = Object.fromEntries(fields('old'));
    const where = Object.fromEntries(table.key.map((column) => [column, before[column] ?? null]));
    if (change.what === 'delete') return { table: table.name, where };
    const changed = fields('new').filter(([column, value]) => value !== before[column]);
    return changed.length === 0 ? null : { table: table.name, update: Object.fromEntries(changed), where };
  }

  #values(change: NotedChange, when: 'old' | 'new'): Columns {
    return Object.fromEntries(this.#table(change.name).columns.map((column, index) => [column, change[`${when}${index}`] ?? null]));
  }

  #table(name: string): RunTable {
    const table = this.#tables.get(name);
    if (table) return table;
    throw new FlowError('SnapLoadError', `The run has rows of the unknown kind “${name}”: a newer Pravah has written it. Update this one.`);
  }

  /** Repeats changes in this journal. `run` is the run's number here, null if it is not here yet. Call inside a transaction. Returns the number. */
  repeat(run: number | null, text: string): number {
    let here = run;
    for (const change of rowChangesSchema.parse(JSON.parse(text))) {
      if (change.table === 'runs' && change.insert) here = this.#insertRun(change.insert);
      else if (here === null) throw new FlowError('SnapLoadError', 'A stored run does not begin with its first row.');
      else this.#repeat(here, change);
    }
    if (here === null) throw new FlowError('SnapLoadError', 'A stored run has no rows.');
    return here;
  }

  #insertRun(row: Columns): number {
    const columns = this.#table('runs').columns.filter((column) => column !== 'lease_expires');
    const insert = `INSERT INTO runs (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const values = columns.map((column) => (column === 'cancel' ? 0 : (row[column] ?? null)));
    return Number(prepared(this.#database, insert).run(...values).lastInsertRowid);
  }

  #repeat(run: number, { table: name, insert, update, where = {} }: RowChange): void {
    const table = this.#table(name);
    const known = (row: Columns) => Object.keys(row).filter((column) => table.columns.includes(column));
    if (insert) {
      const columns = table.columns.filter((column) => column !== table.localKey);
      const sql = `INSERT OR REPLACE INTO ${name} (run, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
      prepared(this.#database, sql).run(run, ...columns.map((column) => insert[column] ?? null));
      return;
    }
    const here = known(where);
    const condition = ['run = ?', ...here.map((column) => `${column} IS ?`)].join(' AND ');
    const named = [run, ...here.map((column) => where[column] ?? null)];
    if (!update) {
      prepared(this.#database, `DELETE FROM ${name} WHERE ${condition}`).run(...named);
      return;
    }
    const changed = known(update);
    const sql = `UPDATE ${name} SET ${changed.map((column) => `${column} = ?`).join(', ')} WHERE ${condition}`;
    prepared(this.#database, sql).run(...changed.map((column) => update[column] ?? null), ...named);
  }
}
