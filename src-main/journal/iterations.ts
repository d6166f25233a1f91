import { z } from 'zod';
import type { Iteration, IterationPage } from '#shared/contract/iterations.ts';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { isInsideFrame } from '#shared/run/node-id.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { prepared } from './database.ts';
import { errorOf, type Journal } from './journal.ts';
import { nodeStatsAt, storedStats } from './node-stats.ts';
import { checked, type RunRow, readNames } from './rows.ts';
import { nodeStatsInterval } from './step-writer.ts';

/** A node of a run, or with `nested` the whole nested flow that starts with it. */
export interface IterationSubject {
  readonly node: string;
  readonly nested: boolean;
}

const recordSchema = z.object({
  seq: z.int(),
  type: z.enum(['transition', 'suspended', 'resumed']),
  node: z.string(),
  kind: z.string(),
  phase: z.enum(agentPhases).nullable(),
  turn: z.int().nullable(),
  produced: z.string(),
  tokens: z.int(),
  duration_ms: z.number(),
});
type Row = z.infer<typeof recordSchema>;

const spanSchema = z.object({
  first: z.int().nullable(),
  last: z.int().nullable(),
  tokens: z.int().nullable(),
  duration_ms: z.number().nullable(),
});
const countSchema = z.object({ count: z.int() });
const endSchema = z.object({ seq: z.int() });

/** The records of one iteration. */
interface Span {
  readonly first: number;
  readonly last: number;
  readonly tokens: number;
  readonly duration_ms: number;
}

/** A record of the node itself, of its items or called flows, or of the nested flow. The parameters are those of `within`. */
export const isWithin = '(node = ? OR (node >= ? AND node < ?) OR (node >= ? AND node < ?))';

/** The parameters of `isWithin`: the node, and the ranges of ids that start with `node[` and with `node::flow:`, or for a nested flow with `node::`. */
export function within({ node, nested }: IterationSubject): string[] {
  return [node, `${node}[`, `${node}\\`, ...(nested ? [`${node}::`, `${node}:;`] : [`${node}::flow:`, `${node}::flow;`])];
}

const columns = 'seq, type, node, kind, phase, turn, produced, tokens, duration_ms';
const isEnd = "type = 'transition' AND (phase IS NULL OR produced <> '[]')";
const selectEnds = `SELECT seq FROM steps WHERE run = ? AND node = ? AND seq > ? AND seq <= ? AND ${isEnd} ORDER BY seq LIMIT ?`;
const countEnds = `SELECT count(*) AS count FROM steps WHERE run = ? AND node = ? AND seq <= ? AND ${isEnd}`;
const selectBack = `SELECT ${columns} FROM steps WHERE run = ? AND seq > ? AND seq <= ? AND ${isWithin} ORDER BY seq DESC`;
const selectLast = `${selectBack} LIMIT 1`;
const selectSpan = `SELECT min(seq) AS first, max(seq) AS last, sum(tokens) AS tokens, sum(duration_ms) AS duration_ms
  FROM steps WHERE run = ? AND seq > ? AND seq <= ? AND ${isWithin}`;
const selectOne = `SELECT ${columns} FROM steps WHERE run = ? AND seq = ?`;

/** Reads the iterations of one node. Its work grows with the records of the iterations that it returns, not with the run. */
export class IterationReader {
  readonly #journal: Journal;
  readonly #row: RunRow;
  readonly #subject: IterationSubject;
  readonly #control: Control;

  /** `control` is the run's now. */
  constructor(journal: Journal, row: RunRow, subject: IterationSubject, control: Control) {
    this.#journal = journal;
    this.#row = row;
    this.#subject = subject;
    this.#control = control;
  }

  /** The number of iterations, with the one in progress. */
  total(): number {
    return this.indexAt(this.#row.last_seq + 1);
  }

  page(from: number, limit: number): IterationPage {
    const iterations = this.#subject.nested ? this.#nested(from, limit) : this.#own(from, limit);
    return { total: this.total(), from, iterations };
  }

  /** The number of the last iteration that had begun at record `seq`; 0 for none. */
  indexAt(seq: number): number {
    const finished = this.#finished(Math.min(seq, this.#row.last_seq));
    const [next] = this.#own(finished + 1, 1);
    return next && next.from_seq <= seq ? finished + 1 : finished;
  }

  #own(from: number, limit: number): Iteration[] {
    const ends = this.#ends(Math.max(1, from - 1), limit + 1);
    const first = from === 1 ? 0 : ends.shift();
    if (first === undefined) return [];
    const done = ends.slice(0, limit).map((end, at) => this.#iteration(from + at, ends[at - 1] ?? first, end, 'done'));
    const total = this.#finished(this.#row.last_seq);
    const last = done.length < limit && from + done.length === total + 1 ? this.#unfinished(total + 1, done.at(-1)?.to_seq ?? first) : null;
    return last ? [...done, last] : done;
  }

  /** The flow is entered by its first node: what comes before the next entry belongs to one iteration. */
  #nested(from: number, limit: number): Iteration[] {
    const entries = this.#own(from, limit + 1);
    return entries.slice(0, limit).map((entry, at) => {
      const upTo = (entries[at + 1]?.from_seq ?? this.#row.last_seq + 1) - 1;
      const last = this.#last(entry.from_seq - 1, upTo);
      const left = last ? readNames(last.produced, this.#journal.path).filter((name) => !name.startsWith(`${this.#subject.node}::`)) : [];
      const status = at === entries.length - 1 && left.length === 0 ? this.#statusNow() : 'done';
      const span = this.#sum(entry.from_seq - 1, upTo) ?? { ...entry, first: entry.from_seq, last: entry.to_seq };
      const { tokens, duration_ms } = span;
      const to_seq = status === 'failed' ? upTo + 1 : span.last;
      return { index: entry.index, from_seq: entry.from_seq, to_seq, status, tokens, duration_ms, preview: left.join(', ') };
    });
  }

  /** The firing whose last record is in `(after, end]`. */
  #iteration(index: number, after: number, end: number, status: Iteration['status']): Iteration {
    const last = this.#last(after, end);
    const span = (last && this.#span(after, last)) ?? { first: end, last: end, tokens: 0, duration_ms: 0 };
    const preview = status === 'done' && last ? readNames(last.produced, this.#journal.path).join(', ') : '';
    return { index, from_seq: span.first, to_seq: span.last, status, duration_ms: span.duration_ms, tokens: span.tokens, preview };
  }

  /** The firing in progress after the last finished one; null if there is none. */
  #unfinished(index: number, after: number): Iteration | null {
    const { node } = this.#subject;
    const { agents, frames, handlers, suspensions, answers } = this.#control;
    const asked = [...suspensions, ...answers.map(({ suspension }) => suspension)];
    const began = node in agents || node in frames || node in handlers || asked.some((suspension) => suspension.node === node);
    const status = this.#statusNow();
    const soFar = began ? this.#iteration(index, after, this.#row.last_seq, status) : null;
    if (status !== 'failed') return soFar;
    const next = this.#row.last_seq + 1;
    if (soFar) return { ...soFar, to_seq: next };
    return { index, from_seq: next, to_seq: next, status, duration_ms: 0, tokens: 0, preview: '' };
  }

  /** What an iteration that has not finished is doing. */
  #statusNow(): Iteration['status'] {
    const { node, nested } = this.#subject;
    const inside = (id: string) => id === node || id.startsWith(`${node}[`) || (nested && id.startsWith(`${node}::`));
    const failed = this.#row.status === 'error' ? errorOf(this.#journal, this.#row)?.node : null;
    if (failed != null && inside(failed)) return 'failed';
    if (this.#row.status === 'cancelled') return 'stopped';
    return this.#control.suspensions.some((asked) => inside(asked.node)) ? 'waiting' : 'running';
  }

  /** Adds up a firing backwards from its last record, which comes after record `after`. */
  #span(after: number, last: Row): Span | null {
    // All that happens between two firings of an `each` node belongs to the later one.
    if (last.kind === 'each' || last.node !== this.#subject.node) return this.#sum(after, last.seq);
    const rows = last.kind === 'agent' ? this.#turnsBack(after, last.seq) : this.#answersBack(last);
    const sum = (field: 'tokens' | 'duration_ms') => rows.reduce((total, row) => total + row[field], 0);
    return { first: rows.at(-1)?.seq ?? last.seq, last: last.seq, tokens: sum('tokens'), duration_ms: sum('duration_ms') };
  }

  /** The records of an agent's visit, the last one first. */
  #turnsBack(after: number, end: number): Row[] {
    const { database, path } = this.#journal;
    return this.#journal.reading(() => {
      const rows: Row[] = [];
      for (const raw of prepared(database, selectBack).iterate(this.#row.run, after, end, ...within(this.#subject))) {
        const row = checked(recordSchema, raw, path);
        rows.push(row);
        if (row.type === 'transition' && row.phase === 'reason' && row.turn === 1) break;
      }
      return rows;
    });
  }

  /** A firing's record, with the questions and answers before it. */
  #answersBack(last: Row): Row[] {
    const rows = [last];
    for (let row = last; ; ) {
      const before = this.#one(row.seq - 1);
      if (before?.node !== last.node || before.type === 'transition') return rows;
      rows.push(before);
      row = before;
    }
  }

  #sum(after: number, end: number): Span | null {
    const raw = this.#get(selectSpan, after, end, ...within(this.#subject));
    const span = checked(spanSchema, raw, this.#journal.path);
    return span.first === null || span.last === null
      ? null
      : { first: span.first, last: span.last, tokens: span.tokens ?? 0, duration_ms: span.duration_ms ?? 0 };
  }

  #last(after: number, end: number): Row | null {
    const raw = this.#get(selectLast, after, end, ...within(this.#subject));
    return raw === undefined ? null : checked(recordSchema, raw, this.#journal.path);
  }

  #one(seq: number): Row | null {
    const raw = this.#get(selectOne, seq);
    return raw === undefined ? null : checked(recordSchema, raw, this.#journal.path);
  }

  /** How often the node has finished up to record `seq`. Only nodes outside of items are counted in the stored statistics. */
  #finished(seq: number): number {
    const { database, values, path } = this.#journal;
    const { node } = this.#subject;
    if (isInsideFrame(node)) return checked(countSchema, this.#get(countEnds, node, seq), path).count;
    return nodeStatsAt(database, values, path, this.#row.run, seq)[node]?.count ?? 0;
  }

  /** The records that end the iterations from number `from` on, `limit` at most. Skips stretches of the run in which none ends. */
  #ends(from: number, limit: number): number[] {
    const { node } = this.#subject;
    const { last_seq } = this.#row;
    if (isInsideFrame(node)) return this.#endsBetween(0, last_seq, from - 1 + limit).slice(from - 1);
    const total = this.#finished(last_seq);
    const ends: number[] = [];
    while (ends.length < limit && from + ends.length <= total) {
      const { seq, count, upTo } = this.#stretchOf(from + ends.length);
      const found = this.#endsBetween(seq, upTo, nodeStatsInterval).slice(from + ends.length - 1 - count);
      if (found.length === 0) break;
      ends.push(...found);
    }
    return ends.slice(0, limit);
  }

  /** The records between two stored statistics in which the node finishes for the `nth` time. */
  #stretchOf(nth: number): { seq: number; count: number; upTo: number } {
    const { database, values, path } = this.#journal;
    const at = (block: number) => storedStats(database, values, path, this.#row.run, block * nodeStatsInterval);
    const countIn = (block: number) => at(block).stats[this.#subject.node]?.count ?? 0;
    let low = 0;
    let high = Math.floor(this.#row.last_seq / nodeStatsInterval) + 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (countIn(middle) < nth) low = middle;
      else high = middle;
    }
    const { seq, stats } = at(low);
    return { seq, count: stats[this.#subject.node]?.count ?? 0, upTo: Math.min(high * nodeStatsInterval, this.#row.last_seq) };
  }

  #endsBetween(after: number, upTo: number, limit: number): number[] {
    const { database } = this.#journal;
    const rows = this.#journal.reading(() => prepared(database, selectEnds).all(this.#row.run, this.#subject.node, after, upTo, limit));
    return rows.map((raw) => checked(endSchema, raw, this.#journal.path).seq);
  }

  #get(sql: string, ...given: (string | number)[]): unknown {
    return this.#journal.reading(() => prepared(this.#journal.database, sql).get(this.#row.run, ...given));
  }
}
