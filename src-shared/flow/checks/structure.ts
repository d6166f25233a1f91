import { listed, type Report } from '#shared/flow/checks/report.ts';
import type { StateIndex } from '#shared/flow/checks/state-index.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';

/** Rules about one node and its neighbours. */
export function checkStructure(nodes: readonly OutlineNode[], states: StateIndex, input: string | undefined, report: Report): void {
  checkDuplicates(nodes, states, report);
  for (const node of nodes) {
    if (node.kind === 'either') checkEither(node, report);
    else if (node.kind === 'fork') checkFork(node, states, report);
    else if (node.kind === 'join') checkJoin(node, states, input, report);
    if (node.kind !== 'either' && node.kind !== 'join') checkOutput(node, report);
  }
}

/** Every node that takes a state which an earlier node takes already. */
function checkDuplicates(nodes: readonly OutlineNode[], { consumers }: StateIndex, report: Report): void {
  for (const node of nodes) {
    const taken = node.from.filter((name, index) => consumers.get(name)?.[0] !== node && node.from.indexOf(name) === index);
    if (taken.length === 0) continue;
    const others = taken.map(
      (name) => `${name} is consumed by the ${consumers.get(name)?.[0]?.kind} node ${consumers.get(name)?.[0]?.id} already`,
    );
    report(
      'duplicate_node',
      pathOfFrom(node),
      [node.id],
      `${listed(others)}; only one node can consume a state. Give this node another state, or remove it.`,
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
      `Both branches of the either node ${node.id} lead to ${left}. Give them two names, or make it a work node.`,
    );
  }
}

function checkFork(node: OutlineNode, { consumers }: StateIndex, report: Report): void {
  if (node.to.length < 2) {
    report(
      'fork_too_few_branches',
      `${node.path}/to`,
      [node.id],
      `The fork ${node.id} has ${node.to.length === 0 ? 'no branch' : 'one branch'}. Give it two or more, or make it a work node.`,
    );
  }
  const seen = new Set<string>();
  for (const [index, branch] of node.to.entries()) {
    if (seen.has(branch))
      report(
        'fork_duplicate_branches',
        `${node.path}/to/${index}`,
        [node.id],
        `The fork ${node.id} has the branch ${branch} twice. Each branch needs a name of its own.`,
      );
    else if (!consumers.has(branch)) {
      report(
        'fork_child_unregistered',
        `${node.path}/to/${index}`,
        [node.id],
        `No node consumes ${branch}, a branch of the fork ${node.id}, so it could never be joined. Add a node from ${branch}.`,
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
      `A join takes exactly two different states; this one takes ${node.from.length === 0 ? 'none' : listed(node.from)}. Join more by several joins.`,
    );
  }
  for (const parent of parents) {
    if (producers.has(parent) || parent === input) continue;
    const place = `${node.path}/from/${node.from.indexOf(parent)}`;
    report(
      'join_parent_unregistered',
      place,
      [node.id],
      `No node produces ${parent}, so the join ${node.id} would wait for ever. Add a node to ${parent}, or join another state.`,
    );
  }
  if (node.to.some((name) => node.from.includes(name))) {
    report(
      'join_target_is_parent',
      `${node.path}/to`,
      [node.id],
      `The join ${node.id} leads to ${node.to[0]}, which is one of the states it takes. Give its result a name of its own.`,
    );
  }
}

function checkOutput(node: OutlineNode, report: Report): void {
  const [input] = node.from;
  if (input === undefined || !node.to.includes(input)) return;
  const place = node.kind === 'flow' ? node.path : node.kind === 'fork' ? `${node.path}/to/${node.to.indexOf(input)}` : `${node.path}/to`;
  report(
    'output_is_input',
    place,
    [node.id],
    `The ${node.kind} node ${node.id} produces the state that it consumes. Give its result a name of its own; only an either can lead back.`,
  );
}
