import { flowPathFrom, flowPathIn } from '#renderer/document/graph/flow-path.ts';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { nodeIdOf } from '#shared/flow/graph.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { renamedSide } from './clipboard.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { freshState, openSchema, stateNames } from './states.ts';
import { texts } from './texts.ts';

/** A flow and the workspace path of its file. */
export interface FlowAt {
  readonly path: string;
  readonly flow: ReadableFlow;
}

/** A plan, and the keys of the inner flow's nodes in the outer flow. */
export interface UnpackPlan {
  readonly plan: EditPlan;
  /** Keys of the unpacked nodes by their keys in the inner flow. */
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Plans replacing a node by the nodes of the nested flow that it runs. The two shared states keep their names; inner
 * states get new names if theirs are taken. File paths become relative to the outer flow's folder.
 */
export function unpackFlow(outer: FlowAt, index: number, inner: FlowAt): UnpackPlan {
  const node = outer.flow.nodes.find((candidate) => candidate.index === index);
  const refused = (reason: string): UnpackPlan => ({ plan: refuse(reason), keys: new Map() });
  if (node?.kind !== 'flow') return refused(texts.unpack.notNested);
  if (inner.flow.nodes.length !== inner.flow.length) return refused(texts.unpack.unreadable(inner.path));
  const { input, output } = inner.flow;
  for (const state of [input, output]) {
    const [ours, theirs] = [outer.flow.schemas[state], inner.flow.schemas[state]];
    if (ours !== undefined && theirs !== undefined && !schemasAgree(ours, theirs))
      return refused(texts.unpack.differentSchemas(state, inner.path));
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
  return { plan: { ok: true, label: texts.unpack.label(inner.path), edits, select: [...keys.values()] }, keys };
}

/** A node with its file paths relative to another document's folder. */
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
