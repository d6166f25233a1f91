import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import type { NodeKind } from '#shared/flow/document.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { nodeIdOf } from '#shared/flow/graph.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { newBody } from './body-types.ts';
import { type EditPlan, refuse } from './edit-plan.ts';
import { type InnerFlow, listSchema } from './inner-flow.ts';
import { freshState, isOpenSchema, openSchema, stateNames } from './states.ts';
import { texts } from './texts.ts';

/** A node to add. */
export interface NewNode {
  readonly kind: NodeKind;
  /** Middle of its card's left edge, in canvas pixels. */
  readonly at: { readonly x: number; readonly y: number };
  /** The state to consume (for a wire dropped from an output) … */
  readonly consumes?: string;
  /** … or to produce (for a wire dropped from an input). */
  readonly produces?: string;
  /** The tool that a `work` node calls. */
  readonly tool?: string;
  /** Its arguments. */
  readonly with?: JsonObject;
  /** The body of a `work` node; without it, the node passes its input through. */
  readonly body?: 'run' | 'expr';
  /** The model of an `agent` node; without it, a script. */
  readonly model?: string;
  /** A flow file for `flow` and `each`, relative to the document's folder. */
  readonly file?: string;
  /** Input and output of that file, if it can be read. */
  readonly inner?: InnerFlow;
}

/** Plans a node of a kind with new states, so that it can be drawn, wired and renamed at once. */
export function addNode(flow: ReadableFlow, added: NewNode): EditPlan {
  const { kind, at, consumes, produces, tool, file, body, inner, model = 'script://model.json' } = added;
  if (kindFacts[kind].runs_flow && !file) return refuse(texts.chooseFlow);
  if (kind === 'flow') return addNestedFlow(flow, added);
  const taken = stateNames(flow);
  const isFirst = flow.length === 0;
  const from = consumes ?? (isFirst ? flow.input : freshState(kind === 'each' ? 'Items' : 'State', taken));
  const second = kind === 'join' ? freshState('Other', taken) : null;
  const to = producedStates(kind, produces ?? (isFirst ? flow.output : null), taken);
  const consumed = second === null ? [from] : [from, second];
  const node: Record<string, Json> = { kind, from: second === null ? from : consumed, to: to.length === 1 ? (to[0] as string) : to };
  if (kind === 'agent') node.agent = { model, prompt: '' };
  if (kind === 'either') node.expr = 'true';
  if (kind === 'each') node.flow = file ?? '';
  if (body === 'run') node.run = newBody({ index: flow.length, path: '', kind, id: from, from: consumed, to, raw: {} });
  if (body === 'expr') node.expr = 'input';
  if (tool !== undefined) {
    node.tool = tool;
    node.with = added.with ?? {};
  }
  const edits: FlowEdit[] = [{ type: 'insert', path: ['nodes', flow.length], value: node }];
  for (const state of [...consumed, ...to]) {
    if (!Object.hasOwn(flow.schemas, state)) edits.push({ type: 'set', path: ['schemas', state], value: openSchema });
  }
  if (kind === 'each') edits.push(...lists(flow, from, to[0] as string, inner));
  const key = freeKey(flow, nodeIdOf(consumed));
  return { ok: true, label: texts.addNode(kindLooks[kind].label), edits, places: { [key]: at }, select: [key] };
}

/**
 * Plans a node that runs another flow. It has the states of that flow, so the state to consume or produce is renamed to
 * that flow's name if it has no specific schema and the name is free; otherwise it stays unconnected.
 */
function addNestedFlow(flow: ReadableFlow, { at, file = '', consumes, produces, inner }: NewNode): EditPlan {
  const edits: FlowEdit[] = [];
  const taken = stateNames(flow);
  const takeName = (state: string | undefined, name: string | undefined) => {
    if (state === undefined || name === undefined || state === name || taken.has(name)) return;
    if (Object.hasOwn(flow.schemas, state) && !isOpenSchema(flow.schemas[state])) return;
    edits.push({ type: 'rename_state', from: state, to: name }, { type: 'remove', path: ['schemas', name] });
    taken.add(name);
  };
  const isFirst = flow.length === 0;
  takeName(consumes ?? (isFirst ? flow.input : undefined), inner?.input);
  takeName(produces ?? (isFirst ? flow.output : undefined), inner?.output);
  edits.push({ type: 'insert', path: ['nodes', flow.length], value: { kind: 'flow', flow: file } });
  const key = freeKey(flow, inner?.input ?? file);
  return { ok: true, label: texts.addNestedFlow, edits, places: { [key]: at }, select: [key] };
}

/** The edits that turn the states of an `each` node into lists, unless they have a specific schema. */
function lists(flow: ReadableFlow, from: string, to: string, inner: InnerFlow | undefined): FlowEdit[] {
  const ends = [
    [from, inner?.input],
    [to, inner?.output],
  ] as const;
  return ends.flatMap(([state, item]): FlowEdit[] => {
    if (Object.hasOwn(flow.schemas, state) && !isOpenSchema(flow.schemas[state])) return [];
    return [{ type: 'set', path: ['schemas', state], value: listSchema(item === undefined ? undefined : inner?.schemas[item]) }];
  });
}

/** The canvas key of a new node with this id. */
function freeKey(flow: ReadableFlow, id: string): string {
  const count = flow.nodes.filter((node) => node.id === id).length;
  return count === 0 ? id : `${id}#${count + 1}`;
}

function producedStates(kind: NodeKind, produced: string | null, taken: Set<string>): string[] {
  const [first, ...others] = stateNamesOf(kind);
  return [produced ?? freshState(first, taken), ...others.map((name) => freshState(name, taken))];
}

/** Names for the states that a new node of a kind produces. */
function stateNamesOf(kind: NodeKind): readonly [string, ...string[]] {
  switch (kind) {
    case 'either':
      return ['Yes', 'No'];
    case 'fork':
      return ['First', 'Second'];
    case 'suspend':
      return ['Decision'];
    case 'each':
      return ['Results'];
    case 'work':
    case 'join':
    case 'agent':
    case 'flow':
      return ['Result'];
  }
}
