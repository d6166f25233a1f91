import type { DocumentNode } from '#shared/flow/document.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { CompiledNode } from './compiler.ts';

/** The keys that some path to a state writes, each with its writers and what they write. */
export type Written = ReadonlyMap<string, ReadonlyMap<string, JsonSchema>>;

/** The inner maps are shared between states, and copied when one changes. */
type Writers = Map<string, ReadonlyMap<string, JsonSchema>>;

/** For each state, the keys that may have been written by then. `start` is the first state. */
export function keysWritten(nodes: readonly CompiledNode[], start: string): ReadonlyMap<string, Written> {
  const consumers = new Map<string, CompiledNode[]>();
  for (const each of nodes) for (const state of statesOf(each.node, 'from')) consumers.set(state, [...(consumers.get(state) ?? []), each]);
  const written = new Map<string, Writers>([[start, new Map()]]);
  const open = [start];
  for (let state = open.shift(); state !== undefined; state = open.shift()) {
    for (const { node, writes } of consumers.get(state) ?? []) {
      const after: Writers = new Map(written.get(state));
      if (writes) addWriter(after, writes.key, writes.agent, writes.schema);
      for (const next of statesOf(node, 'to')) if (mergeInto(written, next, after) && !open.includes(next)) open.push(next);
    }
  }
  return written;
}

/** The states that a node consumes or produces. */
export function statesOf(node: DocumentNode, side: 'from' | 'to'): readonly string[] {
  const value = side in node ? (node as Record<'from' | 'to', string | string[]>)[side] : [];
  return typeof value === 'string' ? [value] : value;
}

function addWriter(writers: Writers, key: string, agent: string, schema: JsonSchema): void {
  writers.set(key, new Map(writers.get(key)).set(agent, schema));
}

/** Adds what is written before a state. Returns whether the state was new or anything was. */
function mergeInto(written: Map<string, Writers>, state: string, before: Writers): boolean {
  const known = written.get(state);
  if (!known) {
    written.set(state, new Map(before));
    return true;
  }
  let changed = false;
  for (const [key, agents] of before) {
    if (known.get(key) === agents) continue;
    for (const [agent, schema] of agents) {
      if (known.get(key)?.has(agent)) continue;
      addWriter(known, key, agent, schema);
      changed = true;
    }
  }
  return changed;
}

/** The engine's id of a node: what it consumes. */
export function idOf(node: DocumentNode): string {
  return statesOf(node, 'from').join('+');
}
