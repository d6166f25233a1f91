import { toJson } from '#shared/json.ts';
import type { ForeignGraph, ForeignNode } from './foreign-graph.ts';
import { orderOf, reach } from './graph-order.ts';
import type { SettledGraph } from './settle-parallel.ts';

/** Fields of `data` that something reads; null where it may read any. */
type Reads = ReadonlySet<string> | null;

/**
 * Whether what runs after a node needs fields of `data` that were set before it, other than those that it sets itself. Where it does not, the
 * node's answer is all that has to be passed on.
 */
export function needsDataAfter({ nodes, edges, start }: SettledGraph, { input, result }: Pick<ForeignGraph, 'input' | 'result'>) {
  const { successors } = orderOf(start, edges);
  const after = new Map(
    [...nodes.keys()].map((id) => [id, new Set((successors.get(id) ?? []).flatMap((next) => [...reach(next, successors)]))]),
  );
  const ofResult = fieldsRead([result]);
  return (node: ForeignNode): boolean => {
    const own = new Set(fieldsSet(node));
    const before = new Set(Object.keys(input));
    for (const [id, later] of after) if (later.has(node.id)) for (const key of fieldsSet(nodes.get(id))) before.add(key);
    const reads = [ofResult, ...[...(after.get(node.id) ?? [])].map((id) => readsOf(nodes.get(id)))];
    return reads.some((read) => read === null || [...read].some((key) => before.has(key) && !own.has(key)));
  };
}

/** The fields that a node sets. */
function fieldsSet(node: ForeignNode | undefined): readonly string[] {
  if (!node) return [];
  if (node.does.kind === 'change') return Object.keys(node.does.keys);
  return [node.key, ...Object.keys(node.store?.('') ?? {})];
}

function readsOf(node: ForeignNode | undefined): Reads {
  if (!node) return new Set();
  const { does } = node;
  const stores = Object.values(node.store?.('result') ?? {});
  switch (does.kind) {
    case 'pass':
      return new Set();
    case 'code':
    case 'change':
      return fieldsRead([does.code, ...stores]);
    case 'choice':
      return fieldsRead(does.cases.map(({ when }) => when));
    case 'tool':
      return placeholders(JSON.stringify(does.with));
    case 'agent':
      // Without a prompt, a model gets all of its input.
      return does.agent.prompt === undefined ? null : union(placeholders(JSON.stringify(toJson(does.agent))), fieldsRead(stores));
    // A person sees all of the data, a flow of its own gets it, and what a placeholder will read is not known.
    case 'ask':
    case 'each':
    case 'placeholder':
      return null;
  }
}

/** The fields that code reads: `data.field`. Any other use of `data` may read all of them. */
function fieldsRead(codes: readonly string[]): Reads {
  const fields = new Set<string>();
  for (const code of codes) {
    for (const [, field] of code.matchAll(/\bdata\b(?:\??\.([A-Za-z_$][\w$]*))?/g)) {
      if (field === undefined) return null;
      fields.add(field);
    }
  }
  return fields;
}

/** The fields that a template inserts, and perhaps words in other braces. */
function placeholders(text: string): Reads {
  return new Set([...text.matchAll(/\{\s*([A-Za-z_][\w]*)/g)].map(([, field]) => field as string));
}

function union(left: Reads, right: Reads): Reads {
  return left && right && new Set([...left, ...right]);
}
