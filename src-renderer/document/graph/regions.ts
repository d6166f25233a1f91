import { isJsonObject, type JsonObject } from '#shared/json.ts';
import type { GraphView, WireView } from './graph-view.ts';
import type { ReadableFlow } from './readable-flow.ts';

/** Nodes of a session that belong together: the branches between a fork and its last join, a loop, or a nested sequence. */
export interface Region {
  /** Unique among the regions of a flow. */
  readonly key: string;
  readonly type: 'parallel' | 'wave' | 'loop' | 'sequential';
  /** The agent's name; of a wave its state. */
  readonly name: string;
  /** Keys of its nodes. It begins at the first one. */
  readonly nodes: readonly string[];
}

const prefix = 'region:';

/** The id of the group that a region is folded as. */
export const regionGroup = (key: string): string => `${prefix}${key}`;

/** The key of the region that a group folds. */
export const regionOfGroup = (id: string): string => id.slice(prefix.length);

/** Whether a group is a region of a workflow, and not the user's own. */
export function isRegionGroup(id: string): boolean {
  return id.startsWith(prefix);
}

/** The regions of a flow whose states are sessions, outer ones first. Empty for any other flow. */
export function regionsOf(flow: ReadableFlow, view: GraphView): readonly Region[] {
  const sessions = new Map<string, JsonObject>();
  const raw = new Map(flow.nodes.map((node) => [node.index, node.raw]));
  for (const node of view.nodes) {
    const session = raw.get(node.index)?.session;
    if (isJsonObject(session)) sessions.set(node.key, session);
  }
  if (sessions.size === 0) return [];
  const out = Map.groupBy(view.wires, (wire) => wire.source);
  const into = Map.groupBy(view.wires, (wire) => wire.target);
  const regions = view.nodes.flatMap((node): Region[] => {
    const session = sessions.get(node.key);
    if (Array.isArray(session?.branches)) {
      const [type, name] = typeof session.of === 'string' ? (['parallel', session.of] as const) : (['wave', node.id] as const);
      return [{ key: `${type} ${name}`, type, name, nodes: parallelNodes(node.key, sessions, out) }];
    }
    if (session?.check !== 'round') return [];
    const name = String(session.leave);
    return [{ key: `loop ${name}`, type: 'loop', name, nodes: loopNodes(node.key, out, into) }];
  });
  return [...regions, ...sequencesOf(flow, view)].sort((one, other) => other.nodes.length - one.nodes.length);
}

/** The nested sequences of an imported workflow. A node that was removed since is left out. */
function sequencesOf({ sequences = {} }: ReadableFlow, view: GraphView): Region[] {
  const keys = new Map(view.nodes.map(({ id, key }) => [id, key]));
  return Object.entries(sequences).flatMap(([name, ids]): Region[] => {
    const nodes = Array.isArray(ids) ? ids.flatMap((id) => (typeof id === 'string' ? (keys.get(id) ?? []) : [])) : [];
    return nodes.length > 0 ? [{ key: `sequential ${name}`, type: 'sequential', name, nodes }] : [];
  });
}

type Wires = ReadonlyMap<string, readonly WireView[]>;

/** From a fork to the last join of its cascade, nested regions included. */
function parallelNodes(fork: string, sessions: ReadonlyMap<string, JsonObject>, out: Wires): string[] {
  const depths = new Map<string, number>([[fork, 0]]);
  const open = [fork];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const session = sessions.get(key);
    const depth = (depths.get(key) ?? 0) + (Array.isArray(session?.branches) ? 1 : session?.merge === 'last' ? -1 : 0);
    if (depth === 0) continue;
    for (const { target } of out.get(key) ?? []) {
      if (depths.has(target)) continue;
      depths.set(target, depth);
      open.push(target);
    }
  }
  return [...depths.keys()];
}

/** What lies on the way around a loop, from the right branch of the `either` that goes round back to it. */
function loopNodes(again: string, out: Wires, into: Wires): string[] {
  const starts = (out.get(again) ?? []).filter((wire) => wire.source_port === 1).map((wire) => wire.target);
  const after = reached(starts, (key) => (key === again ? [] : (out.get(key) ?? []).map((wire) => wire.target)));
  const before = reached([again], (key) => (into.get(key) ?? []).map((wire) => wire.source).filter((source) => after.has(source)));
  return [...new Set([...starts, ...before])];
}

function reached(starts: readonly string[], next: (key: string) => readonly string[]): Set<string> {
  const seen = new Set(starts);
  for (const key of seen) for (const other of next(key)) seen.add(other);
  return seen;
}
