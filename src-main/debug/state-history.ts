import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { StateAccesses } from '#main/journal/state-accesses.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { nodesById } from '#shared/flow/origin.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { frameName } from '#shared/run/node-id.ts';
import { type RecordedStep, recordedStep } from './scan.ts';
import { valueAt } from './value-at.ts';

/** A state as one record wrote it. */
export interface Write {
  /** The item of an `each` node that holds the state, by its id in the run (`Items[2]`); null for states of the run itself. */
  readonly item: string | null;
  /** The state's name in the run; inside an item, its name there. */
  readonly state: string;
  /** The record; 0 is the run's start. */
  readonly seq: number;
}

/** A value that a record consumed. `inside` is a JSON Pointer: an item consumes one element of the list that was written. */
export interface Source {
  readonly write: Write;
  readonly inside: string;
}

interface Item {
  readonly each: string;
  readonly index: number;
  /** The item that contains the `each` node. */
  readonly outer: string | null;
  readonly node: GraphNode;
  /** The list over which it iterates, by its name in the outer item. */
  readonly list: string;
  readonly graph: FlowGraph;
}

/** Finds who wrote and who consumed a state of a recorded run, also inside items. The work does not grow with the run's length. */
export class StateHistory {
  readonly graph: FlowGraph;
  readonly reader: RunReader;
  readonly #accesses: StateAccesses;
  readonly #records = new Map<number, RecordedStep>();

  constructor(journal: Journal, row: RunRow) {
    this.graph = journal.graphOf(row);
    this.reader = new RunReader(journal, row);
    this.#accesses = new StateAccesses(journal, row);
  }

  /** Returns the write that a state had after record `seq`. The input of an item is an element of the list of its `each` node. */
  writeAt(item: string | null, state: string, seq: number): Source {
    if (item === null) return { write: { item, state, seq: this.#accesses.last('writes', state, seq) ?? 0 }, inside: '' };
    const inner = this.#item(item);
    const list = this.writeAt(inner.outer, inner.list, seq);
    const writers = new Set(inner.graph.nodes.filter(({ to }) => to.includes(state)).map(({ id }) => id));
    for (const record of this.#recordsOf(inner, list.write.seq, seq).reverse()) {
      if (writers.has(record.node.slice(item.length + 2)) && this.#produces(record.seq, state))
        return { write: { item, state, seq: record.seq }, inside: '' };
    }
    return { write: list.write, inside: `${list.inside}/${inner.index}` };
  }

  /** Returns the records before and after record `seq` that wrote a state; inside an item, only records of that item. */
  writesAround(item: string | null, state: string, seq: number): { previous: number | null; next: number | null } {
    if (item === null) return { previous: this.#accesses.last('writes', state, seq - 1), next: this.#accesses.next('writes', state, seq) };
    const inner = this.#item(item);
    const begun = this.writeAt(inner.outer, inner.list, seq).write.seq;
    const writes = this.#recordsOf(inner, begun, this.#endOf(inner, begun)).filter((record) => this.#produces(record.seq, state));
    return {
      previous: writes.findLast((write) => write.seq < seq)?.seq ?? null,
      next: writes.find((write) => write.seq > seq)?.seq ?? null,
    };
  }

  /** Returns a write's value; undefined if the record has none of that name. */
  valueOf({ item, state, seq }: Write): Json | undefined {
    if (item !== null) return this.record(seq).made.produced.find(({ name }) => name === state)?.value;
    if (seq === 0) return this.reader.foldAt(0).states.get(state)?.value;
    return this.reader.step(seq)?.produced.find(({ name }) => name === state)?.value;
  }

  /** Returns what the record of a write consumed, in the order of `from`. */
  sourcesOf({ item, seq }: Write): Source[] {
    if (seq === 0) return [];
    const names = item === null ? (this.reader.step(seq)?.consumed ?? []) : (this.record(seq).place?.node.from ?? []);
    return names.map((name) => this.writeAt(item, name, seq - 1));
  }

  /** Returns the record that consumed a write; null while none has. */
  consumerOf({ item, state, seq }: Write): number | null {
    if (item === null) return this.#accesses.next('reads', state, seq);
    const inner = this.#item(item);
    const readers = new Set(inner.graph.nodes.filter(({ from }) => from.includes(state)).map(({ id }) => id));
    for (const record of this.#recordsOf(inner, seq, this.#endOf(inner, seq))) {
      if (readers.has(record.node.slice(item.length + 2)) && this.record(record.seq).made.finished) return record.seq;
    }
    return null;
  }

  /** Returns what a record wrote. */
  writesOf(item: string | null, seq: number): Write[] {
    const produced = item === null ? this.reader.step(seq)?.produced : this.record(seq).made.produced;
    return (produced ?? []).map(({ name }) => ({ item, state: name, seq }));
  }

  /** For an element of a list that an `each` node has written: the write of the item's result; else null. */
  resultOf({ item, seq }: Write, index: number): Write | null {
    const { node, place } = this.record(seq);
    if (place?.node.body.type !== 'each') return null;
    const begun = this.writeAt(item, place.node.from[0] as string, seq - 1).write.seq;
    const last = this.reader.recordsOfItem(node, index, begun, seq).at(-1);
    return last ? { item: `${node}[${index}]`, state: place.node.body.flow.output, seq: last.seq } : null;
  }

  /** For the output of an item: the `each` node's list and the item's position in it, once the `each` node has finished; else null. */
  listOf({ item, state, seq }: Write): { readonly write: Write; readonly index: number } | null {
    if (item === null) return null;
    const inner = this.#item(item);
    if (state !== inner.graph.output) return null;
    const ended = this.consumerOf({ item: inner.outer, state: inner.list, seq });
    const [write] = ended === null ? [] : this.writesOf(inner.outer, ended);
    return write ? { write, index: inner.index } : null;
  }

  /** For an element of a list that an `each` node consumes: the items' name for it, where the node has begun it; else null. */
  inputOf({ item, state, seq }: Write, index: number): Write | null {
    const around = item === null ? this.graph : this.#item(item).graph;
    const node = nodesById(around).get(state);
    if (node?.body.type !== 'each') return null;
    return { item: `${item === null ? '' : `${item}::`}${state}[${index}]`, state: node.body.flow.input, seq };
  }

  /** Returns a record with its place. */
  record(seq: number): RecordedStep {
    let record = this.#records.get(seq);
    if (!record) {
      record = recordedStep(this.graph, this.reader, seq);
      this.#records.set(seq, record);
    }
    return record;
  }

  /** Returns the part of a consumed value at a JSON Pointer; undefined if it has none. */
  partOf({ write, inside }: Source, path: string): Json | undefined {
    const value = this.valueOf(write);
    return value === undefined ? undefined : valueAt(value, inside + path);
  }

  #recordsOf({ each, index }: Item, after: number, upTo: number) {
    return this.reader.recordsOfItem(each, index, after, upTo);
  }

  #produces(seq: number, state: string): boolean {
    return this.record(seq).made.produced.some(({ name }) => name === state);
  }

  /** The last record that can belong to an item after record `seq`: the one with which its `each` node ends, else the run's last. */
  #endOf({ outer, list }: Item, seq: number): number {
    return this.consumerOf({ item: outer, state: list, seq }) ?? this.reader.row.last_seq;
  }

  #item(item: string): Item {
    const name = frameName(item);
    if (name?.type !== 'item') throw notTraced(item);
    const { each, index } = name;
    const end = each.lastIndexOf(']::');
    const outer = end < 0 ? null : each.slice(0, end + 1);
    const around = outer === null ? this.graph : this.#item(outer).graph;
    const node = nodesById(around).get(outer === null ? each : each.slice(end + 3));
    if (node?.body.type !== 'each') throw notTraced(item);
    return { each, index, outer, node, list: node.from[0] as string, graph: node.body.flow };
  }
}

/** States inside a flow that an agent calls as a tool are not traced yet; the call's result is part of what the agent produced. */
function notTraced(frame: string): FlowError {
  return new FlowError('NotFound', `States inside ${frame} can't be traced. Trace what the node around it produced.`, {
    details: { frame },
  });
}
