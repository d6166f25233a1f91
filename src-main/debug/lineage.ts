import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { checked, outcomeSchema } from '#main/journal/rows.ts';
import type { Lineage, LineageStep } from '#shared/contract/lineage.ts';
import type { GraphNode } from '#shared/flow/graph.ts';
import { ownName } from '#shared/flow/origin.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { sameValue } from '#shared/value-changes.ts';
import { type FrameDetail, framesOf, unknownFrame } from './place.ts';
import { isCommon, isFoundIn, pointersTo } from './same-value.ts';
import { type Source, StateHistory, type Write } from './state-history.ts';
import { valueAt } from './value-at.ts';

/** Steps that are returned at most. */
const mostSteps = 200;

export interface LineageRequest {
  readonly seq: number;
  readonly state: string;
  readonly item?: string | undefined;
  readonly path?: string | undefined;
  readonly direction: 'back' | 'forth';
}

/** A write that is followed. */
interface Followed {
  readonly write: Write;
  /** Where the value is in it; null if all of it is followed. */
  readonly path: string | null;
  readonly how: LineageStep['how'];
  /** Position of the step that it belongs to. */
  readonly of: number | null;
}

/**
 * Returns the records that a state after record `seq` came from, back to the run's input, or those that used it. With `path`, only those at which the
 * value at that JSON Pointer was the same. Computes nothing of the run again. Throws `NotFound`.
 */
export function lineage(journal: Journal, row: RunRow, request: LineageRequest): Lineage {
  const history = new StateHistory(journal, row);
  const start = startOf(history, request);
  return request.direction === 'back' ? backwards(journal, history, start) : forwards(history, start);
}

function startOf(history: StateHistory, { seq, state, path, direction, ...request }: LineageRequest): Followed {
  const item = request.item ?? null;
  const source = history.writeAt(item, state, seq);
  if (history.partOf(source, path ?? '') === undefined) {
    throw new FlowError(
      'NotFound',
      `There is no ${state}${path ?? ''} at step ${seq}. List the states of a step with: pravah show RUN --step ${seq}.`,
      { details: { state, seq } },
    );
  }
  const { write, inside } = source;
  // The input of an item is an element of a list: it came from the list, and is used in the item.
  if (inside === '' || direction === 'back') return { write, path: path === undefined ? null : inside + path, how: 'asked', of: null };
  return { write: { item, state, seq: write.seq }, path: path ?? null, how: 'asked', of: null };
}

/** Follows what each record consumed. The latest record comes first. */
function backwards(journal: Journal, history: StateHistory, start: Followed): Lineage {
  const steps: LineageStep[] = [];
  const known = new Set<string>();
  const waiting = [start];
  while (waiting.length > 0) {
    waiting.sort((one, other) => other.write.seq - one.write.seq);
    const next = waiting.shift() as Followed;
    const key = JSON.stringify([next.write, next.path]);
    if (known.has(key)) continue;
    if (steps.length >= mostSteps) return { steps, cut: true };
    known.add(key);
    const position = steps.length;
    const sources = next.path === null ? everySource(history, next.write, position) : sameSource(history, next.write, next.path, position);
    const introduced = next.path !== null && sources.length === 0;
    steps.push({
      ...stepOf(history, next),
      ...(introduced && next.write.seq > 0 && { introduced, found_in: toolOf(journal, history, next) }),
    });
    waiting.push(...sources);
  }
  return { steps, cut: false };
}

function everySource(history: StateHistory, write: Write, of: number): Followed[] {
  return history.sourcesOf(write).map((source) => ({ write: source.write, path: null, how: 'consumed', of }));
}

/** The source with the same value: at the same pointer, else at another one if it is the only one. */
function sameSource(history: StateHistory, write: Write, path: string, of: number): Followed[] {
  const [, digits, rest = ''] = /^\/(\d+)(.*)$/s.exec(path) ?? [];
  const result = digits === undefined ? null : history.resultOf(write, Number(digits));
  if (result) return [{ write: result, path: rest, how: 'copied', of }];
  const value = valueAt(history.valueOf(write) ?? null, path);
  if (value === undefined) return [];
  const sources = history.sourcesOf(write);
  const same = sources.filter((source) => isSame(history.partOf(source, path), value));
  const copies = write.seq > 0 && copiesInput(history.record(write.seq).place?.node);
  // Of a merge, the last one wins.
  const found = same.at(-1);
  if (found) return [{ write: found.write, path: found.inside + path, how: copies ? 'copied' : 'same_value', of }];
  if (isCommon(value)) return [];
  const elsewhere = sources.flatMap((source) => placesIn(history, source, value));
  const [only] = elsewhere;
  return only && elsewhere.length === 1 ? [{ ...only, how: 'same_value', of }] : [];
}

function placesIn(history: StateHistory, source: Source, value: Json): { write: Write; path: string }[] {
  const part = history.partOf(source, '');
  return part === undefined ? [] : pointersTo(value, part, 2).map((pointer) => ({ write: source.write, path: source.inside + pointer }));
}

function isSame(one: Json | undefined, other: Json): boolean {
  return one !== undefined && sameValue(one, other);
}

/** Whether a node passes on what it consumes: without a body, or as a choice by an expression. */
function copiesInput(node: GraphNode | undefined): boolean {
  return node?.body.type === 'default' || (node?.kind === 'either' && node.body.type === 'expr');
}

/** Follows who consumed what each record wrote. The earliest record comes first. */
function forwards(history: StateHistory, start: Followed): Lineage {
  const steps: LineageStep[] = [stepOf(history, start)];
  const known = new Set<string>();
  const waiting = [{ ...start, of: 0 }];
  while (waiting.length > 0) {
    waiting.sort((one, other) => one.write.seq - other.write.seq);
    const next = waiting.shift() as (typeof waiting)[number];
    const inner = intoItem(history, next);
    if (inner) {
      waiting.push({ ...next, ...inner });
      continue;
    }
    const collected = history.collectedBy(next.write);
    const used = collected?.seq ?? history.consumerOf(next.write);
    if (used === null) continue;
    const key = `${next.write.item} ${used} ${next.path}`;
    if (known.has(key)) continue;
    if (steps.length >= mostSteps) return { steps, cut: true };
    known.add(key);
    const position = steps.length;
    const outputs = followedOutputs(history, next, used, collected ? collected.item : next.write.item);
    const { item, state } = next.write;
    steps.push(stepOf(history, { ...next, write: { item, state, seq: used }, how: outputs.how }));
    for (const { write, path } of outputs.writes) waiting.push({ write, path, how: outputs.how, of: position });
  }
  return { steps, cut: false };
}

/** An `each` node consumes its list at its end; a path leads into one of its items. */
function intoItem(history: StateHistory, { write, path }: Followed): { write: Write; path: string } | null {
  const [, digits, rest = ''] = /^\/(\d+)(.*)$/s.exec(path ?? '') ?? [];
  const inside = digits === undefined ? null : history.inputOf(write, Number(digits));
  return inside && history.consumerOf(inside) !== null ? { write: inside, path: rest } : null;
}

function followedOutputs(
  history: StateHistory,
  { write, path }: Followed,
  used: number,
  usedIn: string | null,
): { how: LineageStep['how']; writes: { write: Write; path: string | null }[] } {
  const writes = history.writesOf(usedIn, used).map((written) => outOfItem(history, written));
  if (path === null) return { how: 'consumed', writes: writes.map(({ write: written }) => ({ write: written, path: null })) };
  const source = usedIn === write.item ? history.writeAt(write.item, write.state, used - 1) : { write, inside: '' };
  const value = history.partOf(source, path);
  if (value === undefined) return { how: 'consumed', writes: [] };
  const same = writes.flatMap(({ write: written, inside }) => {
    const whole = valueAt(history.valueOf(written) ?? null, inside);
    if (whole === undefined) return [];
    if (isSame(valueAt(whole, path), value)) return [{ write: written, path: inside + path }];
    const [only, second] = isCommon(value) ? [] : pointersTo(value, whole, 2);
    return only !== undefined && second === undefined ? [{ write: written, path: inside + only }] : [];
  });
  const copies = copiesInput(history.record(used).place?.node);
  return { how: same.length === 0 ? 'consumed' : copies ? 'copied' : 'same_value', writes: same };
}

/** The output of an item is an element of the list that its `each` node writes. */
function outOfItem(history: StateHistory, write: Write): { write: Write; inside: string } {
  const list = history.listOf(write);
  if (!list) return { write, inside: '' };
  const outer = outOfItem(history, list.write);
  return { write: outer.write, inside: `${outer.inside}/${list.index}` };
}

function stepOf(history: StateHistory, { write, path, how, of }: Followed): LineageStep {
  const { item, state, seq } = write;
  const base = { seq, state: item === null ? state : `${item}::${state}`, path, how, of };
  if (seq === 0) return { ...base, name: state, node: null, place: [] };
  const { node, place } = history.record(seq);
  const [row] = history.reader.timeline(seq, 1);
  const detail: FrameDetail = { ...(row?.turn != null && { turn: row.turn }), ...(row?.phase && { phase: row.phase }) };
  const name = place ? ownName(place.node, state) : state;
  return { ...base, name, node, place: place ? framesOf(place, detail) : unknownFrame(node) };
}

/** The last tool call of a node, of an agent in the visit that ended with this record, whose result contains the value that the node introduced; null for none. */
function toolOf(journal: Journal, history: StateHistory, { write, path }: Followed): LineageStep['found_in'] {
  const { reader } = history;
  const value = valueAt(history.valueOf(write) ?? null, path ?? '');
  if (value === undefined || isCommon(value)) return null;
  for (const { seq, turn } of reader.visitOf(history.record(write.seq).node, write.seq)) {
    for (const { name, kind, outcome } of reader.effectsOf(seq).toReversed()) {
      if (kind !== 'tool' || outcome === null) continue;
      const read = checked(outcomeSchema, journal.values.read(outcome), journal.path);
      if ('result' in read && isFoundIn(value, read.result)) return { seq, tool: name, ...(turn !== null && { turn }) };
    }
  }
  return null;
}
