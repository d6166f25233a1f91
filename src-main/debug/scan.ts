import type { RunReader } from '#main/journal/run-reader.ts';
import { type FoldStep, StateFold } from '#main/journal/state-fold.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { isOwnEvent } from '#shared/run/step-frame.ts';
import type { Stop } from '#shared/run/stop.ts';
import type { MadeRecord } from './made-record.ts';
import { nextPlace, type Place, placeOf, type RunAt } from './place.ts';
import { type Moment, type RecordedCall, StopAt } from './stop-at.ts';

/** A place between two records at which breakpoints would have stopped a run. */
export interface RecordedStop {
  /** The last record before it; 0 is the run's start. */
  readonly seq: number;
  readonly stop: Stop;
}

/**
 * Iterates over the places at which a recorded run would have stopped, from its start. Computes nothing of the run again. `holds`: also those inside a step at which
 * a driver that can hold would have held it, as far as the record names them: calls of code. They have the number of the record before the step.
 */
export function* recordedStops(
  graph: FlowGraph,
  reader: RunReader,
  breakpoints: readonly Breakpoint[],
  holds = false,
): Generator<RecordedStop> {
  const stops = new StopAt(graph, breakpoints, () => undefined);
  for (const { seq, making, ...moment } of recordedMoments(graph, reader)) {
    const stop = stops.check(moment);
    if (stop) yield { seq, stop };
    if (!holds || !making || stops.set.tools.size === 0) continue;
    for (const call of callsOfCode(making, reader, seq + 1)) {
      const held = stops.heldCall(call, moment.at);
      if (held) yield { seq, stop: held };
    }
  }
}

/** The calls that the code of a step has made, in order. One that was refused was not made: it has failed without an effect. */
function callsOfCode({ node, events }: Making, reader: RunReader, seq: number): RecordedCall[] {
  const calls = events.filter((event) => event.type === 'tool_call' && isOwnEvent(event, node)) as RunEventOf<'tool_call'>[];
  if (calls.length === 0) return [];
  const made = new Set(reader.effectsOf(seq).map(({ key }) => key));
  for (const event of events) if (event.type === 'tool_result' && !event.is_error) made.add(event.tool_call_id);
  return calls.flatMap((event) => {
    if (!made.has(event.tool_call_id)) return [];
    return [{ id: node, name: event.tool_name, tool_call_id: event.tool_call_id, input: event.arguments }];
  });
}

/** Returns the last place before record `seq` at which a breakpoint would have stopped the run; null if there is none. */
export function previousStop(graph: FlowGraph, reader: RunReader, breakpoints: readonly Breakpoint[], seq: number): RecordedStop | null {
  let last: RecordedStop | null = null;
  for (const stop of recordedStops(graph, reader, breakpoints, true)) {
    if (stop.seq >= seq) break;
    last = stop;
  }
  return last;
}

/** The step that follows, as it was recorded. */
interface Making {
  readonly node: string;
  readonly events: readonly RunEvent[];
}

/** A record with its place. */
export interface RecordedStep {
  readonly seq: number;
  /** The node's id in the run. */
  readonly node: string;
  readonly made: MadeRecord;
  /** Null if the flow has no such node. */
  readonly place: Place | null;
}

/** Returns record `seq`, which must exist, as its driver saw it. */
export function recordedStep(graph: FlowGraph, reader: RunReader, seq: number): RecordedStep {
  const step = reader.step(seq);
  const before = reader.foldAt(seq - 1);
  if (!step) throw new FlowError('NotFound', `Run ${reader.row.run_id} has no step ${seq}.`, { details: { seq } });
  const events: RunEvent[] = [];
  for (const event of reader.events(seq - 1)) {
    if (event.seq > seq) break;
    events.push(event);
  }
  return { seq, node: step.node, made: madeRecord(graph, step, before, events), place: placeOf(graph, step.node, before) };
}

/** Iterates over what a recorded run did and was about to do, between each two records. Each moment is valid until the next one. */
export function* recordedMoments(
  graph: FlowGraph,
  reader: RunReader,
): Generator<Moment & { readonly seq: number; readonly making: Making | null }> {
  const fold = new StateFold(reader.foldAt(0));
  const events = eventsBySeq(reader);
  let made: MadeRecord | null = null;
  let seq = 0;
  for (const step of reader.steps()) {
    const at = atRecord(reader, fold, seq);
    const making = { node: step.node, events: events(step.seq) };
    yield { seq, made, next: nextOf(graph, step, at), at, making };
    made = madeRecord(graph, step, at, making.events);
    fold.apply(step);
    seq = step.seq;
  }
  const at = atRecord(reader, fold, seq);
  const ended = reader.row.status === 'success' || reader.row.status === 'cancelled';
  const next = ended || isWaiting(fold.control) ? null : nextPlace(graph, fold.keys(), at);
  yield { seq, made, next: next?.id ?? null, at, making: null };
}

function atRecord(reader: RunReader, fold: StateFold, seq: number): RunAt & { readonly control: Control } {
  return { states: fold, control: fold.control, cost: () => reader.costAt(seq) };
}

function isWaiting({ suspensions, answers }: Control): boolean {
  return suspensions.length > 0 && answers.length === 0;
}

/** Returns the node that was about to fire: of `each` nodes that had not begun, the outermost. */
function nextOf(graph: FlowGraph, { node }: FoldStep, at: RunAt & { readonly control: Control }): string | null {
  if (isWaiting(at.control)) return null;
  const opened = placeOf(graph, node, at)?.levels.find(({ id }) => !at.control.frames[id]);
  return opened?.id ?? node;
}

/** Returns the record as its driver saw it. Records of items store no values: those are in the frames before and after. */
function madeRecord(graph: FlowGraph, step: FoldStep, before: RunAt, events: readonly RunEvent[]): MadeRecord {
  const { seq, node } = step;
  const exit = events.find(
    (event): event is RunEventOf<'node_exit'> => event.type === 'node_exit' && event.node === node && isOwnEvent(event, node),
  );
  const finished = exit !== undefined && Object.keys(exit.consumed).length > 0;
  const phase = exit?.phase ?? null;
  const place = node.includes('[') ? placeOf(graph, node, before) : null;
  if (!place) {
    const consumed = step.consumed.map((name) => ({ name, value: before.states.get(name)?.value ?? null }));
    return { seq, node, phase, finished, consumed, produced: step.produced, events: () => events };
  }
  const consumed = finished ? place.node.from.map((name) => ({ name, value: place.state(name) ?? null })) : [];
  const frames = step.control.frames ?? before.control.frames;
  return { seq, node, phase, finished, consumed, produced: finished ? producedInItem(place, before, frames) : [], events: () => events };
}

function producedInItem({ levels, node, graph }: Place, before: RunAt, frames: Control['frames']): NamedState[] {
  const level = levels.at(-1);
  const after = level && frames[level.id];
  if (!level || !after) return [];
  if (after.index !== level.index) return [{ name: graph.output, value: after.results.at(-1)?.at(-1) as Json }];
  const earlier = before.control.frames[level.id];
  // An item that begins has its input only.
  const waiting = earlier?.index === level.index && earlier.states.length > 0 ? earlier.states.length : 1;
  return after.states.slice(waiting - node.from.length);
}

/** Returns a reader of a run's events by record, to be asked in ascending order. */
function eventsBySeq(reader: RunReader): (seq: number) => RunEvent[] {
  const events = reader.events();
  let next = events.next();
  return (seq) => {
    const found: RunEvent[] = [];
    for (; !next.done && next.value.seq <= seq; next = events.next()) if (next.value.seq === seq) found.push(next.value);
    return found;
  };
}
