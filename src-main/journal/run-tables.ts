import { z } from 'zod';
import type { SqlDatabase } from './database.ts';

/** A table with rows of runs. */
export interface RunTable {
  readonly name: string;
  /** All but `run`. */
  readonly columns: readonly string[];
  /** Columns that name a row of a run. */
  readonly key: readonly string[];
  /** A column whose numbers mean nothing outside this journal. */
  readonly localKey: string | null;
}

/** Rows that exist only where they were made: a restore wrote to that machine's files, and a place in a queue is that of a process. */
const localTables: ReadonlySet<string> = new Set(['restores', 'conversation_queue']);

const tablesSchema = z.array(z.object({ name: z.string() }));
const columnsSchema = z.array(z.object({ name: z.string(), pk: z.int() }));

/** The tables of a journal whose rows belong to one run each, `runs` first. */
export function runTables(database: SqlDatabase): RunTable[] {
  const select = `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = 'runs' OR EXISTS (
    SELECT 1 FROM pragma_foreign_key_list(sqlite_schema.name) WHERE "table" = 'runs' AND "from" = 'run')) ORDER BY name <> 'runs', name`;
  return tablesSchema
    .parse(database.prepare(select).all())
    .filter(({ name }) => !localTables.has(name))
    .map(({ name }) => runTable(database, name));
}

function runTable(database: SqlDatabase, name: string): RunTable {
  const all = columnsSchema.parse(database.prepare('SELECT name, pk FROM pragma_table_info(?)').all(name));
  const columns = all.map((column) => column.name).filter((column) => column !== 'run');
  const key = all.filter(({ pk }) => pk > 0).map((column) => column.name);
  if (key.includes('run')) return { name, columns, key: key.filter((column) => column !== 'run'), localKey: null };
  const [localKey = null] = key;
  return { name, columns, key: columns.filter((column) => column !== localKey), localKey };
}

/** Notes each change of a table's rows in `changed_rows`: `oldN` and `newN` are the columns before and after. */
export function triggersOf({ name, columns }: RunTable): string {
  const trigger = (what: string, row: 'NEW' | 'OLD', ...sides: readonly ('old' | 'new')[]) => {
    const names = sides.flatMap((side) => columns.map((_, index) => `${side}${index}`));
    const values = sides.flatMap((side) => columns.map((column) => `${side}.${column}`));
    return `CREATE TEMP TRIGGER note_${what}_${name} AFTER ${what} ON main.${name} BEGIN
      INSERT INTO changed_rows (name, run, what, ${names.join(', ')}) VALUES ('${name}', ${row}.run, '${what}', ${values.join(', ')}); END;`;
  };
  return trigger('insert', 'NEW', 'new') + trigger('update', 'NEW', 'old', 'new') + trigger('delete', 'OLD', 'old');
}
