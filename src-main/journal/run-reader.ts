import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import type { Control, Snapshot } from '#shared/run/snapshot.ts';
import { cutMessages } from './cut-messages.ts';
import { prepared } from './database.ts';
import type { Journal } from './journal.ts';
import { type NodeStats, nodeStatsAt } from './node-stats.ts';
import { eventsOf } from './recorded-events.ts';
import {
  checked,
  controlPartsSchema,
  conversationRowSchema,
  type EffectRow,
  effectRowSchema,
  eventRowSchema,
  foldRowSchema,
  type RunRow,
  readNames,
  snapshotRowSchema,
  type TimelineRow,
  timelineRowSchema,
  writtenStatesSchema,
} from './rows.ts';
import { RunCost } from './run-usage.ts';
import { type FoldedRun, type FoldStep, StateFold } from './state-fold.ts';

/** Number of records read at once. */
const readAtOnce = 256;

const stepMark = "(SELECT mark FROM supplied WHERE supplied.run = steps.run AND supplied.seq = steps.seq AND key = '') AS supplied";

const selectEvents = `SELECT seq, type, node, kind, phase, consumed, produced, started_at, duration_ms, events, ${stepMark}
  FROM steps WHERE run = ? AND seq > ? ORDER BY seq LIMIT ${readAtOnce}`;

const effectColumns = `effect.key, kind, node, name, input, started_at, finished_at, outcome, (SELECT mark FROM supplied
  WHERE supplied.run = effect.run AND supplied.seq = effect.seq AND supplied.attempt = effect.attempt AND supplied.key = effect.key) AS supplied`;

interface MessageRow {
  readonly node: string;
  readonly seq: number;
  readonly messages: string;
}

/** Reads the records of one run. Every value is validated; corruption throws a `SnapLoadError`. */
export class RunReader {
  readonly #journal: Journal;
  readonly row: RunRow;
  readonly #cost: RunCost;

  /** `prices`: only for `costAt`. */
  constructor(journal: Journal, row: RunRow, prices: Prices = {}) {
    this.#journal = journal;
    this.row = row;
    this.#cost = new RunCost(journal, row, prices);
  }

  /** Returns what the run has cost up to a record. Throws `FlowError` `Invalid` if that is unknown, such as for a model without a price. */
  costAt(seq: number): number {
    return this.#cost.at(seq);
  }

  /** Returns the run after record `seq` (0: its start), folded from the nearest earlier snapshot. */
  foldAt(seq: number): FoldedRun {
    if (seq < 0 || seq > this.row.last_seq) {
      throw new FlowError('NotFound', `Run ${this.row.run_id} has no step ${seq}: its last step is ${this.row.last_seq}.`, {
        details: { seq },
      });
    }
    const start = this.#snapshotBefore(seq);
    const fold = new StateFold(start);
    for (const step of this.#stepsBetween(start.seq, seq)) fold.apply(step);
    const folded = fold.at();
    if (folded.seq !== seq) throw this.#damaged(`record ${folded.seq + 1} of run ${this.row.run_id} is missing`);
    return folded;
  }

  /** Returns the engine's snapshot for continuing the run. */
  snapshotAt(seq: number, folded: FoldedRun = this.foldAt(seq)): Snapshot {
    return {
      pravah: 1,
      run_id: this.row.run_id,
      seq,
      flow: { name: this.row.flow_name, hash: this.row.flow_hash },
      states: [...folded.states.values()].map(({ name, value }) => ({ name, value })),
      ...(this.row.engine > 2 && seq > 0 && { written: [...folded.states.values()].map(({ written_at }) => written_at) }),
      control: folded.control,
    };
  }

  /** Returns the timeline rows from record `from` on, at most `limit`. */
  timeline(from = 1, limit = -1): TimelineRow[] {
    return this.#all(
      `SELECT seq, type, node, kind, phase, turn, consumed, produced, started_at, duration_ms, tokens, note, ${stepMark},
         (SELECT count(DISTINCT key) FROM supplied WHERE supplied.run = steps.run AND supplied.seq = steps.seq AND key <> '') AS mocked
       FROM steps WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?`,
      from,
      limit,
    ).map((row) => checked(timelineRowSchema, row, this.#journal.path));
  }

  /** Returns the statistics of each node up to record `seq`. */
  nodeStats(seq: number): NodeStats {
    const { database, values, path } = this.#journal;
    return nodeStatsAt(database, values, path, this.row.run, seq);
  }

  /** Returns the nodes that have called a model with the record of their first call, in that order. */
  conversations(): { readonly node: string; readonly since: number }[] {
    const { path } = this.#journal;
    const started = this.#all('SELECT node, since FROM conversations WHERE run = ? ORDER BY since').map((row) =>
      checked(conversationRowSchema, row, path),
    );
    // Includes nodes whose first response was truncated.
    const { last_seq } = this.row;
    const cut = cutMessages(this.#journal, this.row, last_seq).map(({ node, seq }) => ({ node, since: Math.min(seq, last_seq) }));
    const earliest = new Map([...started, ...cut].toSorted((one, other) => other.since - one.since).map((each) => [each.node, each]));
    return [...earliest.values()].toSorted((one, other) => one.since - other.since);
  }

  /** Returns what a record consumed and produced, with the values before it; null for record 0. */
  step(seq: number): FoldStep | null {
    return this.#stepsBetween(seq - 1, seq).next().value ?? null;
  }

  /** Iterates over what each record from `from` on, up to `upTo` (default: the last one), consumed, produced and changed. */
  *steps(from = 1, upTo: number = this.row.last_seq): Generator<FoldStep> {
    for (let after = from - 1; after < upTo; after += readAtOnce) yield* this.#stepsBetween(after, Math.min(after + readAtOnce, upTo));
  }

  /** Iterates over the records of a node's firing that ended with record `seq`, the last one first: of an agent, its turns. Those of flows that it calls are skipped. */
  *visitOf(node: string, seq: number): Generator<TimelineRow> {
    for (let at = seq; at > 0; at -= 1) {
      const [row] = this.timeline(at, 1);
      if (row?.node.startsWith(`${node}::`)) continue;
      if (row?.node !== node || (at < seq && row.type === 'transition' && row.phase === null)) return;
      yield row;
      if (row.phase === 'reason' && row.turn === 1) return;
    }
  }

  /**
   * Returns the records of one item of an `each` node among those after record `after` up to `upTo`, in which the `each` node fires once. Items
   * follow each other, so they are found by bisection; items inside the item are included.
   */
  recordsOfItem(each: string, index: number, after: number, upTo: number): { readonly seq: number; readonly node: string }[] {
    const [first, next] = [this.#firstOfItem(each, index, after, upTo), this.#firstOfItem(each, index + 1, after, upTo)];
    const item = `${each}[${index}]`;
    const select = 'SELECT seq, node FROM steps WHERE run = ? AND seq >= ? AND seq < ? AND node >= ? AND node < ? ORDER BY seq';
    return this.#all(select, first, next, `${item}::`, `${item}:;`) as { seq: number; node: string }[];
  }

  /** Returns the records inside a frame, by what ids of its nodes begin with, among those after record `after` up to `upTo`. */
  recordsInside(frame: string, after: number, upTo: number): { readonly seq: number; readonly node: string }[] {
    const select = 'SELECT seq, node FROM steps WHERE run = ? AND seq > ? AND seq <= ? AND node >= ? AND node < ? ORDER BY seq';
    return this.#all(select, after, upTo, `${frame}::`, `${frame}:;`) as { seq: number; node: string }[];
  }

  /** Returns the last record of a node itself up to record `seq`; null for none. */
  lastOf(node: string, seq: number): number | null {
    const [row] = this.#all('SELECT max(seq) AS seq FROM steps WHERE run = ? AND node = ? AND seq <= ?', node, seq) as {
      seq: number | null;
    }[];
    return row?.seq ?? null;
  }

  /** The first record of an item with at least this index; the end of the range if there is none. */
  #firstOfItem(each: string, index: number, after: number, upTo: number): number {
    let [low, high] = [after + 1, upTo + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [row] = this.#all('SELECT node FROM steps WHERE run = ? AND seq = ?', middle) as { node: string }[];
      const at = row?.node.startsWith(`${each}[`) ? Number.parseInt(row.node.slice(each.length + 1), 10) : null;
      // What comes before the first item, or after the last one, is not part of the `each` node.
      const isBefore = at === null ? this.#begins(each, middle, high) : at < index;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether an item of the `each` node has a record from `from` on, before `end`. */
  #begins(each: string, from: number, end: number): boolean {
    const select = 'SELECT 1 FROM steps WHERE run = ? AND seq >= ? AND seq < ? AND node >= ? AND node < ? LIMIT 1';
    return this.#all(select, from, end, `${each}[`, `${each}\\`).length > 0;
  }

  /** Returns what a record added to agents' conversations, by node; for record 0, what a fork inherited. */
  messagesOf(seq: number): Record<string, Message[]> {
    const rows = this.#all('SELECT node, messages FROM messages WHERE run = ? AND seq = ?', seq) as { node: string; messages: string }[];
    return Object.fromEntries(rows.map(({ node, messages }) => [node, this.#journal.values.readAs<Message[]>(messages)]));
  }

  /** Returns the attempt that became record `seq`, or the next one: the number of failed attempts plus one. */
  attemptOf(seq: number): number {
    const [row] = this.#all('SELECT max(attempt) AS failed FROM failures WHERE run = ? AND seq = ?', seq) as { failed: number | null }[];
    return (row?.failed ?? 0) + 1;
  }

  /** Returns the events of all records after `after`, as emitted by the engine. */
  *events(after = 0): Generator<RunEvent> {
    const { path, values } = this.#journal;
    let before: string | undefined;
    for (let from = Math.max(0, after - 1); ; ) {
      const rows = this.#all(selectEvents, from).map((row) => checked(eventRowSchema, row, path));
      for (const row of rows) {
        if (row.seq > after) {
          yield* eventsOf(this.row.run_id, row, values.readAs<RunEvent[]>(row.events), before !== 'resumed', path);
        }
        before = row.type;
        from = row.seq;
      }
      if (rows.length === 0) return;
    }
  }

  /**
   * Returns an agent's messages up to record `seq`; truncated ones come before the ones that replaced them. Of an agent that keeps its conversation
   * elsewhere, what it said itself.
   */
  conversation(node: string, seq: number = this.row.last_seq): Message[] {
    const select = `SELECT node, seq, messages FROM messages WHERE run = ? AND (node = ? OR node >= '@' AND node < 'A') AND seq <= ? ORDER BY seq`;
    const rows = (this.#all(select, node, seq) as MessageRow[]).map((row) => ({ ...row, own: row.node === node }));
    const messages = rows.flatMap(({ seq: at, own, messages: text }) => {
      const said = this.#journal.values.readAs<Message[]>(text);
      return [
        { node, seq: at, messages: own ? said : said.filter(({ entry }) => entry?.node === node && entry.run_id === this.row.run_id) },
      ];
    });
    return this.#inOrder(messages, seq)[node] ?? [];
  }

  /** Returns all agents' messages up to record `seq` by node; see `conversation`. */
  history(seq: number = this.row.last_seq): Record<string, Message[]> {
    const rows = this.#all('SELECT node, seq, messages FROM messages WHERE run = ? AND seq <= ? ORDER BY seq', seq);
    return this.#conversations(rows as MessageRow[], seq);
  }

  /** Returns the model calls in order, without those of failed attempts that were retried successfully. */
  modelCalls(): EffectRow[] {
    return this.#all(
      `SELECT ${effectColumns} FROM recorded_effects AS effect WHERE run = ? AND kind = 'model'
       AND attempt = (SELECT max(attempt) FROM effects WHERE run = effect.run AND seq = effect.seq) ORDER BY seq, started_at`,
    ).map((row) => checked(effectRowSchema, row, this.#journal.path));
  }

  /** Returns the effects claimed for record `seq` in all attempts. */
  effects(seq: number): EffectRow[] {
    return this.#effects('seq = ?', seq);
  }

  /** Returns the effects of the attempt that became record `seq`, or of `attempt`, in starting order. */
  effectsOf(seq: number, attempt: number = this.attemptOf(seq)): EffectRow[] {
    return this.#effects('seq = ? AND attempt = ?', seq, attempt);
  }

  /** Returns the numbers of the records with effects. */
  effectSeqs(): number[] {
    return (this.#all('SELECT DISTINCT seq FROM effects WHERE run = ?') as { seq: number }[]).map(({ seq }) => seq);
  }

  /** Returns the numbers of the records with messages. */
  messageSeqs(): number[] {
    return (this.#all('SELECT DISTINCT seq FROM messages WHERE run = ?') as { seq: number }[]).map(({ seq }) => seq);
  }

  /** Returns the names of the tools that the run called. */
  toolNames(): string[] {
    const rows = this.#all("SELECT DISTINCT name FROM effects WHERE run = ? AND kind = 'tool' ORDER BY name") as { name: string }[];
    return rows.map(({ name }) => String(name));
  }

  #conversations(rows: readonly MessageRow[], seq: number): Record<string, Message[]> {
    const { values } = this.#journal;
    return this.#inOrder(
      rows.map((row) => ({ ...row, messages: values.readAs<Message[]>(row.messages) })),
      seq,
    );
  }

  #inOrder(whole: readonly { node: string; seq: number; messages: readonly Message[] }[], seq: number): Record<string, Message[]> {
    const history: Record<string, Message[]> = {};
    const all = [...cutMessages(this.#journal, this.row, seq), ...whole].toSorted((one, other) => one.seq - other.seq);
    for (const { node, messages } of all) {
      history[node] ??= [];
      history[node].push(...messages);
    }
    return history;
  }

  #effects(where: string, ...given: number[]): EffectRow[] {
    const select = `SELECT ${effectColumns} FROM recorded_effects AS effect WHERE run = ? AND ${where} ORDER BY attempt, started_at, key`;
    return this.#all(select, ...given).map((row) => checked(effectRowSchema, row, this.#journal.path));
  }

  #snapshotBefore(seq: number): FoldedRun {
    const { path, values } = this.#journal;
    const rows = this.#all('SELECT seq, states, control FROM snapshots WHERE run = ? AND seq <= ? ORDER BY seq DESC LIMIT 1', seq);
    if (rows.length === 0) throw this.#damaged(`the initial state of run ${this.row.run_id} is missing`);
    const row = checked(snapshotRowSchema, rows[0], path);
    const states = checked(writtenStatesSchema, values.read(row.states), path);
    return {
      seq: row.seq,
      states: new Map(states.map((state) => [state.name, state])),
      control: checked(controlPartsSchema, values.read(row.control), path) as Control,
    };
  }

  /** Rows are read in pages, but their values record by record: a few hundred records may not fit into memory. */
  *#stepsBetween(after: number, upTo: number): Generator<FoldStep, void> {
    const { path, values } = this.#journal;
    const rows = this.#all(
      'SELECT seq, node, consumed, produced, produced_values, control FROM steps WHERE run = ? AND seq > ? AND seq <= ? ORDER BY seq',
      after,
      upTo,
    );
    for (const [index, raw] of rows.entries()) {
      const row = checked(foldRowSchema, raw, path);
      if (row.seq !== after + index + 1) throw this.#damaged(`record ${after + index + 1} of run ${this.row.run_id} is missing`);
      const produced = values.read(row.produced_values) as Json[];
      const names = readNames(row.produced, path);
      if (!Array.isArray(produced) || produced.length !== names.length)
        throw this.#damaged(`record ${row.seq} has a different number of values and names`);
      yield {
        seq: row.seq,
        node: row.node,
        consumed: readNames(row.consumed, path),
        produced: names.map((name, at) => ({ name, value: produced[at] as Json })),
        control: checked(controlPartsSchema, values.read(row.control), path),
      };
    }
  }

  #all(sql: string, ...given: (string | number)[]): unknown[] {
    return this.#journal.reading(() => prepared(this.#journal.database, sql).all(this.row.run, ...given));
  }

  #damaged(what: string): FlowError {
    return new FlowError('SnapLoadError', `The journal ${this.#journal.path} is corrupt: ${what}.`, {
      details: { path: this.#journal.path },
    });
  }
}
