import type { OutlineNode } from '#shared/flow/outline.ts';
import { capitalized, nodeLabel } from './node-label.ts';
import { listed, type Report } from './report.ts';
import type { StateIndex } from './state-index.ts';

/** Checks each node and its neighbours. */
export function checkStructure(nodes: readonly OutlineNode[], states: StateIndex, input: string | undefined, report: Report): void {
  checkDuplicates(nodes, states, report);
  for (const node of nodes) {
    if (node.kind === 'either') checkEither(node, report);
    else if (node.kind === 'fork') checkFork(node, states, report);
    else if (node.kind === 'join') checkJoin(node, states, input, report);
    if (node.kind !== 'either' && node.kind !== 'join') checkOutput(node, report);
  }
}

/** Reports every node that consumes a state which an earlier node already consumes. */
function checkDuplicates(nodes: readonly OutlineNode[], { consumers }: StateIndex, report: Report): void {
  for (const node of nodes) {
    const taken = node.from.filter((name, index) => consumers.get(name)?.[0] !== node && node.from.indexOf(name) === index);
    if (taken.length === 0) continue;
    const others = taken.map((name) => `${name} is already consumed by ${nodeLabel(consumers.get(name)?.[0] as OutlineNode)}`);
    report(
      'duplicate_node',
      pathOfFrom(node),
      [node.id],
      `${listed(others)}. Only one node can consume a state. Give this node another state, or remove it.`,
    );
  }
}

function pathOfFrom(node: OutlineNode): string {
  return node.kind === 'flow' ? node.path : `${node.path}/from`;
}

function checkEither(node: OutlineNode, report: Report): void {
  const [left, right] = node.to;
  if (left !== undefined && left === right) {
    report(
      'either_same_branches',
      `${node.path}/to/1`,
      [node.id],
      `Both branches of ${nodeLabel(node)} lead to ${left}. Give them different names, or make it a work node.`,
    );
  }
}

function checkFork(node: OutlineNode, { consumers }: StateIndex, report: Report): void {
  if (node.to.length < 2) {
    report(
      'fork_too_few_branches',
      `${node.path}/to`,
      [node.id],
      `${capitalized(nodeLabel(node))} has ${node.to.length === 0 ? 'no branches' : 'only one branch'}. Give it at least two, or make it a work node.`,
    );
  }
  const seen = new Set<string>();
  for (const [index, branch] of node.to.entries()) {
    if (seen.has(branch))
      report(
        'fork_duplicate_branches',
        `${node.path}/to/${index}`,
        [node.id],
        `${capitalized(nodeLabel(node))} lists the branch ${branch} twice. Give each branch its own name.`,
      );
    else if (!consumers.has(branch)) {
      report(
        'fork_child_unregistered',
        `${node.path}/to/${index}`,
        [node.id],
        `No node consumes ${branch}, a branch of ${nodeLabel(node)}, so it can never be joined. Add a node that consumes ${branch}.`,
      );
    }
    seen.add(branch);
  }
}

function checkJoin(node: OutlineNode, { producers }: StateIndex, input: string | undefined, report: Report): void {
  const parents = [...new Set(node.from)];
  if (node.from.length !== 2 || parents.length !== 2) {
    report(
      'join_parents',
      `${node.path}/from`,
      [node.id],
      `A join takes exactly two different states, but this one takes ${node.from.length === 0 ? 'none' : listed(node.from)}. To join more states, use several joins.`,
    );
  }
  for (const parent of parents) {
    if (producers.has(parent) || parent === input) continue;
    const path = `${node.path}/from/${node.from.indexOf(parent)}`;
    report(
      'join_parent_unregistered',
      path,
      [node.id],
      `${capitalized(nodeLabel(node))} would wait forever: no node produces ${parent}. Add a node that produces ${parent}, or join another state.`,
    );
  }
  if (node.to.some((name) => node.from.includes(name))) {
    report(
      'join_target_is_parent',
      `${node.path}/to`,
      [node.id],
      `${capitalized(nodeLabel(node))} produces ${node.to[0]}, which is one of the states it consumes. Give its result its own name.`,
    );
  }
}

function checkOutput(node: OutlineNode, report: Report): void {
  const [input] = node.from;
  if (input === undefined || !node.to.includes(input)) return;
  const path = node.kind === 'flow' ? node.path : node.kind === 'fork' ? `${node.path}/to/${node.to.indexOf(input)}` : `${node.path}/to`;
  report(
    'output_is_input',
    path,
    [node.id],
    `${capitalized(nodeLabel(node))} produces the state that it consumes. Give its result its own name; only an either node can lead back.`,
  );
}
