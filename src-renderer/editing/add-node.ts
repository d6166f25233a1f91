import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { modelsStore } from '#renderer/stores/models.ts';
import type { NodeKind } from '#shared/flow/document.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { nodeIdOf } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { freshState, openSchema, stateNames } from './states.ts';

interface NewNode {
  readonly kind: NodeKind;
  /** Middle of its card's left edge, in canvas pixels. */
  readonly at: { readonly x: number; readonly y: number };
  /** A state that it is to consume (a wire dropped from an output) … */
  readonly consumes?: string;
  /** … or to produce (a wire dropped from an input). */
  readonly produces?: string;
  /** A tool whose call is the body of a `work` node. */
  readonly tool?: string;
  /** A flow file for `flow` and `each`, relative to the document's folder. */
  readonly file?: string;
}

/** Plans a node of a kind with fresh states around it, so that it can be drawn, wired and renamed at once. */
export function addNode(flow: ReadableFlow, { kind, at, consumes, produces, tool, file }: NewNode): EditPlan {
  if ((kind === 'flow' || kind === 'each') && !file) return refuse('Choose the flow that this node runs: drag one from the Flows list.');
  if (kind === 'flow') {
    return {
      ok: true,
      label: 'Add nested flow',
      edits: [{ type: 'insert', path: ['nodes', flow.length], value: { kind, flow: file ?? '' } }],
      select: [],
    };
  }
  const taken = stateNames(flow);
  const isFirst = flow.length === 0;
  const from = consumes ?? (isFirst ? flow.input : freshState('State', taken));
  const second = kind === 'join' ? freshState('Other', taken) : null;
  const to = producedStates(kind, produces ?? (isFirst ? flow.output : null), taken);
  const consumed = second === null ? [from] : [from, second];
  const node: Record<string, Json> = { kind, from: second === null ? from : consumed, to: to.length === 1 ? (to[0] as string) : to };
  if (kind === 'agent') node.agent = { model: modelsStore.getState().overview?.default_model ?? 'script://model.json', prompt: '' };
  if (kind === 'either') node.expr = 'true';
  if (kind === 'each') node.flow = file ?? '';
  if (tool !== undefined) {
    node.tool = tool;
    node.with = {};
  }
  const edits: FlowEdit[] = [{ type: 'insert', path: ['nodes', flow.length], value: node }];
  for (const state of [...consumed, ...to]) {
    if (!Object.hasOwn(flow.schemas, state)) edits.push({ type: 'set', path: ['schemas', state], value: openSchema });
  }
  const key = nodeIdOf(consumed);
  return { ok: true, label: `Add ${kind}`, edits, places: { [key]: at }, select: [key] };
}

function producedStates(kind: NodeKind, produced: string | null, taken: Set<string>): string[] {
  if (kind === 'either') return [produced ?? freshState('Yes', taken), freshState('No', taken)];
  if (kind === 'fork') return [produced ?? freshState('First', taken), freshState('Second', taken)];
  return [produced ?? freshState(kind === 'suspend' ? 'Decision' : 'Result', taken)];
}
