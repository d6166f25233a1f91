import type { Deed, ForeignEdge, ForeignNode } from './foreign-graph.ts';
import { topological } from './graph-order.ts';

/** Nodes and edges that replace some of a graph's. */
export interface Rewritten {
  readonly nodes: readonly ForeignNode[];
  readonly edges: readonly ForeignEdge[];
  readonly first: string;
}

/**
 * Puts nodes that do not form parallel branches in one order, each after all that lead to it. A node that would not always run is preceded by a
 * choice that skips it. Null if the nodes form a loop. `begins` are those that run in any case, `exit` is what follows.
 */
export function oneAfterAnother(
  inside: ReadonlySet<string>,
  begins: readonly string[],
  exit: string,
  nodes: ReadonlyMap<string, ForeignNode>,
  edges: readonly ForeignEdge[],
  /** Whether the nodes may run again in a later round, so that what they left must be cleared. */
  repeated: boolean,
): Rewritten | null {
  const successors = new Map<string, string[]>();
  for (const { from, to } of edges) if (inside.has(from)) successors.set(from, [...(successors.get(from) ?? []), to]);
  const order = topological(inside, successors);
  if (!order) return null;
  const always = new Set(begins.filter((id) => inside.has(id)));
  const chain: { node: ForeignNode; skip?: ForeignNode }[] = [];
  const keys: string[] = [];
  for (const id of order) {
    const node = nodes.get(id);
    if (!node) continue;
    const into = edges.filter(({ from, to }) => to === id && inside.has(from));
    if (into.some(({ from }) => always.has(from) && nodes.get(from)?.does.kind !== 'choice')) always.add(id);
    keys.push(node.key);
    const kept = { ...node, does: leavingTrace(node) };
    chain.push(always.has(id) ? { node: kept } : { node: kept, skip: skipUnless(node, into, nodes) });
  }
  if (repeated) chain.unshift({ node: clearing(keys) });
  return linked(chain, exit);
}

/** A choice becomes code that stores which way it would go; whatever stores nothing stores `true`. */
function leavingTrace({ does, key }: ForeignNode): Deed {
  if (does.kind === 'choice') {
    const code = does.cases.reduceRight(
      (rest, { output, when }) => `(${when}) ? ${JSON.stringify(output)} : ${rest}`,
      JSON.stringify(does.otherwise),
    );
    return { kind: 'code', code, schema: { type: 'string' } };
  }
  if (does.kind === 'pass') return { kind: 'code', code: 'true', schema: true };
  if (does.kind === 'change') return { kind: 'change', code: `({ ...(${does.code}), ${key}: true })`, keys: { ...does.keys, [key]: true } };
  return does;
}

function skipUnless(node: ForeignNode, into: readonly ForeignEdge[], nodes: ReadonlyMap<string, ForeignNode>): ForeignNode {
  const reached = into.flatMap(({ from, output }) => {
    const before = nodes.get(from);
    if (!before) return [];
    return before.does.kind === 'choice' ? `data.${before.key} === ${JSON.stringify(output)}` : `data.${before.key} !== undefined`;
  });
  const when = reached.join(' || ') || 'false';
  return {
    id: `${node.id}$if`,
    title: `If ${node.title}`,
    key: `${node.key}_reached`,
    does: { kind: 'choice', cases: [{ output: 'run', when }], otherwise: 'skip' },
  };
}

function clearing(keys: readonly string[]): ForeignNode {
  const code = `Object.fromEntries(Object.entries(data).filter(([key]) => !${JSON.stringify(keys)}.includes(key)))`;
  return { id: `$clear ${keys[0]}`, title: 'Begin a round', key: `${keys[0]}_cleared`, does: { kind: 'change', code, keys: {} } };
}

function linked(chain: readonly { node: ForeignNode; skip?: ForeignNode }[], exit: string): Rewritten | null {
  const nodes: ForeignNode[] = [];
  const edges: ForeignEdge[] = [];
  let next = exit;
  for (const { node, skip } of chain.toReversed()) {
    nodes.push(node);
    edges.push({ from: node.id, output: '', to: next });
    if (skip) {
      nodes.push(skip);
      edges.push({ from: skip.id, output: 'run', to: node.id }, { from: skip.id, output: 'skip', to: next });
    }
    next = skip?.id ?? node.id;
  }
  return next === exit ? null : { nodes: nodes.reverse(), edges, first: next };
}
