import type { OutlineNode } from '#shared/flow/outline.ts';

/** The nodes that produce and consume each state, in document order. */
export interface StateIndex {
  readonly producers: ReadonlyMap<string, readonly OutlineNode[]>;
  readonly consumers: ReadonlyMap<string, readonly OutlineNode[]>;
  /** States that are produced but not consumed, in the order of their first producer. */
  readonly terminals: readonly string[];
}

export function indexStates(nodes: readonly OutlineNode[]): StateIndex {
  const producers = new Map<string, OutlineNode[]>();
  const consumers = new Map<string, OutlineNode[]>();
  const add = (map: Map<string, OutlineNode[]>, names: readonly string[], node: OutlineNode) => {
    for (const name of new Set(names)) {
      const list = map.get(name);
      if (list) list.push(node);
      else map.set(name, [node]);
    }
  };
  for (const node of nodes) {
    add(consumers, node.from, node);
    add(producers, node.to, node);
  }
  return { producers, consumers, terminals: [...producers.keys()].filter((name) => !consumers.has(name)) };
}
