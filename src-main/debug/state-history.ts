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
  /** The item of an `each` node, or the called flow, that holds the state, by its id in the run (`Items[2]`); null for states of the run itself. */
  readonly item: string | null;
  /** The state's name in the run; inside one, its name there. */
  readonly state: string;
  /** The record; 0 is the run's start. */
  readonly seq: number;
}

/** A value that a record consumed. `inside` is a JSON Pointer: an item consumes one element of the list that was written. */
export interface Source {
  readonly write: Write;
  readonly inside: string;
}

/** What a frame's own states are in: an item of an `each` node, or a flow that an agent calls. */
interface Item {
  readonly type: 'item';
  /** The frame's name in the run: what ids inside begin with. */
  readonly id: string;
  readonly each: string;
  readonly index: number;
  /** The item that contains the `each` node. */
  readonly outer: string | null;
  readonly node: GraphNode;
  /** The list over which it iterates, by its name in the outer item. */
  readonly list: string;
  readonly graph: FlowGraph;
}

/** A flow that an agent calls as a tool. The agent makes its input, and consumes its output. */
interface Call {
  readonly type: 'call';
  readonly id: string;
  readonly caller: string;
  /** The frame that contains the caller. */
  readonly outer: string | null;
  readonly node: GraphNode;
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
    const inner = this.#frame(item);
    const list = inner.type === 'item' ? this.writeAt(inner.outer, inner.list, seq) : null;
    const begun = list?.write.seq ?? this.#begun(inner, seq);
    const writers = new Set(inner.graph.nodes.filter(({ to }) => to.includes(state)).map(({ id }) => id));
    for (const record of this.#recordsOf(inner, begun, seq).reverse()) {
      if (writers.has(record.node.slice(item.length + 2)) && this.#produces(record.seq, state))
        return { write: { item, state, seq: record.seq }, inside: '' };
    }
    // The agent has made the input of a flow that it calls.
    if (inner.type === 'call' || !list) return { write: { item, state, seq: begun }, inside: '' };
    return { write: list.write, inside: `${list.inside}/${inner.index}` };
  }

  /** Returns the records before and after record `seq` that wrote a state; inside an item, only records of that item. */
  writesAround(item: string | null, state: string, seq: number): { previous: number | null; next: number | null } {
    if (item === null) return { previous: this.#accesses.last('writes', state, seq - 1), next: this.#accesses.next('writes', state, seq) };
    const inner = this.#frame(item);
    const begun = this.#begun(inner, seq);
    const writes = this.#recordsOf(inner, begun, this.#endOf(inner, begun)).filter((record) => this.#produces(record.seq, state));
    return {
      previous: writes.findLast((write) => write.seq < seq)?.seq ?? null,
      next: writes.find((write) => write.seq > seq)?.seq ?? null,
    };
  }

  /** Returns a write's value; undefined if the record has none of that name. */
  valueOf({ item, state, seq }: Write): Json | undefined {
    if (item !== null && this.#isInput({ item, state, seq })) {
      return this.reader.foldAt(seq).control.frames[item]?.states.find(({ name }) => name === state)?.value;
    }
    if (item !== null) return this.record(seq).made.produced.find(({ name }) => name === state)?.value;
    if (seq === 0) return this.reader.foldAt(0).states.get(state)?.value;
    return this.reader.step(seq)?.produced.find(({ name }) => name === state)?.value;
  }

  /** Returns what the record of a write consumed, in the order of `from`; of an agent also the outputs of the flows that it has called. */
  sourcesOf(write: Write): Source[] {
    const { item, seq } = write;
    if (seq === 0) return [];
    const call = this.#isInput(write) ? this.#frame(item as string) : null;
    if (call?.type === 'call') return call.node.from.map((name) => this.writeAt(call.outer, name, seq - 1));
    const { node, place } = this.record(seq);
    const names = item === null ? (this.reader.step(seq)?.consumed ?? []) : (place?.node.from ?? []);
    const consumed = names.map((name) => this.writeAt(item, name, seq - 1));
    return place?.node.body.type === 'agent' ? [...consumed, ...this.#outputsOfCalls(node, seq)] : consumed;
  }

  /** Returns the record that consumed a write; null while none has. */
  consumerOf({ item, state, seq }: Write): number | null {
    if (item === null) return this.#accesses.next('reads', state, seq);
    const inner = this.#frame(item);
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
    const inner = item === null ? null : this.#frame(item);
    if (inner?.type !== 'item' || state !== inner.graph.output) return null;
    const ended = this.consumerOf({ item: inner.outer, state: inner.list, seq });
    const [write] = ended === null ? [] : this.writesOf(inner.outer, ended);
    return write ? { write, index: inner.index } : null;
  }

  /** For an element of a list that an `each` node consumes: the items' name for it, where the node has begun it; else null. */
  inputOf({ item, state, seq }: Write, index: number): Write | null {
    const around = item === null ? this.graph : this.#frame(item).graph;
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

  /** For the output of a called flow: the record with which its agent's visit ends; null if it has not ended, and for other states. */
  collectedBy({ item, state, seq }: Write): { readonly item: string | null; readonly seq: number } | null {
    const call = item === null ? null : this.#frame(item);
    if (call?.type !== 'call' || state !== call.graph.output) return null;
    const ended = this.consumerOf({ item: call.outer, state: call.node.from[0] as string, seq });
    return ended === null ? null : { item: call.outer, seq: ended };
  }

  /** The outputs of the flows that an agent has called in the visit that ended with a record. */
  #outputsOfCalls(caller: string, seq: number): Source[] {
    const frames = new Map<string, number>();
    for (const { seq: acted, phase } of this.reader.visitOf(caller, seq)) {
      if (phase !== 'act') continue;
      for (const [key, { call }] of Object.entries(this.reader.foldAt(acted).control.frames)) {
        if (call && key.startsWith(`${caller}::`) && !frames.has(key)) frames.set(key, acted);
      }
    }
    return [...frames].flatMap(([key, begun]): Source[] => {
      const frame = this.#frame(key);
      const last = this.reader.recordsInside(key, begun, seq).at(-1);
      return last && this.#produces(last.seq, frame.graph.output)
        ? [{ write: { item: key, state: frame.graph.output, seq: last.seq }, inside: '' }]
        : [];
    });
  }

  /** Whether a write is that of a called flow's input, which the agent's record has made. */
  #isInput({ item, state, seq }: Write): boolean {
    const frame = item === null ? null : this.#frame(item);
    return frame?.type === 'call' && state === frame.graph.input && this.record(seq).node === frame.caller;
  }

  /** The record after which a frame's first record comes. */
  #begun(frame: Item | Call, seq: number): number {
    if (frame.type === 'item') return this.writeAt(frame.outer, frame.list, seq).write.seq;
    let begun = this.reader.lastOf(frame.caller, seq) ?? 0;
    // An agent whose called flow asks has records while the flow is open.
    while (begun > 0 && this.reader.foldAt(begun - 1).control.frames[frame.id]) begun = this.reader.lastOf(frame.caller, begun - 1) ?? 0;
    return begun;
  }

  #recordsOf(frame: Item | Call, after: number, upTo: number) {
    if (frame.type === 'item') return this.reader.recordsOfItem(frame.each, frame.index, after, upTo);
    return this.reader.recordsInside(frame.id, after, upTo);
  }

  #produces(seq: number, state: string): boolean {
    return this.record(seq).made.produced.some(({ name }) => name === state);
  }

  /** The last record that can belong to a frame after record `seq`: the one with which its node ends, else the run's last. */
  #endOf(frame: Item | Call, seq: number): number {
    const state = frame.type === 'item' ? frame.list : (frame.node.from[0] as string);
    return this.consumerOf({ item: frame.outer, state, seq }) ?? this.reader.row.last_seq;
  }

  #frame(id: string): Item | Call {
    const name = frameName(id);
    if (!name) throw notTraced(id);
    const around = name.type === 'item' ? name.each : name.caller;
    const end = around.lastIndexOf(']::');
    const outer = end < 0 ? null : around.slice(0, end + 1);
    const graph = outer === null ? this.graph : this.#frame(outer).graph;
    const node = nodesById(graph).get(outer === null ? around : around.slice(end + 3));
    if (name.type === 'call') {
      const called = graph.flow_tools?.[name.flow];
      if (!node || !called) throw notTraced(id);
      return { type: 'call', id, caller: name.caller, outer, node, graph: called };
    }
    if (node?.body.type !== 'each') throw notTraced(id);
    return { type: 'item', id, each: name.each, index: name.index, outer, node, list: node.from[0] as string, graph: node.body.flow };
  }
}

function notTraced(frame: string): FlowError {
  return new FlowError(
    'NotFound',
    `States inside ${frame} can't be traced: the run's flow does not contain it. Trace what is outside it.`,
    {
      details: { frame },
    },
  );
}
