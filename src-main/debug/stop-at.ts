import type { GatePoint, GateResult } from '#main/engine/ports/gate.ts';
import type { Breakpoint, BreakpointOf } from '#shared/contract/breakpoint.ts';
import type { FlowGraph, GraphNode, NamedState } from '#shared/flow/graph.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';
import { enclosingCallKey, withoutFrames } from '#shared/run/node-id.ts';
import { isOwnEvent } from '#shared/run/step-frame.ts';
import { type Frame, placeText, type Stop, type StopReason } from '#shared/run/stop.ts';
import { sameValue } from '#shared/value-changes.ts';
import { type AtNode, BreakpointSet, type ReadyBreakpoint } from './breakpoint-set.ts';
import { fillLog, holds } from './condition.ts';
import { type MadeRecord, madeRecord } from './made-record.ts';
import { type FrameDetail, firstInside, framesOf, type Place, placeOf, type RunAt, unknownFrame } from './place.ts';
import { type Happening, scopeOf } from './scope.ts';
import { waitingFor } from './standing.ts';
import { valueAt } from './value-at.ts';
import { runWithin } from './within.ts';

/** A run between two records: the one just made, and the node that fires next. */
export interface Moment {
  readonly made: MadeRecord | null;
  /** Id of the node that fires next; null if the run waits or has ended. */
  readonly next: string | null;
  readonly at: RunAt;
}

/** A line of a log point. */
export interface LogLine {
  readonly breakpoint: string;
  readonly node: string;
  readonly text: string;
}

/** A breakpoint whose place was reached. */
interface Reached {
  readonly ready: ReadyBreakpoint;
  readonly happening: Happening;
  readonly frames: readonly Frame[];
  readonly id: string;
}

/** A hit that stops the run. `fault`: why its condition failed. */
interface Hit extends Reached {
  readonly hits: number;
  readonly fault: string | null;
}

/** A call that has its result. */
interface CallResult {
  readonly tool_call_id: string;
  readonly tool: string;
  readonly input: Json;
  readonly result: Json;
  readonly is_error: boolean;
  readonly error_code?: string | undefined;
}

/** A call that the code of a recorded step has made. */
export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  readonly tool_call_id: string;
  readonly input: Json;
}

type CallPoint = Pick<GatePoint, 'what' | 'id' | 'name' | 'tool_call_id' | 'values'>;

/** The node that made a call. */
interface Around {
  readonly id: string;
  readonly place: Place | null;
  readonly consumed: readonly NamedState[];
  readonly detail: FrameDetail;
}

/** The last value of a state, in one item of its `each` nodes. */
interface LastValue {
  readonly where: string;
  readonly value: Json;
}

/**
 * Decides where one run stops. Counts hits from its creation on, for one run and process. It only reads: a run is recorded alike with and
 * without it.
 */
export class StopAt {
  readonly #graph: FlowGraph;
  readonly #log: (line: LogLine) => void;
  readonly #counts = new Map<string, number>();
  /** Breakpoints that have stopped the run or logged. */
  readonly #done = new Set<string>();
  readonly #last = new Map<string, LastValue>();
  readonly #holds: boolean;
  #set: BreakpointSet;

  /** `holds`: the driver asks `hold` inside steps; a run then does not stop where it is held. */
  constructor(graph: FlowGraph, breakpoints: readonly Breakpoint[], log: (line: LogLine) => void, holds = false) {
    this.#graph = graph;
    this.#log = log;
    this.#holds = holds;
    this.#set = new BreakpointSet(graph, breakpoints);
  }

  /** Replaces the breakpoints. Hits of those that remain are kept. */
  replace(breakpoints: readonly Breakpoint[]): void {
    this.#set = new BreakpointSet(this.#graph, breakpoints);
  }

  get set(): BreakpointSet {
    return this.#set;
  }

  /** Remembers the values that a record wrote, without counting hits: for records from before the breakpoints were set. */
  observe(made: MadeRecord): void {
    for (const { name, value } of made.produced) this.#remember(made, name, value);
  }

  /** Returns why the run stops here; null if it continues. */
  check({ made, next, at }: Moment): Stop | null {
    const reached: Reached[] = [];
    if (made) this.#afterRecord(made, at, reached);
    if (next !== null && at.control.answers.length === 0) this.#beforeNode(next, at, reached);
    if (reached.length === 0) return null;
    return this.#stopFor(reached, at);
  }

  /** Returns why the run is held at a point inside a step; null if it isn't. `before`: the run before the step. */
  hold(point: GatePoint, before: RunAt): Stop | null {
    const reached: Reached[] = [];
    const at = runWithin(before, point.calls);
    if (point.after) this.#heldAfter(point, point.after, at, reached);
    else if (point.what === 'node') for (const id of this.#beginnings(point.id, at)) this.#beginning(id, at, reached);
    else this.#heldBefore(point, at, reached);
    const stop = reached.length === 0 ? null : this.#stopFor(reached, at);
    return stop && { ...stop, reason: 'hold', point: 'hold', ...valuesOf(point) };
  }

  /** Returns why a driver that can hold would have held the run before a recorded call of code; null if it wouldn't. */
  heldCall({ id, name, tool_call_id, input }: RecordedCall, at: RunAt): Stop | null {
    const body = placeOf(this.#graph, id, at)?.node.body.type;
    if (body === undefined || isNamedBefore(body)) return null;
    const reached: Reached[] = [];
    this.#beforeCall({ what: 'tool', id, name, tool_call_id, values: () => input }, this.#set.tools.get(name) ?? [], at, reached);
    const stop = reached.length === 0 ? null : this.#stopFor(reached, at);
    return stop && { ...stop, reason: 'hold', point: 'hold', values: input };
  }

  #heldBefore(point: GatePoint, at: RunAt, reached: Reached[]): void {
    const { tools, models } = this.#set;
    const isRecorded = point.calls.length === 0 && isNamedBefore(point.node.body.type);
    const entries = point.what === 'model' ? models : isRecorded ? [] : tools.get(point.name);
    if (entries && entries.length > 0) this.#beforeCall(point, entries, at, reached);
  }

  #beforeCall(point: CallPoint, entries: readonly ReadyBreakpoint[], at: RunAt, reached: Reached[]): void {
    const place = placeOf(this.#graph, point.id, at);
    const detail: FrameDetail = {
      ...detailOf(at.control.agents[point.id]),
      ...(point.what === 'model' && { phase: 'reason' }),
      ...(point.tool_call_id !== undefined && { call: { id: point.tool_call_id, tool: point.name } }),
    };
    const call = point.what === 'tool' ? { call: { tool: point.name, input: point.values() } } : {};
    for (const ready of entries) {
      const { on, flow, node } = ready.breakpoint as BreakpointOf<'model'> & { readonly flow?: string; readonly node?: string };
      const found = this.#at(ready, point.id, place, detail);
      if (on !== 'before' || (point.what === 'model' && !isAt(found.frames, flow, node))) continue;
      reached.push({ ...found, happening: { ...found.happening, ...call } });
    }
  }

  /** After a step or call of a flow that runs within the step: none of them is a record after which the run could stop. */
  #heldAfter({ id, node, name, tool_call_id = '' }: GatePoint, after: GateResult, at: RunAt, reached: Reached[]): void {
    if ('failure' in after) this.#failures(after.failure, id, at, reached);
    else if ('result' in after) {
      const { value, is_error, error } = after.result;
      const found: CallResult = { tool_call_id, tool: name, input: after.input, result: value, is_error, error_code: error?.code };
      const detail = detailOf(at.control.agents[id]);
      const place = placeOf(this.#graph, id, at);
      this.#callResult(found, { id, place, consumed: waitingFor(place), detail }, reached);
    } else {
      const consumed = Object.fromEntries(node.from.map((state, index) => [state, after.consumed[index] ?? null]));
      const made = madeRecord(after.record, consumed, id);
      const entries = this.#set.afterOf(id);
      if (entries && made.finished) this.#afterNode(made, entries, at, reached);
      if (made.phase === 'reason') this.#models('after', id, at, reached);
      if (this.#set.comparesValues) this.observe(made);
    }
  }

  /** Returns the stop of a failed step; null if no breakpoint asks for it. */
  failed(error: TransferableError, at: RunAt): Stop | null {
    const reached: Reached[] = [];
    this.#failures(error, error.node ?? '', at, reached);
    return reached.length === 0 ? null : this.#stopFor(reached, at);
  }

  #failures(error: TransferableError, id: string, at: RunAt, reached: Reached[]): void {
    const place = placeOf(this.#graph, id, at);
    for (const ready of this.#set.errors) {
      const { variant, category, flow, node } = ready.breakpoint as BreakpointOf<'error'>;
      if ((variant ?? error.variant) !== error.variant || (category ?? error.category) !== error.category) continue;
      const found = this.#at(ready, id, place, {});
      if (!isAt(found.frames, flow, node)) continue;
      const { variant: is, category: of, code, message, details } = error;
      reached.push({ ...found, happening: { ...found.happening, error: { variant: is, category: of, code, message, details } } });
    }
  }

  #afterRecord(made: MadeRecord, at: RunAt, reached: Reached[]): void {
    const set = this.#set;
    const entries = set.afterOf(made.node);
    if (entries && made.finished) this.#afterNode(made, entries, at, reached);
    if (set.tools.size > 0 || set.toolErrors.length > 0) this.#toolResults(made, at, reached);
    if (made.phase === 'reason') this.#models('after', made.node, at, reached);
    if (set.errors.length > 0) this.#failedCall(made, at, reached);
    if (set.comparesValues) this.observe(made);
  }

  #afterNode(made: MadeRecord, entries: readonly AtNode[], at: RunAt, reached: Reached[]): void {
    const place = placeOf(this.#graph, made.node, at);
    const frames = place ? framesOf(place) : unknownFrame(made.node);
    const happening = { place, consumed: made.consumed, produced: made.produced };
    for (const { ready, state } of entries) {
      const { breakpoint } = ready;
      const written = state === null ? undefined : made.produced.find(({ name }) => name === state);
      if (state !== null && !written) continue;
      if (breakpoint.kind !== 'state' || !written) {
        reached.push({ ready, frames, id: made.node, happening });
        continue;
      }
      const value = valueAt(written.value, breakpoint.path ?? '');
      if (breakpoint.on === 'written') {
        if (value !== undefined) reached.push({ ready, frames, id: made.node, happening });
        continue;
      }
      const last = this.#lastOf(made, written.name);
      if (last === undefined) continue;
      const before = valueAt(last, breakpoint.path ?? '');
      if (before === undefined && value === undefined) continue;
      if (before !== undefined && value !== undefined && sameValue(before, value)) continue;
      reached.push({ ready, frames, id: made.node, happening: { ...happening, previous: last } });
    }
  }

  /** A step that fails in a flow called as a tool ends that flow, and the run continues. */
  #failedCall({ node }: MadeRecord, { control, ...at }: RunAt, reached: Reached[]): void {
    const error = control.frames[enclosingCallKey(node) ?? '']?.call?.error;
    if (error) this.#failures(error, node, { control, ...at }, reached);
  }

  #toolResults(made: MadeRecord, at: RunAt, reached: Reached[]): void {
    const events = made.events();
    const results = events.filter((event) => event.type === 'tool_result');
    if (results.length === 0) return;
    const place = placeOf(this.#graph, made.node, at);
    const around = {
      id: made.node,
      place,
      consumed: made.finished ? made.consumed : waitingFor(place),
      detail: made.phase ? { phase: made.phase } : {},
    };
    for (const result of results) {
      // A driver that can hold has held the run after a call of a flow that ran within the step.
      if (this.#holds && !isOwnEvent(result, made.node)) continue;
      const { tool_call_id, tool_name: tool } = result;
      this.#callResult({ ...result, tool_call_id, tool, input: inputOf(events, tool_call_id) }, around, reached);
    }
  }

  #callResult({ tool_call_id, tool, input, ...result }: CallResult, { id, place, consumed, detail }: Around, reached: Reached[]): void {
    const entries = [...(this.#set.tools.get(tool) ?? []), ...(result.is_error ? this.#set.toolErrors : [])];
    for (const ready of entries) {
      const { breakpoint } = ready;
      if (breakpoint.kind === 'tool' && !(breakpoint.on === 'after' || (breakpoint.on === 'error' && result.is_error))) continue;
      const happening: Happening = {
        place,
        consumed,
        produced: [{ name: tool, value: result.result }],
        call: { tool, input },
        ...(result.is_error && { error: errorOf(result) }),
      };
      const found = this.#at(ready, id, place, { ...detail, call: { id: tool_call_id, tool } });
      reached.push({ ...found, happening });
    }
  }

  #beforeNode(next: string, at: RunAt, reached: Reached[]): void {
    const { tools } = this.#set;
    for (const id of this.#beginnings(next, at)) {
      this.#beginning(id, at, reached);
      if (tools.size > 0) this.#callsOf(id, at, reached);
      // A driver that can hold waits for the request itself.
      if (at.control.agents[id]?.phase !== 'act' && !this.#holds) this.#models('before', id, at, reached);
    }
  }

  /** Returns the node that fires next. An each node that begins is followed at once by the first node of its first item. */
  #beginnings(next: string, at: RunAt): string[] {
    const { hasBefore, tools, models } = this.#set;
    if (!begins(next, at) || !(hasBefore || tools.size > 0 || models.length > 0)) return [next];
    const place = placeOf(this.#graph, next, at);
    const inner = place && firstInside(this.#graph, place, at);
    return inner ? [next, ...this.#beginnings(inner.id, at)] : [next];
  }

  #beginning(next: string, at: RunAt, reached: Reached[]): void {
    const agent = at.control.agents[next];
    const found = this.#set.beforeOf(next);
    const entries = begins(next, at)
      ? found
      : found?.filter(({ ready: { breakpoint } }) => breakpoint.kind === 'before' && breakpoint.turns);
    if (!entries || entries.length === 0 || agent?.phase === 'act') return;
    const place = placeOf(this.#graph, next, at);
    for (const { ready, state } of entries) {
      const { breakpoint } = ready;
      if (breakpoint.kind === 'state' && state !== null && breakpoint.path) {
        const value = place?.state(state);
        if (value === undefined || valueAt(value, breakpoint.path) === undefined) continue;
      }
      reached.push(this.#at(ready, next, place, detailOf(agent)));
    }
  }

  /** The calls that a node is about to make, as far as the record knows them: those of an act, or of a `tool` body. */
  #callsOf(next: string, at: RunAt, reached: Reached[]): void {
    const agent = at.control.agents[next];
    if (agent && agent.phase !== 'act') return;
    const place = placeOf(this.#graph, next, at);
    const calls = agent
      ? agent.pending
          .filter(({ result, frame }) => result === undefined && frame === undefined)
          .map(({ tool_call_id, tool, input }) => ({ id: tool_call_id, tool, input }))
      : callOfBody(place);
    for (const { id, tool, input } of calls) {
      for (const ready of this.#set.tools.get(tool) ?? []) {
        if ((ready.breakpoint as BreakpointOf<'tool'>).on !== 'before') continue;
        const beginning = this.#at(ready, next, place, { ...detailOf(agent), call: { id, tool } });
        reached.push({ ...beginning, happening: { ...beginning.happening, call: { tool, input } } });
      }
    }
  }

  /** Each turn of an agent makes one request, so a run stops before the turn, not inside it: the request itself is not known yet. */
  #models(on: 'before' | 'after', id: string, at: RunAt, reached: Reached[]): void {
    if (this.#set.models.length === 0) return;
    const place = placeOf(this.#graph, id, at);
    if (place?.node.kind !== 'agent') return;
    for (const ready of this.#set.models) {
      const breakpoint = ready.breakpoint as BreakpointOf<'model'>;
      if (breakpoint.on !== on) continue;
      const found = this.#at(ready, id, place, { phase: 'reason' });
      if (isAt(found.frames, breakpoint.flow, breakpoint.node)) reached.push(found);
    }
  }

  #at(ready: ReadyBreakpoint, id: string, place: Place | null, detail: FrameDetail): Reached {
    return { ready, id, frames: place ? framesOf(place, detail) : unknownFrame(id), happening: { place, consumed: waitingFor(place) } };
  }

  /** Counts the hits and returns the stop, if any breakpoint asks for one. */
  #stopFor(reached: readonly Reached[], at: RunAt): Stop | null {
    const hits = reached.map((each) => this.#hit(each, at)).filter((hit) => hit !== null);
    const [first] = hits;
    if (!first) return null;
    for (const { ready } of hits) this.#done.add(ready.breakpoint.id);
    const ids = new Map(hits.map(({ ready, hits: count }) => [ready.breakpoint.id, count]));
    return {
      reason: reasonOf(first.ready.breakpoint),
      point: 'stop',
      place: [...first.frames],
      breakpoints: [...ids].map(([id, count]) => ({ id, hits: count })),
      text: hits.map(textOf).join('; '),
    };
  }

  #hit(reached: Reached, at: RunAt): Hit | null {
    const { ready, frames, happening } = reached;
    const { breakpoint, condition, inside } = ready;
    if (breakpoint.once && this.#done.has(breakpoint.id)) return null;
    if (breakpoint.requires !== undefined && !this.#done.has(breakpoint.requires)) return null;
    if (inside && !frames.some(({ flow, node }) => flow === inside.flow && node === inside.node)) return null;
    let scope: ReturnType<typeof scopeOf> | undefined;
    if (condition) {
      scope = scopeOf(happening, at);
      try {
        if (!holds(condition, scope)) return null;
      } catch (error) {
        return { ...reached, hits: this.#counts.get(breakpoint.id) ?? 0, fault: error instanceof Error ? error.message : String(error) };
      }
    }
    const hits = (this.#counts.get(breakpoint.id) ?? 0) + 1;
    this.#counts.set(breakpoint.id, hits);
    if (ready.hits && !ready.hits(hits)) return null;
    if (!ready.log) return { ...reached, hits, fault: null };
    this.#done.add(breakpoint.id);
    this.#log({ breakpoint: breakpoint.id, node: reached.id, text: fillLog(ready.log, scope ?? scopeOf(happening, at)) });
    return null;
  }

  #remember({ node }: MadeRecord, name: string, value: Json): void {
    const prefix = prefixOf(node);
    this.#last.set(withoutFrames(prefix) + name, { where: prefix, value });
  }

  /** The value last written in the same item. */
  #lastOf({ node }: MadeRecord, name: string): Json | undefined {
    const prefix = prefixOf(node);
    const last = this.#last.get(withoutFrames(prefix) + name);
    return last?.where === prefix ? last.value : undefined;
  }
}

/** Whether a node begins when it fires next: an agent in progress does not, nor does an each node whose items have finished. */
function begins(id: string, { control }: RunAt): boolean {
  return control.agents[id] === undefined && !control.frames[id];
}

/** Characters of JSON text of the values that a hold shows. Larger ones would make every summary of the run as large. */
const longestValues = 256 * 1024;

function valuesOf(point: GatePoint): Pick<Stop, 'values'> {
  const values = point.values();
  return JSON.stringify(values).length > longestValues ? {} : { values };
}

/** Whether the record names the calls of a node beforehand: the run then stops before the step that makes them. */
function isNamedBefore(body: GraphNode['body']['type']): boolean {
  return body === 'agent' || body === 'tool';
}

/** Returns what a node's id begins with inside an item: `Items[2]::`. */
function prefixOf(node: string): string {
  const end = node.lastIndexOf(']::');
  return end < 0 ? '' : node.slice(0, end + 3);
}

function detailOf(agent: RunAt['control']['agents'][string] | undefined): FrameDetail {
  return agent ? { phase: agent.phase, turn: agent.phase === 'reason' ? agent.turn + 1 : agent.turn } : {};
}

function callOfBody(place: Place | null): { readonly id: string; readonly tool: string; readonly input: Json }[] {
  const body = place?.node.body;
  return body?.type === 'tool' ? [{ id: '', tool: body.tool, input: body.with }] : [];
}

function isAt(frames: readonly Frame[], flow: string | undefined, node: string | undefined): boolean {
  if (flow === undefined && node === undefined) return true;
  return frames.some((frame) => (flow ?? frame.flow) === frame.flow && (node ?? frame.node) === frame.node);
}

function inputOf(events: readonly RunEvent[], id: string): Json {
  const call = events.findLast((event) => (event.type === 'tool_call' || event.type === 'tool_call_edited') && event.tool_call_id === id);
  return (call as RunEventOf<'tool_call'> | undefined)?.arguments ?? null;
}

function errorOf({ result, error_code }: Pick<CallResult, 'result' | 'error_code'>): JsonObject {
  const message = isJsonObject(result) && typeof result.message === 'string' ? result.message : JSON.stringify(result);
  return { variant: isJsonObject(result) ? (result.variant ?? null) : null, code: error_code ?? null, message };
}

function reasonOf({ kind }: Breakpoint): StopReason {
  return kind === 'state' || kind === 'tool' || kind === 'error' ? kind : 'breakpoint';
}

/** Says what stopped the run: `b1 at Price all › item 3 of 4 › Half it, hit 2`. */
function textOf({ ready: { breakpoint }, frames, hits, fault }: Hit): string {
  const where = `${breakpoint.id}: ${whatOf(breakpoint)} ${placeText(frames)}`;
  return fault === null ? `${where}${hits > 1 ? `, hit ${hits}` : ''}` : `${where}, stopped because its condition failed. ${fault}`;
}

function whatOf(breakpoint: Breakpoint): string {
  switch (breakpoint.kind) {
    case 'before':
      return 'before';
    case 'after':
      return 'after';
    case 'branch':
      return `${breakpoint.state} produced by`;
    case 'state':
      return `${breakpoint.state}${breakpoint.path ?? ''} ${breakpoint.on} ${breakpoint.on === 'consumed' ? 'by' : 'after'}`;
    case 'tool':
      return `${breakpoint.on} ${breakpoint.tool} in`;
    case 'model':
      return `${breakpoint.on} a model call of`;
    case 'error':
      return 'failure in';
  }
}
