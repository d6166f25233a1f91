import { listed, type Report } from '#shared/flow/checks/report.ts';
import type { StateIndex } from '#shared/flow/checks/state-index.ts';
import type { FlowOutline, OutlineNode } from '#shared/flow/outline.ts';
import type { ProblemFix } from '#shared/flow/problem.ts';

/** Rules about paths: from the entry to every node, and from every node to the one terminal. Linear in the size of the graph. */
export function checkReachability(nodes: readonly OutlineNode[], states: StateIndex, outline: FlowOutline, report: Report): void {
  const { input, output } = outline;
  if (input !== undefined && !states.consumers.has(input)) {
    report(
      'missing_entry',
      '/input',
      [],
      `No node consumes ${input}, with which the flow begins. Add a node from ${input}, or name another input.`,
      starts(nodes, states),
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
        [...connections(node, reached, states), removal(node)],
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
      `The flow's output is ${output}, but it ends in ${terminals[0]}. Make ${terminals[0]} the output, or continue it to ${output}.`,
      [{ title: `Make ${terminals[0]} the output`, edits: [{ type: 'set', path: ['output'], value: terminals[0] as string }] }],
    );
  }
}

/** A few ends at which a flow under construction can be continued, or begun, are worth offering; more are not. */
const mostOffered = 3;

/** Makes the input of a flow what some node consumes and none produces. */
function starts(nodes: readonly OutlineNode[], { producers }: StateIndex): ProblemFix[] {
  const open = [...new Set(nodes.flatMap((node) => node.from))].filter((name) => !producers.has(name));
  return open
    .slice(0, mostOffered)
    .map((name) => ({ title: `Make ${name} the input`, edits: [{ type: 'set', path: ['input'], value: name }] }));
}

/** Lets a node that takes one state take an end that can be reached, in the place of a state that nothing produces. */
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
  // A set visits what is added while it is walked.
  for (const node of reached) for (const other of next(node)) reached.add(other);
  return reached;
}
