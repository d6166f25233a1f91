import { z } from 'zod';
import { type NodeTally, nodeTallySchema } from '#shared/contract/node-tally.ts';
import { outermostNode } from '#shared/run/node-id.ts';
import { explainingErrors, prepared, type SqlDatabase } from './database.ts';
import { checked } from './rows.ts';
import type { ValueReader } from './value-store.ts';

/** Statistics by node of the flow. */
export type NodeStats = Record<string, NodeTally>;

const nodeStatsSchema = z.record(z.string(), nodeTallySchema);
const storedSchema = z.object({ seq: z.int(), tallies: z.string() });
const countedSchema = nodeTallySchema.extend({ node: z.string() });

const selectStored = 'SELECT seq, tallies FROM tallies WHERE run = ? AND seq <= ? ORDER BY seq DESC LIMIT 1';
const selectAll = `
  SELECT node, sum(type = 'transition' AND (phase IS NULL OR produced <> '[]')) AS count,
    sum(type = 'transition' AND phase IS 'reason') AS turns, sum(tokens) AS tokens, sum(duration_ms) AS duration_ms
  FROM steps WHERE run = ? AND seq > ? AND seq <= ?`;
const selectCounted = `${selectAll} GROUP BY node`;
const selectCountedInside = `${selectAll} AND node >= ? AND node < ? GROUP BY node`;

/** Returns the last stored statistics up to record `seq`, with their record; for none, those of the start. */
export function storedStats(
  database: SqlDatabase,
  values: ValueReader,
  path: string,
  run: number,
  seq: number,
): { seq: number; stats: NodeStats } {
  return explainingErrors(path, () => {
    const found = prepared(database, selectStored).get(run, seq);
    if (found === undefined) return { seq: 0, stats: {} };
    const stored = checked(storedSchema, found, path);
    return { seq: stored.seq, stats: checked(nodeStatsSchema, values.read(stored.tallies), path) };
  });
}

/**
 * Returns node statistics up to record `seq`: the stored ones of an earlier record plus the rows since. Nodes inside an `each` node add
 * their tokens and time to it; it counts its own firings.
 */
export function nodeStatsAt(database: SqlDatabase, values: ValueReader, path: string, run: number, seq: number): NodeStats {
  return explainingErrors(path, () => {
    const stored = storedStats(database, values, path, run, seq);
    const tallies = new Map(Object.entries(stored.stats));
    addRows(tallies, prepared(database, selectCounted).iterate(run, stored.seq, seq), '', path);
    return Object.fromEntries(tallies);
  });
}

/**
 * Returns what the records from `from` to `to` add to the statistics; with `inside` (`Items[1]`), only those of nodes in that frame, by their ids in the run.
 * Its work grows with these records.
 */
export function nodeStatsBetween(
  database: SqlDatabase,
  path: string,
  run: number,
  { from, to, inside }: { readonly from: number; readonly to: number; readonly inside?: string | undefined },
): NodeStats {
  return explainingErrors(path, () => {
    const tallies = new Map<string, NodeTally>();
    const rows =
      inside === undefined
        ? prepared(database, selectCounted).iterate(run, from - 1, to)
        : prepared(database, selectCountedInside).iterate(run, from - 1, to, `${inside}::`, `${inside}:;`);
    addRows(tallies, rows, inside === undefined ? '' : `${inside}::`, path);
    return Object.fromEntries(tallies);
  });
}

/** Adds counted rows to the statistics of the nodes of one frame. */
function addRows(tallies: Map<string, NodeTally>, rows: Iterable<unknown>, prefix: string, path: string): void {
  for (const row of rows) {
    const { node: id, ...counted } = checked(countedSchema, row, path);
    const node = prefix + outermostNode(id.slice(prefix.length));
    tallies.set(node, sum(tallies.get(node), node === id ? counted : { ...counted, count: 0, turns: 0 }));
  }
}

function sum(one: NodeTally | undefined, other: NodeTally): NodeTally {
  if (!one) return other;
  return {
    count: one.count + other.count,
    turns: one.turns + other.turns,
    tokens: one.tokens + other.tokens,
    duration_ms: one.duration_ms + other.duration_ms,
  };
}
