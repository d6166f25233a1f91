import type { FlowPlan } from '#main/runtime/plan.ts';
import { compileSchema } from '#main/runtime/schema-validator.ts';
import { settleValue } from '#main/runtime/settle-value.ts';
import { snapshotSchema } from '#main/runtime/snapshot-schema.ts';
import { type Json, jsonPointer } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import type { Snapshot } from '#shared/runtime/snapshot.ts';

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
  checkStates(plan, snapshot);
  checkNames(plan, snapshot);
}

function checkStates(plan: FlowPlan, { states }: Snapshot): void {
  const seen = new Set<string>();
  states.forEach(({ name, value }, index) => {
    const state = plan.states.get(name);
    if (!state) throw damaged(jsonPointer(['states', index, 'name']), `the flow has no state ${name}`);
    if (seen.has(name)) throw damaged(jsonPointer(['states', index, 'name']), `${name} is there twice`);
    seen.add(name);
    const violation = state.check(value);
    if (violation) throw damaged(jsonPointer(['states', index, 'value']) + violation.path, `it is no ${name}: ${violation.message}`);
  });
  if (states.length === 0) throw damaged('/states', 'there is no state');
}

function checkNames(plan: FlowPlan, { control }: Snapshot): void {
  const known = (node: string, path: readonly (string | number)[]): void => {
    if (!plan.nodes.has(node)) throw damaged(jsonPointer(path), `the flow has no node ${node}`);
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

function damaged(path: string, message: string): FlowError {
  return new FlowError('SnapLoadError', `The snapshot cannot be used: at ${path || 'its root'}, ${message}.`, { details: { path } });
}
