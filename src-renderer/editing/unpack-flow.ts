import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { flowPathFrom, flowPathIn } from '#renderer/library/flow-path.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { nodeIdOf } from '#shared/flow/graph.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { renamedSide } from './clipboard.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { freshState, openSchema, stateNames } from './states.ts';

/** A flow, and where its file is in the workspace. */
export interface FlowAt {
  readonly path: string;
  readonly flow: ReadableFlow;
}

/** A plan, and the names under which the inner flow's nodes stand in the outer one. */
export interface UnpackPlan {
  readonly plan: EditPlan;
  /** Keys of the unpacked nodes by their keys in the inner flow. */
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Plans the nodes of a nested flow in place of the node that runs it. The two states that both flows share keep their names; the inner ones
 * get fresh ones where theirs are taken. Files that nodes name are named from the outer flow's folder.
 */
export function unpackFlow(outer: FlowAt, index: number, inner: FlowAt): UnpackPlan {
  const node = outer.flow.nodes.find((candidate) => candidate.index === index);
  const none = (reason: string): UnpackPlan => ({ plan: refuse(reason), keys: new Map() });
  if (node?.kind !== 'flow') return none('Select a nested flow to unpack it. An each runs its flow many times and stays as it is.');
  if (inner.flow.nodes.length !== inner.flow.length) return none(`Some nodes of ${inner.path} cannot be read. Mend it first.`);
  const { input, output } = inner.flow;
  for (const state of [input, output]) {
    const [ours, theirs] = [outer.flow.schemas[state], inner.flow.schemas[state]];
    if (ours !== undefined && theirs !== undefined && !schemasAgree(ours, theirs))
      return none(`The schema ${state} here differs from that of ${inner.path}. Make them equal first.`);
  }

  const taken = stateNames(outer.flow);
  const names = new Map<string, string>([
    [input, input],
    [output, output],
  ]);
  for (const state of stateNames(inner.flow)) if (!names.has(state)) names.set(state, freshState(state, taken));

  const edits: FlowEdit[] = [{ type: 'remove', path: ['nodes', index] }];
  const keys = new Map<string, string>();
  inner.flow.nodes.forEach((each, position) => {
    const raw = { ...each.raw, ...renamedSide(each.raw, 'from', names), ...renamedSide(each.raw, 'to', names) };
    edits.push({ type: 'insert', path: ['nodes', index + position], value: withFilesFrom(raw, inner.path, outer.path) });
    keys.set(each.id, each.kind === 'flow' ? each.id : nodeIdOf(each.from.map((state) => names.get(state) ?? state)));
  });
  for (const [state, name] of names) {
    if (!Object.hasOwn(outer.flow.schemas, name))
      edits.push({ type: 'set', path: ['schemas', name], value: inner.flow.schemas[state] ?? openSchema });
  }
  return { plan: { ok: true, label: `Unpack ${inner.path}`, edits, select: [...keys.values()] }, keys };
}

/** A node whose files are named from another document's folder. */
function withFilesFrom(raw: JsonObject, from: string, to: string): JsonObject {
  const moved: Record<string, Json> = {};
  for (const key of ['flow', 'run_file', 'module']) {
    const named = raw[key];
    const path = typeof named === 'string' ? flowPathIn(from, named) : null;
    if (path !== null && folderOf(from) !== folderOf(to)) moved[key] = flowPathFrom(to, path);
  }
  return { ...raw, ...moved };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
