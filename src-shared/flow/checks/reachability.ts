import { listed, type Report } from '#shared/flow/checks/report.ts';
import type { StateIndex } from '#shared/flow/checks/state-index.ts';
import type { FlowOutline, OutlineNode } from '#shared/flow/outline.ts';

/** Rules about paths: from the entry to every node, and from every node to the one terminal. Linear in the size of the graph. */
export function checkReachability(nodes: readonly OutlineNode[], states: StateIndex, outline: FlowOutline, report: Report): void {
  const { input, output } = outline;
  if (input !== undefined && !states.consumers.has(input)) {
    report(
      'missing_entry',
      '/input',
      [],
      `No node consumes ${input}, with which the flow begins. Add a node from ${input}, or name another input.`,
    );
  } else if (input !== undefined) {
    const reached = closure(states.consumers.get(input) ?? [], (node) => node.to.flatMap((name) => states.consumers.get(name) ?? []));
    for (const node of nodes) {
      if (reached.has(node)) continue;
      report(
        'unreachable_node',
        node.path,
        [node.id],
        `No path leads from ${input} to the ${node.kind} node ${node.id}. Let some node produce ${node.from.join(' or ')}, or remove it.`,
      );
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
      `From the ${node.kind} node ${node.id} no path leads to an end. Let some node after it produce ${output ?? 'the output'}.`,
    );
  }
}

function checkTerminals({ terminals, producers }: StateIndex, output: string | undefined, report: Report): void {
  if (terminals.length === 0) {
    report(
      'multiple_terminals',
      '/output',
      [],
      `The flow has no end: every state that a node produces is consumed again. One state, ${output ?? 'the output'}, must be left over.`,
    );
  } else if (terminals.length > 1) {
    const nodes = [...new Set(terminals.flatMap((name) => producers.get(name) ?? []).map((node) => node.id))];
    report(
      'multiple_terminals',
      '/output',
      nodes,
      `The flow has ${terminals.length} ends, ${listed(terminals)}; it must have one. Lead all but ${output ?? 'one'} on to further nodes.`,
    );
  } else if (output !== undefined && terminals[0] !== output) {
    report(
      'terminal_mismatch',
      '/output',
      (producers.get(terminals[0] as string) ?? []).map((node) => node.id),
      `The flow ends in ${terminals[0]}, and its output is said to be ${output}. Name ${terminals[0]} as the output, or lead it on to ${output}.`,
    );
  }
}

function closure(start: readonly OutlineNode[], next: (node: OutlineNode) => readonly OutlineNode[]): ReadonlySet<OutlineNode> {
  const reached = new Set(start);
  // A set visits what is added while it is walked.
  for (const node of reached) for (const other of next(node)) reached.add(other);
  return reached;
}
