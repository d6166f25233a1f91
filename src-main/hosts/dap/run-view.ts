import type { DebugProtocol } from '@vscode/debugprotocol';
import { consumedInFrame, scopeOfFrame } from '#main/debug/frame-scope.ts';
import { standingAfter } from '#main/debug/standing.ts';
import type { RunInspector } from '#main/runner/run-inspector.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { Frame, Stop } from '#shared/run/stop.ts';
import { type CallTarget, targetsOf } from './call-targets.ts';
import type { FlowSources } from './flow-sources.ts';
import type { Arguments } from './requests.ts';
import { ShownValues, type StatePart } from './values.ts';
import { dataId } from './wanted-breakpoints.ts';

/** Numbers of frames of one stop. */
const framesPerStop = 10_000;

/** What a client sees of a stopped run: its frames, and the values in each. */
export class RunView {
  readonly inspector: RunInspector;
  readonly values = new ShownValues();
  readonly #sources: FlowSources;
  /** Number of the shown stop; frames of earlier ones are unknown. */
  #stop = 0;

  /** Returns where the run is held inside a step. */
  readonly #held: () => Stop | null;

  constructor(inspector: RunInspector, sources: FlowSources, held: () => Stop | null) {
    this.inspector = inspector;
    this.#held = held;
    this.#sources = sources;
  }

  /** Name of the run as a thread. */
  get name(): string {
    const { flow_name, run_id } = this.inspector.row;
    return `${flow_name} (${run_id.slice(-8)})`;
  }

  /** Invalidates what was shown, since the run moves or another record is shown. */
  forget(): void {
    this.#stop += 1;
    this.values.clear();
  }

  /** The frames of the shown record, outermost first. */
  get #frames(): readonly Frame[] {
    return (this.inspector.isPresent && this.#held()?.place) || this.inspector.nextFrames();
  }

  /** Returns the frames of the shown record, innermost first. */
  async stack(start = 0, levels = 0, linesStartAt1 = true): Promise<DebugProtocol.StackTraceResponse['body']> {
    const frames = this.#frames;
    const ids = frames.map((frame, index) => ({ frame, index })).toReversed();
    const shown = ids.slice(start, levels > 0 ? start + levels : undefined);
    return {
      stackFrames: await Promise.all(shown.map(({ frame, index }) => this.#stackFrame(frame, index, linesStartAt1 ? 0 : 1))),
      totalFrames: frames.length,
    };
  }

  scopes(frameId: number): DebugProtocol.Scope[] {
    const index = this.#frameIndex(frameId);
    const { graph, reader, seq } = this.inspector;
    const at = reader.foldAt(seq);
    const happening = standingAfter(graph, at, () => reader.step(seq));
    const { names } = scopeOfFrame(happening, at, index);
    const frame = this.#frames[index];
    const held = this.inspector.isPresent ? this.#held() : null;
    const states = (names.states ?? {}) as JsonObject;
    const calls = index === this.#frames.length - 1 && happening.place ? callsOf(at.control, happening.place.id) : {};
    const open = (name: string, value: JsonObject, expression: string, flow?: string): DebugProtocol.Scope[] => {
      const inside = Object.keys(value).length;
      const variablesReference = this.values.open({ value, expression, ...(flow !== undefined && { flow }) });
      return [{ name, variablesReference, namedVariables: inside, expensive: false }];
    };
    return [
      ...open('Waiting states', states, 'states', frame?.flow),
      ...open('Consumed', consumedInFrame(happening, at, index), ''),
      ...(names.item ? open('Item', names.item as JsonObject, 'item') : []),
      ...(Object.keys(calls).length > 0 ? open('Call', calls, '') : []),
      ...(held?.values !== undefined ? open('Held', { values: held.values }, '') : []),
      ...open('Run', this.#runValues(), ''),
    ];
  }

  /** The calls of flows that an agent is about to make, in one turn. Each can be stepped into; none while an earlier step is shown. */
  callTargets(): CallTarget[] {
    const { inspector } = this;
    if (!inspector.isPresent) return [];
    const { graph, reader, seq } = inspector;
    const at = reader.foldAt(seq);
    const { place } = standingAfter(graph, at, () => null);
    return place ? targetsOf(place.graph, at.control.agents[place.id]?.pending ?? [], inspector.nextFrames().at(-1)) : [];
  }

  /** Returns the value of an expression. Throws `FlowError` if it has none. */
  evaluate(expression: string, frameId: number | undefined, context: string | undefined): DebugProtocol.EvaluateResponse['body'] {
    const frame = frameId === undefined ? undefined : this.#frameIndex(frameId);
    // A name under the pointer is a state more often than a field.
    const tried = context === 'hover' && /^\w+$/.test(expression) ? [`states.${expression}`, expression] : [expression];
    const results = this.inspector.evaluate(tried, frame);
    const found = results.find((result) => 'value' in result && result.value !== null) ?? results[0];
    if (!found || 'error' in found) throw new FlowError('Invalid', found?.error ?? 'The expression has no value.');
    const { value: result, ...shown } = this.values.shown({ value: found.value, expression });
    return { ...shown, result: context === 'clipboard' ? JSON.stringify(found.value, null, 2) : result };
  }

  /** Returns whether a run can stop where a value is written or consumed. */
  dataInfo({ name, variablesReference, frameId }: Arguments<'dataBreakpointInfo'>): DebugProtocol.DataBreakpointInfoResponse['body'] {
    const part = variablesReference ? this.values.partOf(variablesReference, name) : this.#partNamed(name, frameId);
    if (!part) return { dataId: null, description: 'Only states, and what is inside them, can be watched.' };
    return {
      dataId: dataId(part),
      description: `${part.state}${part.path} of ${part.flow}`,
      accessTypes: ['read', 'write', 'readWrite'],
      canPersist: true,
    };
  }

  #partNamed(name: string, frameId: number | undefined): StatePart | null {
    const [state = '', ...path] = name.replace(/^states\./, '').split('.');
    if (!/^\w+$/.test(state)) return null;
    const frames = this.#frames;
    const frame = frames[frameId === undefined ? frames.length - 1 : this.#frameIndex(frameId)];
    return frame ? { flow: frame.flow, state, path: path.map((key) => `/${key}`).join('') } : null;
  }

  #frameIndex(frameId: number): number {
    const index = frameId - this.#stop * framesPerStop - 1;
    if (index < 0 || index >= framesPerStop)
      throw new FlowError('NotFound', 'This frame belongs to an earlier stop. Read the stack again.');
    return index;
  }

  async #stackFrame(frame: Frame, index: number, shift: number): Promise<DebugProtocol.StackFrame> {
    const id = this.#stop * framesPerStop + index + 1;
    const { source, lines } = await this.#sources.ofFrame(frame);
    if (!lines) return { id, name: nameOf(frame), line: 0, column: 0, source };
    return { id, name: nameOf(frame), source, line: lines.first - shift, endLine: lines.last - shift, column: 1 - shift };
  }

  #runValues(): JsonObject {
    const { row, seq, lastSeq, reader } = this.inspector;
    const { counters } = reader.foldAt(seq).control;
    return toJson({ run: row.run_id, flow: row.flow_path, status: row.status, step: seq, last_step: lastSeq, ...counters }) as JsonObject;
  }
}

function nameOf({ title, item, turn, phase, call }: Frame): string {
  const more = [
    item && `item ${item.index + 1}${item.of === null ? '' : ` of ${item.of}`}`,
    turn !== undefined && `turn ${turn}`,
    phase === 'act' && 'calls',
    call?.tool,
  ].filter(Boolean);
  return [title, ...more].join(' › ');
}

/** Returns the calls of a node: those that its agent is about to make or has made in this act, and the one that waits. */
function callsOf({ agents, suspensions }: Control, node: string): JsonObject {
  const calls: Record<string, Json> = {};
  for (const { tool_call_id, tool, input, result } of agents[node]?.pending ?? [])
    calls[`${tool} ${tool_call_id}`] = toJson({ tool, input, ...(result !== undefined && { result }) });
  for (const each of suspensions)
    if (each.node === node && !isJsonObject(calls[each.tool_call_id])) calls[each.tool_id] = { question: each.value };
  return calls;
}
