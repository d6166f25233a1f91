import { enclosingItem, nodeInside } from '#main/runtime/place.ts';
import { type FlowPlan, type NodePlan, planOf, type StatePlan } from '#main/runtime/plan.ts';
import { compileSchema } from '#main/runtime/schema-validator.ts';
import { settleValue } from '#main/runtime/settle-value.ts';
import { snapshotSchema } from '#main/runtime/snapshot-schema.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import { type Json, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import type { Snapshot } from '#shared/runtime/snapshot.ts';

type Path = readonly (string | number)[];

/** Checks a snapshot's form, names and values against the flow, and freezes it. Throws `FlowError` `SnapLoadError` with the path. */
export function checkSnapshot(plan: FlowPlan, snapshot: Snapshot, acceptChangedFlow: boolean): void {
  const json = snapshot as unknown as Json;
  const impurity = settleValue(json);
  if (impurity) throw damaged(impurity.path, `it holds ${impurity.message}`);
  const violation = compileSchema(snapshotSchema)(json);
  if (violation) throw damaged(violation.path, violation.message);
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
  if (snapshot.states.length === 0) throw damaged('/states', 'there is no state');
  checkStates(plan, snapshot.states);
  checkNames(plan, snapshot);
  checkFrames(plan, snapshot);
  checkCalledFlows(plan, snapshot, acceptChangedFlow);
}

function checkStates(plan: FlowPlan, states: readonly NamedState[], path: Path = []): void {
  const seen = new Set<string>();
  states.forEach(({ name, value }, index) => {
    const at = [...path, 'states', index];
    const state = plan.states.get(name);
    if (!state) throw damaged(jsonPointer([...at, 'name']), `the flow has no state ${name}`);
    if (seen.has(name)) throw damaged(jsonPointer([...at, 'name']), `${name} is there twice`);
    seen.add(name);
    checkValue(state, value, [...at, 'value']);
  });
}

function checkValue(state: StatePlan, value: Json, path: Path): void {
  const violation = state.check(value);
  if (violation) throw damaged(jsonPointer(path) + violation.path, `it is no ${state.name}: ${violation.message}`);
}

function checkNames(plan: FlowPlan, { control }: Snapshot): void {
  const known = (node: string, path: Path): void => {
    if (!nodeInside(plan, node)) throw damaged(jsonPointer(path), `the flow has no node ${node}`);
  };
  for (const part of ['agents', 'handlers', 'frames', 'script_positions'] as const) {
    for (const node of Object.keys(control[part])) known(node, ['control', part, node]);
  }
  control.suspensions.forEach(({ node }, index) => {
    known(node, ['control', 'suspensions', index, 'node']);
  });
  control.answers.forEach(({ suspension }, index) => {
    known(suspension.node, ['control', 'answers', index, 'suspension', 'node']);
  });
}

/** A frame must be of an `each` node whose list waits, and no further than that list is long. */
function checkFrames(plan: FlowPlan, { states, control: { frames } }: Snapshot): void {
  for (const [id, frame] of Object.entries(frames)) {
    const path = ['control', 'frames', id];
    const { node, each: inner } = nodeInside(plan, id) as NodePlan;
    if (!inner) throw damaged(jsonPointer(path), `${id} is no each node`);
    const item = enclosingItem(id);
    const outer = item && Object.hasOwn(frames, item.each) ? frames[item.each] : undefined;
    if (item && outer?.index !== item.index) throw damaged(jsonPointer(path), `${item.each} is not at its item ${item.index}`);
    const list = (outer?.states ?? states).find(({ name }) => name === node.from[0])?.value;
    if (!Array.isArray(list)) throw damaged(jsonPointer(path), `no list waits for ${id}`);
    if (frame.index > list.length || frame.results.length !== frame.index)
      throw damaged(jsonPointer([...path, 'index']), `it does not go with ${list.length} items and ${frame.results.length} results`);
    checkStates(inner, frame.states, path);
    frame.results.forEach((result, index) => {
      checkValue(inner.terminal, result, [...path, 'results', index]);
    });
  }
}

/** A flow that is called as a tool and waits is a run of its own inside the call. */
function checkCalledFlows(plan: FlowPlan, { control }: Snapshot, acceptChangedFlow: boolean): void {
  const calls = [
    ...Object.entries(control.agents).flatMap(([node, { pending }]) => pending.map((call) => ({ node, call }))),
    ...Object.entries(control.handlers).flatMap(([node, state]) => state.calls.map((call) => ({ node, call }))),
  ];
  for (const { node, call } of calls) {
    if (!call.flow) continue;
    const tool = nodeInside(plan, node)?.flowTools.get(call.tool);
    if (!tool) throw damaged('/control', `${node} calls no flow ${call.tool}`);
    checkSnapshot(planOf(tool.graph), call.flow.snapshot, acceptChangedFlow);
  }
}

function damaged(path: string, message: string): FlowError {
  return new FlowError('SnapLoadError', `The snapshot cannot be used: at ${path || 'its root'}, ${message}.`, { details: { path } });
}
