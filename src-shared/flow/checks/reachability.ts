import type { FlowOutline, OutlineNode } from '#shared/flow/outline.ts';
import type { ProblemFix } from '#shared/flow/problem.ts';
import { capitalized, nodeLabel } from './node-label.ts';
import { listed, type Report } from './report.ts';
import type { StateIndex } from './state-index.ts';

/** Checks that every node is reachable from the input and leads to the one terminal. Linear in the size of the graph. */
export function checkReachability(nodes: readonly OutlineNode[], states: StateIndex, outline: FlowOutline, report: Report): void {
  const { input, output } = outline;
  if (input !== undefined && !states.consumers.has(input)) {
    report(
      'missing_entry',
      '/input',
      [],
      `No node consumes ${input}, the flow's input. Add a node that consumes ${input}, or choose another input.`,
      starts(nodes, states),
    );
  } else if (input !== undefined) {
    const reached = closure(states.consumers.get(input) ?? [], (node) => node.to.flatMap((name) => states.consumers.get(name) ?? []));
    for (const node of nodes) {
      if (reached.has(node)) continue;
      report('unreachable_node', node.path, [node.id], unreachable(node, input, states), [
        ...connections(node, reached, states),
        removal(node),
      ]);
    }
  }
  checkTerminals(states, output, report);
  const ending = closure(
    states.terminals.flatMap((name) => states.producers.get(name) ?? []),
    (node) => node.from.flatMap((name) => states.producers.get(name) ?? []),
  );
  for (const node of nodes) {
    if (ending.has(node)) continue;
    report(
      'no_path_to_terminal',
      node.path,
      [node.id],
      `No path leads from ${nodeLabel(node)} to the end of the flow. Add one that ends in ${output ?? 'the output'}.`,
    );
  }
}

function unreachable(node: OutlineNode, input: string, { producers }: StateIndex): string {
  const missing = node.from.filter((name) => !producers.has(name));
  const why = missing.length > 0 ? `nothing produces ${missing.join(' or ')}` : `no path leads to it from ${input}`;
  return `${capitalized(nodeLabel(node))} is unreachable: ${why}. Add a node that produces ${node.from.join(' or ')}, or remove this one.`;
}

function checkTerminals({ terminals, producers }: StateIndex, output: string | undefined, report: Report): void {
  if (terminals.length === 0) {
    report(
      'multiple_terminals',
      '/output',
      [],
      `The flow never ends: every state that a node produces is consumed by another node. Leave one state, ${output ?? 'the output'}, unconsumed.`,
    );
  } else if (terminals.length > 1) {
    const nodes = [...new Set(terminals.flatMap((name) => producers.get(name) ?? []).map((node) => node.id))];
    report(
      'multiple_terminals',
      '/output',
      nodes,
      `The flow has ${terminals.length} ends: ${listed(terminals)}. It must have exactly one. Connect all but ${output ?? 'one'} to further nodes.`,
    );
  } else if (output !== undefined && terminals[0] !== output) {
    report(
      'terminal_mismatch',
      '/output',
      (producers.get(terminals[0] as string) ?? []).map((node) => node.id),
      `The flow's output is ${output}, but it ends in ${terminals[0]}. Make ${terminals[0]} the output, or continue it to ${output}.`,
      [{ title: `Make ${terminals[0]} the output`, edits: [{ type: 'set', path: ['output'], value: terminals[0] as string }] }],
    );
  }
}

/** Fixes offered per problem: a longer list does not help. */
const mostOffered = 3;

/** Fixes that make an unproduced state the flow's input. */
function starts(nodes: readonly OutlineNode[], { producers }: StateIndex): ProblemFix[] {
  const open = [...new Set(nodes.flatMap((node) => node.from))].filter((name) => !producers.has(name));
  return open
    .slice(0, mostOffered)
    .map((name) => ({ title: `Make ${name} the input`, edits: [{ type: 'set', path: ['input'], value: name }] }));
}

/** Fixes that connect a reachable end to a node whose only input is never produced. */
function connections(node: OutlineNode, reached: ReadonlySet<OutlineNode>, { terminals, producers }: StateIndex): ProblemFix[] {
  const [from, second] = node.from;
  if (from === undefined || second !== undefined || node.kind === 'flow' || producers.has(from)) return [];
  const ends = terminals.filter((name) => producers.get(name)?.some((producer) => reached.has(producer)));
  return ends
    .slice(0, mostOffered)
    .map((name) => ({ title: `Connect ${name} to this node`, edits: [{ type: 'set', path: ['nodes', node.index, 'from'], value: name }] }));
}

function removal({ index, kind }: OutlineNode): ProblemFix {
  return { title: `Remove this ${kind} node`, edits: [{ type: 'remove', path: ['nodes', index] }] };
}

function closure(start: readonly OutlineNode[], next: (node: OutlineNode) => readonly OutlineNode[]): ReadonlySet<OutlineNode> {
  const reached = new Set(start);
  // Iterating over a set also visits what is added during the loop.
  for (const node of reached) for (const other of next(node)) reached.add(other);
  return reached;
}
