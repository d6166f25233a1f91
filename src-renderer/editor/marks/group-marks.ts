import { membersOf } from '#renderer/document/layout/groups.ts';
import { type CanvasLayer, type LayerMark, wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { NodeMark, RunMarks } from '#renderer/runs/model/run-marks.ts';
import { texts } from './texts.ts';

/** Statuses of a node in a folded group, the one that its card shows first. */
const order: readonly NodeMark['status'][] = ['failed', 'waiting', 'running', 'next', 'ran'];

/**
 * The mark of a node, or of a folded group: what its most urgent node does, how often its nodes ran, and how many of them did.
 * The same object for as long as the marks are.
 */
export function markOf({ nodes }: Pick<RunMarks, 'nodes'>, id: string): NodeMark | undefined {
  return nodes[id] ?? groupMark(nodes, id);
}

/** How many nodes of a folded group have run, such as `2/3`; undefined for a node. */
export function ranInGroup({ nodes }: Pick<RunMarks, 'nodes'>, id: string): string | undefined {
  const members = membersOf(id);
  return members.length === 0
    ? undefined
    : texts.group.taken(members.filter((member) => (nodes[member]?.count ?? 0) > 0).length, members.length);
}

/** What a layer says of a node, or of a folded group: of its node with the most, and of coverage how many have run. */
export function layerMarkOf(layer: CanvasLayer, id: string): LayerMark | undefined {
  return layer.nodes[id] ?? groupLayerMark(layer, id);
}

/** What a layer says of a wire that comes from a node or from a folded group. */
export function wireMarkOf({ wires }: CanvasLayer, source: string, state: string): LayerMark | undefined {
  if (!wires) return undefined;
  const from = [source, ...membersOf(source)].find((node) => wires[wireKey(node, state)] !== undefined);
  return from === undefined ? undefined : wires[wireKey(from, state)];
}

const groupMark = remembered((nodes: RunMarks['nodes'], members): NodeMark | undefined => {
  const marks = members.flatMap((member) => nodes[member] ?? []);
  const [best] = [...marks].sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
  if (!best) return undefined;
  const { detail: _ofOneNode, ...mark } = best;
  const ran = marks.filter(({ count }) => count > 0).length;
  return { ...mark, count: marks.reduce((sum, { count }) => sum + count, 0), ran: texts.group.ran(ran, members.length) };
});

const groupLayerMark = remembered(({ kind, nodes }: CanvasLayer, members): LayerMark | undefined => {
  const marks = members.flatMap((member) => nodes[member] ?? []);
  const [most] = [...marks].sort((one, other) => other.level - one.level);
  if (!most || kind === 'lineage') return most;
  if (kind !== 'coverage') return { ...most, title: texts.group.most(most.title) };
  const [taken, all] = [marks.filter(({ level }) => level > 0).length, members.length];
  return { text: texts.group.taken(taken, all), level: taken < all ? 0 : most.level, title: texts.group.takenTitle(taken, all) };
});

/** Makes a value for a folded group once for each object that it is read from. */
function remembered<From extends object, Value>(make: (from: From, members: readonly string[]) => Value) {
  const known = new WeakMap<From, Map<string, { readonly members: readonly string[]; readonly value: Value }>>();
  return (from: From, id: string): Value | undefined => {
    const members = membersOf(id);
    if (members.length === 0) return undefined;
    const values = known.get(from) ?? new Map<string, { readonly members: readonly string[]; readonly value: Value }>();
    known.set(from, values);
    const before = values.get(id);
    if (before?.members === members) return before.value;
    const value = make(from, members);
    values.set(id, { members, value });
    return value;
  };
}
