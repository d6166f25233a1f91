import { z } from 'zod';
import { prepared } from '#main/journal/database.ts';
import { IterationReader } from '#main/journal/iterations.ts';
import { errorOf, type Journal } from '#main/journal/journal.ts';
import { checked, type RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Fold, Round } from '#shared/contract/iterations.ts';
import { loopsOf } from '#shared/flow/loops.ts';
import { outermostNode } from '#shared/run/node-id.ts';

const nodeSchema = z.object({ seq: z.int(), node: z.string() });
const sumSchema = z.object({ tokens: z.int().nullable(), duration_ms: z.number().nullable() });
const stepSchema = z.object({ seq: z.int(), duration_ms: z.number() });
const failureSchema = z.object({ seq: z.int() });

const selectForth = 'SELECT seq, node FROM steps WHERE run = ? AND seq >= ? ORDER BY seq';
const selectBack = 'SELECT seq, node FROM steps WHERE run = ? AND seq <= ? ORDER BY seq DESC';
const selectSum = 'SELECT sum(tokens) AS tokens, sum(duration_ms) AS duration_ms FROM steps WHERE run = ? AND seq >= ? AND seq <= ?';
const selectSteps = 'SELECT seq, duration_ms FROM steps WHERE run = ? AND seq >= ? AND seq <= ? ORDER BY seq';
const selectFailure = 'SELECT seq FROM failures WHERE run = ? AND seq >= ? AND seq <= ? ORDER BY seq LIMIT 1';

/** A fold, with the nodes of its loop. */
interface OpenFold extends Fold {
  readonly members: ReadonlySet<string>;
}

/** Returns the stretches of a run that consist of rounds. Throws `NotFound`. */
export function foldsOf(journal: Journal, runId: string): Fold[] {
  return new RoundReader(journal, runId).folds().map(({ members: _members, ...fold }) => fold);
}

/** Returns rounds of the fold that begins with a node, from number `from` or the one that contains record `seq` on. */
export function roundsOf(
  journal: Journal,
  { run_id, node, from, seq, limit }: { run_id: string; node: string; from: number; seq?: number | undefined; limit: number },
): Round[] {
  const reader = new RoundReader(journal, run_id);
  const fold = reader.fold(node);
  return fold ? reader.rounds(fold, seq === undefined ? from : reader.roundAt(fold, seq), limit) : [];
}

/** Returns the first round of a fold with a failed attempt, or the slowest one; null if there is none. Reads all records of the fold for the slowest. */
export function findRound(
  journal: Journal,
  { run_id, node, which }: { run_id: string; node: string; which: 'first_failed' | 'slowest' },
): Round | null {
  const reader = new RoundReader(journal, run_id);
  const fold = reader.fold(node);
  const seq = fold && (which === 'slowest' ? reader.slowest(fold) : reader.firstFailed(fold));
  return fold && seq !== null ? (reader.rounds(fold, reader.roundAt(fold, seq), 1)[0] ?? null) : null;
}

/** Reads the rounds of a run's loops and `each` nodes. Its work grows with what it returns, not with the run, unless it says otherwise. */
class RoundReader {
  readonly #journal: Journal;
  readonly #row: RunRow;

  constructor(journal: Journal, runId: string) {
    this.#journal = journal;
    this.#row = journal.row(runId);
  }

  folds(): OpenFold[] {
    const { nodes } = this.#journal.graphOf(this.#row);
    const loops = loopsOf([...nodes.values()]);
    const inLoop = new Set(loops.flatMap((loop) => [...loop]));
    const each = [...nodes.values()].filter(({ id, kind }) => kind === 'each' && !inLoop.has(id)).map(({ id }) => new Set([id]));
    const found = [...loops.map((members) => this.#foldOf('loop', members)), ...each.map((members) => this.#foldOf('each', members))];
    const folds = found.filter((fold) => fold !== null && fold.rounds > 1) as OpenFold[];
    folds.sort((one, other) => one.from_seq - other.from_seq);
    let end = 0;
    return folds.filter(({ from_seq, to_seq }) => {
      if (from_seq <= end) return false;
      end = to_seq;
      return true;
    });
  }

  fold(node: string): OpenFold | null {
    return this.folds().find((fold) => fold.node === node) ?? null;
  }

  rounds(fold: OpenFold, from: number, limit: number): Round[] {
    const starts = this.#starts(fold, from, Math.min(limit, fold.rounds - from + 1) + 1);
    return starts.slice(0, limit).map((from_seq, at) => {
      const index = from + at;
      const to_seq = index === fold.rounds ? fold.to_seq : (starts[at + 1] as number) - 1;
      const { tokens, duration_ms } = checked(sumSchema, this.#get(selectSum, from_seq, to_seq), this.#journal.path);
      const status = index === fold.rounds ? this.#lastStatus(fold) : 'done';
      return { index, from_seq, to_seq, status, tokens: tokens ?? 0, duration_ms: duration_ms ?? 0 };
    });
  }

  /** The number of the round that contains a record of the fold. */
  roundAt(fold: OpenFold, seq: number): number {
    const at = Math.max(fold.from_seq, Math.min(seq, fold.to_seq));
    return Math.min(fold.rounds, fold.kind === 'loop' ? this.#iterations(fold.node).indexAt(at) : this.#itemAt(fold, at) + 1);
  }

  /** The first record of the slowest round. Reads all records of the fold. */
  slowest(fold: OpenFold): number | null {
    let starts: number[] = [];
    for (let from = 1; from <= fold.rounds; from += 100)
      starts = [...starts, ...this.#starts(fold, from, Math.min(100, fold.rounds - from + 1))];
    const took = starts.map(() => 0);
    let round = 0;
    for (const raw of this.#all(selectSteps, fold.from_seq, fold.to_seq)) {
      const { seq, duration_ms } = checked(stepSchema, raw, this.#journal.path);
      while (seq >= (starts[round + 1] ?? Number.POSITIVE_INFINITY)) round += 1;
      took[round] = (took[round] ?? 0) + duration_ms;
    }
    return starts[took.indexOf(Math.max(...took))] ?? null;
  }

  /** The first record of the fold at which an attempt failed. */
  firstFailed(fold: OpenFold): number | null {
    const failed = this.#get(selectFailure, fold.from_seq, fold.to_seq + (this.#lastStatus(fold) === 'failed' ? 1 : 0));
    return failed === undefined ? null : checked(failureSchema, failed, this.#journal.path).seq;
  }

  #foldOf(kind: Fold['kind'], members: ReadonlySet<string>): OpenFold | null {
    const first = this.#record(selectForth, 0, members);
    const last = this.#record(selectBack, this.#row.last_seq, members);
    if (!first || !last) return null;
    const node = outermostNode(first.node);
    const fold = { kind, node, from_seq: first.seq, to_seq: last.seq, rounds: 1, members };
    if (kind === 'each') return { ...fold, rounds: this.#itemAt(fold, last.seq) + 1 };
    const iterations = this.#iterations(node);
    const total = iterations.total();
    // A firing that failed has no record.
    const [end] = iterations.page(total, 1).iterations;
    return { ...fold, rounds: end && end.from_seq > this.#row.last_seq ? total - 1 : total };
  }

  /** The first records of rounds, from number `from` on. */
  #starts(fold: OpenFold, from: number, count: number): number[] {
    if (fold.kind === 'loop') {
      const { node } = fold;
      return this.#iterations(node)
        .page(from, count)
        .iterations.map(({ from_seq }) => from_seq);
    }
    return Array.from({ length: Math.min(count, fold.rounds - from + 1) }, (_, at) => this.#startOfItem(fold, from + at - 1));
  }

  /** Items follow each other: the first record of one is found by halving. */
  #startOfItem(fold: OpenFold, item: number): number {
    let [low, high] = [fold.from_seq, fold.to_seq];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#itemAt(fold, middle) < item) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The item in which an `each` node is at a record, from 0. */
  #itemAt({ node, from_seq, members }: OpenFold, seq: number): number {
    for (const raw of this.#each(selectBack, seq)) {
      const record = checked(nodeSchema, raw, this.#journal.path);
      if (record.seq < from_seq) return 0;
      if (!members.has(outermostNode(record.node)) || record.node === node) continue;
      return Number.parseInt(record.node.slice(node.length + 1), 10) || 0;
    }
    return 0;
  }

  /** The status of a fold's last round. */
  #lastStatus({ to_seq, members }: OpenFold): Round['status'] {
    const { status, last_seq } = this.#row;
    if (to_seq < last_seq || status === 'success') return 'done';
    if (status === 'cancelled') return 'stopped';
    if (status === 'suspended') return 'waiting';
    if (status !== 'error') return 'running';
    const failed = errorOf(this.#journal, this.#row)?.node;
    return failed != null && members.has(outermostNode(failed)) ? 'failed' : 'done';
  }

  #iterations(node: string): IterationReader {
    const { control } = new RunReader(this.#journal, this.#row).foldAt(this.#row.last_seq);
    return new IterationReader(this.#journal, this.#row, { node, nested: false }, control);
  }

  #record(sql: string, seq: number, members: ReadonlySet<string>): { seq: number; node: string } | null {
    for (const raw of this.#each(sql, seq)) {
      const record = checked(nodeSchema, raw, this.#journal.path);
      if (members.has(outermostNode(record.node))) return record;
    }
    return null;
  }

  #each(sql: string, seq: number): Iterable<unknown> {
    return prepared(this.#journal.database, sql).iterate(this.#row.run, seq);
  }

  #all(sql: string, ...given: number[]): unknown[] {
    return this.#journal.reading(() => prepared(this.#journal.database, sql).all(this.#row.run, ...given));
  }

  #get(sql: string, ...given: number[]): unknown {
    return this.#journal.reading(() => prepared(this.#journal.database, sql).get(this.#row.run, ...given));
  }
}
