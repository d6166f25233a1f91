import { z } from 'zod';
import { prepared } from '#main/journal/database.ts';
import { IterationReader } from '#main/journal/iterations.ts';
import { errorOf, type Journal } from '#main/journal/journal.ts';
import { checked, type RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Fold, Round, RoundsAround } from '#shared/contract/iterations.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { loopsOf } from '#shared/flow/loops.ts';
import { frameName, outermostNode } from '#shared/run/node-id.ts';

const nodeSchema = z.object({ seq: z.int(), node: z.string() });
const sumSchema = z.object({ tokens: z.int().nullable(), duration_ms: z.number().nullable() });
const stepSchema = z.object({ seq: z.int(), duration_ms: z.number() });
const lastSchema = z.object({ seq: z.int().nullable() });
const failureSchema = z.object({ seq: z.int() });

const selectForth = 'SELECT seq, node FROM steps WHERE run = ? AND seq >= ? ORDER BY seq';
const selectBack = 'SELECT seq, node FROM steps WHERE run = ? AND seq <= ? ORDER BY seq DESC';
const selectInside = 'SELECT seq, node FROM steps WHERE run = ? AND seq >= ? AND seq <= ? AND node >= ? AND node < ? ORDER BY seq';
const selectLast = 'SELECT max(seq) AS seq FROM steps WHERE run = ? AND seq >= ? AND seq <= ? AND node = ?';
const selectSum = 'SELECT sum(tokens) AS tokens, sum(duration_ms) AS duration_ms FROM steps WHERE run = ? AND seq >= ? AND seq <= ?';
const selectSteps = 'SELECT seq, duration_ms FROM steps WHERE run = ? AND seq >= ? AND seq <= ? ORDER BY seq';
const selectFailure = 'SELECT seq FROM failures WHERE run = ? AND seq >= ? AND seq <= ? ORDER BY seq LIMIT 1';

/** Part of a run in which folds are looked for: one flow, or a round inside it. */
interface Scope {
  /** What ids of its nodes begin with (`Items[1]::`). */
  readonly prefix: string;
  readonly graph: FlowGraph;
  /** Those that may form loops: in a round of a loop, all of its nodes but the first. */
  readonly nodes: readonly GraphNode[];
  /** Its records; `to` is infinite while more may follow. */
  readonly from: number;
  readonly to: number;
}

/** A fold, with the nodes of its loop. */
interface OpenFold extends Fold {
  /** By their ids in their flow. */
  readonly members: ReadonlySet<string>;
  readonly scope: Scope;
  /** Firings of the loop's first node before the fold. */
  readonly before: number;
}

interface FoldRequest {
  readonly run_id: string;
  readonly within?: RoundsAround;
}

/** Returns the stretches of a run, or of one of its rounds, that consist of rounds. Throws `NotFound`. */
export function foldsOf(journal: Journal, { run_id, within = [] }: FoldRequest): Fold[] {
  const folds = new RoundReader(journal, run_id).folds(within);
  return folds.map(({ kind, node, from_seq, to_seq, rounds }) => ({ kind, node, from_seq, to_seq, rounds }));
}

/** Returns rounds of the fold that begins with a node, from number `from` or the one that contains record `seq` on. */
export function roundsOf(
  journal: Journal,
  request: FoldRequest & { readonly node: string; readonly from: number; readonly seq?: number | undefined; readonly limit: number },
): Round[] {
  const { node, from, seq, limit, within = [] } = request;
  const reader = new RoundReader(journal, request.run_id);
  const fold = reader.fold(node, within);
  return fold ? reader.rounds(fold, seq === undefined ? from : reader.roundAt(fold, seq), limit) : [];
}

/** Returns the first round of a fold with a failed attempt, or the slowest one; null if there is none. Reads all records of the fold for the slowest. */
export function findRound(
  journal: Journal,
  { run_id, node, which, within = [] }: FoldRequest & { readonly node: string; readonly which: 'first_failed' | 'slowest' },
): Round | null {
  const reader = new RoundReader(journal, run_id);
  const fold = reader.fold(node, within);
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

  folds(within: RoundsAround): OpenFold[] {
    const scope = this.#scopeOf(within);
    return scope ? this.#foldsIn(scope) : [];
  }

  fold(node: string, within: RoundsAround): OpenFold | null {
    return this.folds(within).find((fold) => fold.node === node) ?? null;
  }

  /** The round that is reached by choosing rounds from the outside in; null if there is none. */
  #scopeOf(within: RoundsAround): Scope | null {
    const graph = this.#journal.graphOf(this.#row);
    let scope: Scope = { prefix: '', graph, nodes: graph.nodes, from: 1, to: Number.POSITIVE_INFINITY };
    for (const { node, index } of within) {
      const fold = this.#foldsIn(scope).find((each) => each.node === node);
      const [round] = fold && index <= fold.rounds ? this.rounds(fold, index, 1) : [];
      if (!fold || !round) return null;
      scope = insideOf(fold, round);
    }
    return scope;
  }

  #foldsIn(scope: Scope): OpenFold[] {
    const loops = loopsOf(scope.nodes);
    const inLoop = new Set(loops.flatMap((loop) => [...loop]));
    const outside = scope.nodes.filter(({ id }) => !inLoop.has(id));
    const each = outside.filter(({ kind }) => kind === 'each').map(({ id }) => new Set([id]));
    const found = [
      ...loops.map((members) => this.#foldOf('loop', members, scope)),
      ...each.map((members) => this.#foldOf('each', members, scope)),
      ...outside.filter(({ kind }) => kind === 'agent').flatMap(({ id }) => this.#calls(id, scope).flatMap((call) => this.#foldsIn(call))),
    ];
    const folds = found.filter((fold) => fold !== null && fold.rounds > 1) as OpenFold[];
    folds.sort((one, other) => one.from_seq - other.from_seq);
    let end = 0;
    return folds.filter(({ from_seq, to_seq }) => {
      if (from_seq <= end) return false;
      end = to_seq;
      return true;
    });
  }

  /** The flows that an agent has called within a scope, each with its own records. Reads the ids of the scope's records. */
  #calls(agent: string, { prefix, graph, from, to }: Scope): Scope[] {
    if (!graph.flow_tools) return [];
    const { last_seq } = this.#row;
    const begin = `${prefix}${agent}::flow:`;
    const spans = new Map<string, { readonly first: number; last: number }>();
    for (const raw of this.#all(selectInside, from, Math.min(to, last_seq), begin, `${prefix}${agent}::flow;`)) {
      const { seq, node } = checked(nodeSchema, raw, this.#journal.path);
      const key = node.slice(0, node.indexOf(']::', begin.length) + 1);
      const span = spans.get(key);
      if (span) span.last = seq;
      else spans.set(key, { first: seq, last: seq });
    }
    // What has been recorded since by its agent ends a call; until then, more may follow.
    const { seq: agentAt } = checked(
      lastSchema,
      this.#get(selectLast, from, Math.min(to, last_seq), `${prefix}${agent}`),
      this.#journal.path,
    );
    return [...spans].flatMap(([key, { first, last }]) => {
      const name = frameName(key.slice(prefix.length));
      const called = name?.type === 'call' ? graph.flow_tools?.[name.flow] : undefined;
      const end = agentAt !== null && agentAt > last ? last : to;
      return called ? [{ prefix: `${key}::`, graph: called, nodes: called.nodes, from: first, to: end }] : [];
    });
  }

  rounds(fold: OpenFold, from: number, limit: number): Round[] {
    const starts = this.#starts(fold, from, Math.min(limit, fold.rounds - from + 1) + 1);
    return starts.slice(0, Math.min(limit, fold.rounds - from + 1)).map((from_seq, at) => {
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
    return Math.min(fold.rounds, fold.kind === 'loop' ? this.#iterations(fold.node).indexAt(at) - fold.before : this.#itemAt(fold, at) + 1);
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

  #foldOf(kind: Fold['kind'], members: ReadonlySet<string>, scope: Scope): OpenFold | null {
    const { last_seq } = this.#row;
    const first = this.#record(selectForth, scope.from, scope, members);
    const last = first && this.#record(selectBack, Math.min(last_seq, scope.to), scope, members);
    if (!first || !last) return null;
    const node = scope.prefix + outermostNode(first.node.slice(scope.prefix.length));
    const fold = { kind, node, from_seq: first.seq, to_seq: last.seq, rounds: 1, members, scope, before: 0 };
    if (kind === 'each') return { ...fold, rounds: this.#itemAt(fold, last.seq) + 1 };
    const iterations = this.#iterations(node);
    const before = first.seq === 1 ? 0 : iterations.indexAt(first.seq - 1);
    const total = scope.to <= last_seq ? iterations.indexAt(last.seq) : iterations.total();
    // A firing that failed has no record.
    const [end] = iterations.page(total, 1).iterations;
    return { ...fold, before, rounds: (end && end.from_seq > last_seq ? total - 1 : total) - before };
  }

  /** The first records of rounds, from number `from` on. */
  #starts(fold: OpenFold, from: number, count: number): number[] {
    if (fold.kind === 'loop') {
      const { node, before } = fold;
      return this.#iterations(node)
        .page(before + from, count)
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
  #itemAt({ node, from_seq, members, scope }: OpenFold, seq: number): number {
    for (const raw of this.#each(selectBack, seq)) {
      const record = checked(nodeSchema, raw, this.#journal.path);
      if (record.seq < from_seq) return 0;
      if (!isMember(record.node, scope, members) || record.node === node) continue;
      return Number.parseInt(record.node.slice(node.length + 1), 10) || 0;
    }
    return 0;
  }

  /** The status of a fold's last round. */
  #lastStatus({ to_seq, members, scope }: OpenFold): Round['status'] {
    const { status, last_seq } = this.#row;
    if (to_seq < last_seq || status === 'success') return 'done';
    if (status === 'cancelled') return 'stopped';
    if (status === 'suspended') return 'waiting';
    if (status !== 'error') return 'running';
    const failed = errorOf(this.#journal, this.#row)?.node;
    return failed != null && isMember(failed, scope, members) ? 'failed' : 'done';
  }

  #iterations(node: string): IterationReader {
    const { control } = new RunReader(this.#journal, this.#row).foldAt(this.#row.last_seq);
    return new IterationReader(this.#journal, this.#row, { node, nested: false }, control);
  }

  #record(sql: string, seq: number, scope: Scope, members: ReadonlySet<string>): { seq: number; node: string } | null {
    for (const raw of this.#each(sql, seq)) {
      const record = checked(nodeSchema, raw, this.#journal.path);
      if (record.seq < scope.from || record.seq > scope.to) return null;
      if (isMember(record.node, scope, members)) return record;
    }
    return null;
  }

  #each(sql: string, seq: number): Iterable<unknown> {
    return prepared(this.#journal.database, sql).iterate(this.#row.run, seq);
  }

  #all(sql: string, ...given: (number | string)[]): unknown[] {
    return this.#journal.reading(() => prepared(this.#journal.database, sql).all(this.#row.run, ...given));
  }

  #get(sql: string, ...given: (number | string)[]): unknown {
    return this.#journal.reading(() => prepared(this.#journal.database, sql).get(this.#row.run, ...given));
  }
}

function isMember(node: string, { prefix }: Scope, members: ReadonlySet<string>): boolean {
  return node.startsWith(prefix) && members.has(outermostNode(node.slice(prefix.length)));
}

/** What a round contains: the flow of an item, or the loop without its first node, around which it may have others. */
function insideOf({ kind, node, members, scope, rounds }: OpenFold, { index, from_seq, to_seq, status }: Round): Scope {
  const to = status === 'done' || index < rounds ? to_seq : Number.POSITIVE_INFINITY;
  const id = node.slice(scope.prefix.length);
  const body = scope.nodes.find((each) => each.id === id)?.body;
  if (kind === 'each' && body?.type === 'each')
    return { prefix: `${node}[${index - 1}]::`, graph: body.flow, nodes: body.flow.nodes, from: from_seq, to };
  return { ...scope, nodes: scope.nodes.filter((each) => members.has(each.id) && each.id !== id), from: from_seq, to };
}
