import { isJsonObject, type JsonObject } from '#shared/json.ts';
import type { GraphView, WireView } from './graph-view.ts';
import type { ReadableFlow } from './readable-flow.ts';

/** Nodes of a session that belong together: the branches between a fork and its last join, or a loop. */
export interface Region {
  readonly key: string;
  readonly type: 'parallel' | 'wave' | 'loop';
  /** The agent's name; of a wave its state. */
  readonly name: string;
  /** Keys of its nodes. */
  readonly nodes: readonly string[];
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
      return [{ key: node.key, type, name, nodes: parallelNodes(node.key, sessions, out) }];
    }
    if (session?.check !== 'round') return [];
    return [{ key: node.key, type: 'loop', name: String(session.leave), nodes: loopNodes(node.key, out, into) }];
  });
  return regions.sort((one, other) => other.nodes.length - one.nodes.length);
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
  return [...before];
}

function reached(starts: readonly string[], next: (key: string) => readonly string[]): Set<string> {
  const seen = new Set(starts);
  for (const key of seen) for (const other of next(key)) seen.add(other);
  return seen;
}
