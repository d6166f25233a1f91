import type { CompiledNode } from './compiler.ts';
import type { ReportImport } from './import-problem.ts';
import { keysRead } from './keys-read.ts';
import { statesOf, type Written } from './keys-written.ts';
import { injectedKeys } from './state-schemas.ts';

/** Warns about keys that nothing writes in time, and about branches of one region that share keys. */
export function checkKeys(nodes: readonly CompiledNode[], written: ReadonlyMap<string, Written>, report: ReportImport): void {
  const regions = regionsOf(nodes);
  const crossing = new Set<string>();
  for (const branches of regions) checkRegion(branches, report, crossing);
  for (const { agent, node } of nodes) {
    if (!agent) continue;
    const [from] = statesOf(node, 'from');
    const known = written.get(from ?? '');
    const warned = new Set<string>(injectedKeys);
    for (const { key, path, needed } of keysRead(agent)) {
      if (known?.has(key) || warned.has(key) || crossing.has(`${agent.name} ${key}`)) continue;
      warned.add(key);
      const effect = needed
        ? 'Without it in the state that the run begins with, the run fails'
        : 'Unless the run begins with it, the agent gets None';
      report('unwritten_key', path, `"${agent.name}" reads "${key}", which no agent before it writes. ${effect}.`, 'warning');
    }
  }
}

/** The nodes of each branch of each parallel region. */
function regionsOf(nodes: readonly CompiledNode[]): CompiledNode[][][] {
  const consumers = new Map(nodes.flatMap((each) => statesOf(each.node, 'from').map((state) => [state, each] as const)));
  return nodes.flatMap(({ node }) => {
    if (node.kind !== 'fork') return [];
    const branches = node.to.map((state) => reached(state, consumers));
    // What several branches lead to lies after the region.
    const times = new Map<CompiledNode, number>();
    for (const each of branches.flatMap((branch) => [...branch])) times.set(each, (times.get(each) ?? 0) + 1);
    return [branches.map((branch) => [...branch].filter((each) => times.get(each) === 1))];
  });
}

function reached(state: string, consumers: ReadonlyMap<string, CompiledNode>): Set<CompiledNode> {
  const found = new Set<CompiledNode>();
  const open = [state];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = consumers.get(next);
    if (!node || found.has(node)) continue;
    found.add(node);
    open.push(...statesOf(node.node, 'to'));
  }
  return found;
}

function checkRegion(branches: readonly (readonly CompiledNode[])[], report: ReportImport, crossing: Set<string>): void {
  const writers = new Map<string, { readonly branch: number; readonly agent: string }[]>();
  for (const [branch, nodes] of branches.entries()) {
    for (const { writes, origin } of nodes) {
      if (!writes) continue;
      const known = writers.get(writes.key) ?? [];
      const other = known.find((writer) => writer.branch !== branch);
      if (other && !known.some((writer) => writer.branch === branch)) {
        const message = `"${writes.agent}" and "${other.agent}" both write "${writes.key}" in branches that run at the same time. The value that is written last stays.`;
        report('shared_key', [...origin, 'output_key'], message, 'warning');
      }
      writers.set(writes.key, [...known, { branch, agent: writes.agent }]);
    }
  }
  for (const [branch, nodes] of branches.entries()) {
    for (const { agent } of nodes) {
      for (const { key, path } of agent ? keysRead(agent) : []) {
        const known = writers.get(key) ?? [];
        const other = known.find((writer) => writer.branch !== branch);
        if (!other || known.some((writer) => writer.branch === branch)) continue;
        crossing.add(`${agent?.name} ${key}`);
        const message = `"${agent?.name}" reads "${key}", which "${other.agent}" writes in a branch that runs at the same time. It does not see that value.`;
        report('cross_branch_read', path, message, 'warning');
      }
    }
  }
}
