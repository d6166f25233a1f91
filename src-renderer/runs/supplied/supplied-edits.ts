import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import type { Mock, Pin, Supplied } from '#shared/contract/supplied.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import type { RecordPlace } from '#shared/run/supplied.ts';

/** What a pin needs to know of a node. */
export type PinnedNode = Pick<NodeView, 'id' | 'kind' | 'outputs'>;

export function isOn({ enabled }: Supplied): boolean {
  return enabled !== false;
}

/** The pin or mock turned on or off. */
export function switched<Item extends Supplied>({ enabled: _enabled, ...item }: Item, on: boolean): Item {
  return (on ? item : { ...item, enabled: false }) as Item;
}

/** Returns the pin of a node, if it has one. */
export function pinOf(supplied: readonly Supplied[], flow: string, node: string): Pin | undefined {
  return supplied.find((each): each is Pin => each.kind === 'pin' && each.flow === flow && each.node === node);
}

/** Returns the mock of a tool, or of the model of one node. */
export function mockOf(supplied: readonly Supplied[], of: MockSubject): Mock | undefined {
  return supplied.find((each): each is Mock => {
    if (each.kind === 'tool') return of.kind === 'tool' && each.tool === of.tool && each.node === undefined;
    return each.kind === 'model' && of.kind === 'model' && each.flow === of.flow && each.node === of.node;
  });
}

/** Whose calls a mock answers. */
export type MockSubject =
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'model'; readonly flow: string; readonly node: string };

/** Returns a mock without rules that answers these calls. */
export function newMock(subject: MockSubject, id: string): Mock {
  if (subject.kind === 'tool') return { id, kind: 'tool', tool: subject.tool, rules: [] };
  return { id, kind: 'model', model: '*', flow: subject.flow, node: subject.node, rules: [] };
}

/** Returns a pin of what a node has produced in a run. */
export function pinOfOutput(flow: string, node: PinnedNode, output: readonly NamedState[], from: RecordPlace, id: string): Pin | null {
  const common = { id, kind: 'pin', flow, node: node.id, from } as const;
  const states = output.map(({ name, value }) => ({ state: ownState(node, name), value }));
  if (node.kind === 'fork') return { ...common, value: Object.fromEntries(states.map(({ state, value }) => [state, value])) };
  const [first] = states;
  if (!first) return null;
  return { ...common, value: first.value, ...(node.outputs.length > 1 && { branch: first.state }) };
}

/** The name of a state in its own file: in a run, names of inner flows begin with the flow's input. */
function ownState({ outputs }: PinnedNode, name: string): string {
  const own = outputs.find(({ state }) => state === name) ?? outputs.find(({ state }) => name.endsWith(`::${state}`));
  return own?.state ?? outputs[0]?.state ?? name;
}

/** The schema of a pin's value: of a fork, of an object with a value for each state. */
export function valueSchema(
  { kind, outputs }: PinnedNode,
  branch: string | undefined,
  schemas: Readonly<Record<string, Json>>,
): JsonSchema {
  const of = (state: string | undefined): Json => (state === undefined ? true : (schemas[state] ?? true));
  if (kind !== 'fork') return asSchema(of(branch ?? outputs[0]?.state));
  const names = outputs.map(({ state }) => state);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, of(name)])), required: names };
}

function asSchema(value: Json): JsonSchema {
  return isJsonObject(value) || typeof value === 'boolean' ? value : true;
}
