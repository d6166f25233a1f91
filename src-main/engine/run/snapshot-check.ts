import { listOf } from '#main/engine/step/each-results.ts';
import { nodeInside } from '#main/engine/step/frame-cursor.ts';
import type { FlowPlan, NodePlan } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import { type Json, jsonPointer, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { enclosingFrame, enclosingFrameKey, frameName } from '#shared/run/node-id.ts';
import type { Frame, Snapshot } from '#shared/run/snapshot.ts';
import { planOf } from './plan.ts';
import { snapshotSchema } from './snapshot-schema.ts';

type Path = readonly (string | number)[];

/** What of a snapshot cannot be used, and where (JSON Pointer into the snapshot). `state`: whose name or value it is. */
export interface SnapshotFault {
  readonly path: string;
  readonly message: string;
  readonly state?: string;
}

/** Checks a snapshot's form, names and values against the flow, and freezes it. Throws `FlowError` `SnapLoadError` with the path. */
export function checkSnapshot(plan: FlowPlan, snapshot: Snapshot, acceptChangedFlow: boolean): void {
  const misshapen = formFault(snapshot);
  if (misshapen) throw damaged(misshapen);
  if (snapshot.flow.hash !== plan.graph.hash && !acceptChangedFlow) {
    throw new FlowError(
      'SnapLoadError',
      `The snapshot was made with another version of "${plan.graph.name}". Open it with that version, or accept the change.`,
      {
        code: 'VALIDATION_FLOW_CHANGED',
        details: { path: '/flow/hash', expected: plan.graph.hash, found: snapshot.flow.hash },
      },
    );
  }
  for (const fault of faultsOf(plan, snapshot)) throw damaged(fault);
  for (const { graph, snapshot: inner } of calledFlows(plan, snapshot)) checkSnapshot(planOf(graph), inner, acceptChangedFlow);
}

/** Everything of a snapshot that does not fit the flow, its version aside. A misshapen snapshot has one fault. */
export function snapshotFaults(plan: FlowPlan, snapshot: Snapshot): SnapshotFault[] {
  const misshapen = formFault(snapshot);
  if (misshapen) return [misshapen];
  const own = [...faultsOf(plan, snapshot)];
  if (own.length > 0) return own;
  return [...calledFlows(plan, snapshot)].flatMap(({ graph, snapshot: inner }) => snapshotFaults(planOf(graph), inner));
}

function formFault(snapshot: Snapshot): SnapshotFault | null {
  const json = toJson(snapshot);
  const notJson = freezeJson(json);
  if (notJson) return { path: notJson.path, message: `it holds ${notJson.message}` };
  return compileSchema(snapshotSchema)(json);
}

function* faultsOf(plan: FlowPlan, snapshot: Snapshot): Generator<SnapshotFault> {
  if (snapshot.states.length === 0) yield { path: '/states', message: 'there is no state' };
  yield* stateFaults(plan, snapshot.states);
  yield* nameFaults(plan, snapshot);
  yield* frameFaults(plan, snapshot);
}

function* stateFaults(plan: FlowPlan, states: readonly NamedState[], path: Path = []): Generator<SnapshotFault> {
  const seen = new Set<string>();
  for (const [index, { name, value }] of states.entries()) {
    const at = [...path, 'states', index];
    const state = plan.states.get(name);
    if (!state) yield { path: jsonPointer([...at, 'name']), message: `the flow has no state ${name}`, state: name };
    else if (seen.has(name)) yield { path: jsonPointer([...at, 'name']), message: `${name} is there twice`, state: name };
    else yield* valueFault(state, value, [...at, 'value']);
    seen.add(name);
  }
}

function* valueFault(state: StatePlan, value: Json, path: Path): Generator<SnapshotFault> {
  const violation = state.check(value);
  if (!violation) return;
  yield { path: jsonPointer(path) + violation.path, message: `it is no ${state.name}: ${violation.message}`, state: state.name };
}

function* nameFaults(plan: FlowPlan, { control }: Snapshot): Generator<SnapshotFault> {
  const places: [node: string, path: Path][] = [
    ...(['agents', 'handlers', 'frames', 'script_positions'] as const).flatMap((part) =>
      Object.keys(control[part]).map((key): [string, Path] => [callerIn(key) ?? key, ['control', part, key]]),
    ),
    ...control.suspensions.map(({ node }, index): [string, Path] => [node, ['control', 'suspensions', index, 'node']]),
    ...control.answers.map(({ suspension }, index): [string, Path] => [
      suspension.node,
      ['control', 'answers', index, 'suspension', 'node'],
    ]),
  ];
  for (const [node, path] of places) {
    if (!nodeInside(plan, node)) yield { path: jsonPointer(path), message: `the flow has no node ${node}` };
  }
}

/** The agent whose call a key of a frame names; undefined for the id of a node. */
function callerIn(key: string): string | undefined {
  const name = frameName(key);
  return name?.type === 'call' ? name.caller : undefined;
}

/** A frame must be of an `each` node whose list waits, and no further than that list is long, or of a flow that an agent calls. */
function* frameFaults(plan: FlowPlan, { states, control }: Snapshot): Generator<SnapshotFault> {
  const { frames } = control;
  for (const [id, frame] of Object.entries(frames)) {
    const path = ['control', 'frames', id];
    const caller = callerIn(id);
    const found = nodeInside(plan, caller ?? id);
    // Reported above.
    if (!found) continue;
    const inner = caller === undefined ? found.each : calledIn(found, frame, id, control);
    if (!inner) {
      yield { path: jsonPointer(path), message: `${id} is ${caller === undefined ? 'no each node' : 'no call in progress'}` };
      continue;
    }
    const around = enclosingFrame(id);
    const outer = frames[enclosingFrameKey(id) ?? ''];
    if (around?.type === 'item' && outer?.index !== around.index) {
      yield { path: jsonPointer(path), message: `${around.each} is not at its item ${around.index}` };
    }
    yield* caller === undefined ? itemFaults(found, frame, outer?.states ?? states, path) : callFaults(frame, path);
    yield* stateFaults(inner, frame.states, path);
    for (const [run, values] of frame.results.entries()) {
      for (const [index, result] of values.entries()) yield* valueFault(inner.terminal, result, [...path, 'results', run, index]);
    }
  }
}

function* itemFaults({ node }: NodePlan, frame: Frame, waiting: readonly NamedState[], path: Path): Generator<SnapshotFault> {
  const list = waiting.find(({ name }) => name === node.from[0])?.value;
  const results = listOf(frame.results);
  if (!Array.isArray(list)) yield { path: jsonPointer(path), message: `no list waits for ${path.at(-1)}` };
  else if (frame.index > list.length || results.length !== frame.index) {
    yield { path: jsonPointer([...path, 'index']), message: `it does not go with ${list.length} items and ${results.length} results` };
  }
}

/** A called flow has states, or one result, or a failure. */
function* callFaults({ index, states, results, call }: Frame, path: Path): Generator<SnapshotFault> {
  const ended = listOf(results).length + (call?.error ? 1 : 0);
  if (index === ended && (index === 0 ? states.length > 0 : index === 1 && states.length === 0)) return;
  yield { path: jsonPointer([...path, 'index']), message: `it does not go with ${states.length} states and ${ended} results` };
}

/** The flow that runs in a frame, if its caller waits for it. */
function calledIn({ called }: NodePlan, { call }: Frame, key: string, { agents }: Snapshot['control']): FlowPlan | undefined {
  const isWaited = agents[callerIn(key) ?? '']?.pending.some(({ frame, result }) => frame === key && result === undefined);
  return call && isWaited ? called(call.flow, call.tainted) : undefined;
}

/** A flow that is called as a tool and waits is a run of its own inside the call. Throws for one that its node does not call. */
function* calledFlows(plan: FlowPlan, { control }: Snapshot): Generator<{ readonly graph: FlowGraph; readonly snapshot: Snapshot }> {
  const calls = [
    ...Object.entries(control.agents).flatMap(([node, { pending }]) => pending.map((call) => ({ node, call }))),
    ...Object.entries(control.handlers).flatMap(([node, state]) => state.calls.map((call) => ({ node, call }))),
  ];
  for (const { node, call } of calls) {
    if (!call.flow) continue;
    const tool = nodeInside(plan, node)?.flowTools.get(call.tool);
    if (!tool) throw damaged({ path: '/control', message: `${node} calls no flow ${call.tool}` });
    yield { graph: tool.graph, snapshot: call.flow.snapshot };
  }
}

function damaged({ path, message }: SnapshotFault): FlowError {
  return new FlowError('SnapLoadError', `The snapshot cannot be used: at ${path || 'its root'}, ${message}.`, { details: { path } });
}
