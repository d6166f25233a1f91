import type { ReportImport } from './import-problem.ts';
import type { Workflow } from './workflow.ts';

/** Checks the dependencies of a dag and the agents that call each other as tools. */
export function checkCycles(workflow: Workflow, report: ReportImport): void {
  checkDag(workflow, report);
  const calls = new Map(workflow.agents.map((agent) => [agent.name, usedBy(workflow, agent.name)]));
  for (const agent of workflow.agents) {
    if (agent.type !== 'llm') continue;
    for (const [index, name] of agent.agent_tools.entries()) {
      if (!reaches(calls, name, agent.name)) continue;
      const message = `"${agent.name}" calls "${name}" as a tool, which leads back to "${agent.name}". Remove one of the calls.`;
      report('pyflow_cycle', ['agents', agent.index, 'agent_tools', index], message);
    }
  }
}

function usedBy({ agents }: Workflow, name: string): readonly string[] {
  const agent = agents.find((one) => one.name === name);
  if (!agent) return [];
  return 'sub_agents' in agent ? agent.sub_agents : agent.type === 'llm' ? agent.agent_tools : [];
}

function reaches(edges: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(edges.get(name) ?? []));
  }
  return false;
}

function checkDag({ orchestration }: Workflow, report: ReportImport): void {
  if (orchestration.type !== 'dag') return;
  const { nodes } = orchestration;
  const path = ['orchestration', 'nodes'];
  const names = new Set(nodes.map(({ agent }) => agent));
  for (const [index, { agent, depends_on }] of nodes.entries()) {
    for (const [at, name] of depends_on.entries()) {
      if (!names.has(name))
        report('pyflow_reference', [...path, index, 'depends_on', at], `"${agent}" depends on "${name}", which is not a node of the dag.`);
    }
  }
  const edges = new Map(nodes.map(({ agent, depends_on }) => [agent, depends_on]));
  for (const [index, { agent, depends_on }] of nodes.entries()) {
    for (const [at, name] of depends_on.entries()) {
      if (!names.has(name) || !reaches(edges, name, agent)) continue;
      const message = `"${agent}" and "${name}" wait for each other, directly or through others. Remove a dependency.`;
      report('pyflow_cycle', [...path, index, 'depends_on', at], message);
    }
  }
}
