import { didYouMean } from '#shared/flow/did-you-mean.ts';
import { checkCycles } from './check-cycles.ts';
import type { ReportImport } from './import-problem.ts';
import { isIdentifier } from './keys-read.ts';
import { isDottedName, listedOperations, type PyflowProject } from './project.ts';
import { adkTools, geminiTools, platformTools, transferTool } from './tools.ts';
import type { ListedTool, LlmAgent, PyflowAgent, Workflow } from './workflow.ts';

type Path = readonly (string | number)[];

/** A mention of an agent by its name. */
interface Mention {
  readonly name: string;
  readonly path: Path;
}

interface KnownNames {
  /** Agents that are there but could not be read. */
  readonly unread: ReadonlySet<string>;
  readonly project: PyflowProject;
}

/** Checks names, references between agents, tools, and cycles. */
export function checkReferences(workflow: Workflow, { unread, project }: KnownNames, report: ReportImport): void {
  checkNames(workflow, report);
  const known = new Map(workflow.agents.map((agent) => [agent.name, agent]));
  const mentions = [...orchestrationMentions(workflow), ...workflow.agents.flatMap(agentMentions)];
  for (const { name, path } of mentions) {
    if (known.has(name) || unread.has(name) || name === '') continue;
    report('pyflow_reference', path, `There is no agent "${name}".${didYouMean(name, known.keys())}`);
  }
  checkPlaces(workflow, report);
  checkOrder(workflow, known, report);
  checkRoot(workflow, known, report);
  for (const agent of workflow.agents) checkTools(agent, workflow, project, report);
  checkCycles(workflow, report);
}

function checkNames({ name, agents, orchestration }: Workflow, report: ReportImport): void {
  const rule = 'Use letters, digits and _, do not start with a digit, and do not use "user"';
  // ADK gives the workflow's name to an agent only where several agents run under it.
  const named = orchestration.type !== 'react' && orchestration.type !== 'llm_routed';
  if (named && name !== '' && !isAgentName(name)) report('pyflow_name', ['name'], `"${name}" is not a valid name. ${rule}.`);
  const seen = new Set<string>();
  for (const agent of agents) {
    const path = ['agents', agent.index, 'name'];
    if (agent.name === '') continue;
    if (!isAgentName(agent.name)) report('pyflow_name', path, `"${agent.name}" is not a valid name of an agent. ${rule}.`);
    if (seen.has(agent.name)) report('pyflow_reference', path, `There are two agents named "${agent.name}". Rename one of them.`);
    seen.add(agent.name);
  }
}

function isAgentName(name: string): boolean {
  return isIdentifier(name) && name !== 'user';
}

function listed(names: readonly string[], path: Path): Mention[] {
  return names.map((name, index) => ({ name, path: [...path, index] }));
}

function orchestrationMentions({ orchestration }: Workflow): Mention[] {
  const at = ['orchestration'];
  switch (orchestration.type) {
    case 'dag':
      return orchestration.nodes.map(({ agent }, index) => ({ name: agent, path: [...at, 'nodes', index, 'agent'] }));
    case 'react':
      return [{ name: orchestration.agent, path: [...at, 'agent'] }];
    case 'llm_routed':
      return [{ name: orchestration.router, path: [...at, 'router'] }, ...listed(orchestration.agents, [...at, 'agents'])];
    default:
      return listed(orchestration.agents, [...at, 'agents']);
  }
}

function agentMentions(agent: PyflowAgent): Mention[] {
  const at = ['agents', agent.index];
  if ('sub_agents' in agent) return listed(agent.sub_agents, [...at, 'sub_agents']);
  return agent.type === 'llm' ? listed(agent.agent_tools, [...at, 'agent_tools']) : [];
}

/** An agent has one place: under one workflow agent or in the orchestration. Being called as a tool is no place. */
function checkPlaces(workflow: Workflow, report: ReportImport): void {
  const inAgents = workflow.agents.flatMap((agent) => ('sub_agents' in agent ? agentMentions(agent) : []));
  const { orchestration } = workflow;
  const inOrchestration = orchestrationMentions(workflow).filter((mention) => {
    if (orchestration.type === 'react') return false;
    // PyFlow accepts a repeated specialist of a router.
    return orchestration.type !== 'llm_routed' || orchestration.agents.indexOf(mention.name) === mention.path.at(-1);
  });
  const seen = new Set<string>();
  for (const { name, path } of [...inAgents, ...inOrchestration]) {
    if (seen.has(name)) report('pyflow_reference', path, `The agent "${name}" has two places. Add a second agent with another name.`);
    seen.add(name);
  }
  if (orchestration.type === 'llm_routed' && seen.has(orchestration.router))
    report('pyflow_reference', ['orchestration', 'router'], `The router "${orchestration.router}" is also one of the agents that run.`);
}

/** PyFlow builds workflow agents in the order of the file, so they can only contain workflow agents above them. */
function checkOrder({ agents }: Workflow, known: ReadonlyMap<string, PyflowAgent>, report: ReportImport): void {
  for (const agent of agents) {
    if (!('sub_agents' in agent)) continue;
    for (const [index, name] of agent.sub_agents.entries()) {
      const inner = known.get(name);
      if (!inner || !('sub_agents' in inner) || inner.index < agent.index) continue;
      const message = `"${agent.name}" contains "${name}", which is defined below it, and PyFlow cannot build that. Move "${name}" up.`;
      report('pyflow_reference', ['agents', agent.index, 'sub_agents', index], message);
    }
  }
}

function checkRoot({ orchestration }: Workflow, known: ReadonlyMap<string, PyflowAgent>, report: ReportImport): void {
  if (orchestration.type === 'react') {
    const agent = known.get(orchestration.agent);
    const planned = orchestration.planner === 'plan_react' || orchestration.planner === 'builtin';
    if (agent && planned && agent.type !== 'llm')
      report('pyflow_reference', ['orchestration', 'agent'], `A planner needs an llm agent, but "${agent.name}" is of type ${agent.type}.`);
  }
  if (orchestration.type === 'llm_routed') {
    const router = known.get(orchestration.router);
    if (router && router.type !== 'llm')
      report(
        'pyflow_reference',
        ['orchestration', 'router'],
        `The router must be an llm agent, but "${router.name}" is of type ${router.type}.`,
      );
  }
  if (orchestration.type === 'loop' && (orchestration.max_iterations ?? 0) < 0)
    report('pyflow_unsupported', ['orchestration', 'max_iterations'], 'A negative "max_iterations" runs nothing. Use 1 or more.');
}

function checkTools(agent: PyflowAgent, { orchestration }: Workflow, project: PyflowProject, report: ReportImport): void {
  if (agent.type === 'tool' && agent.tool !== '' && !platformTools.has(agent.tool) && !project.tools.has(agent.tool)) {
    const names = [...platformTools, ...project.tools];
    const message = `Unknown tool "${agent.tool}". A tool agent can call ${names.join(', ')}.${didYouMean(agent.tool, names)}`;
    report('unknown_tool', ['agents', agent.index, 'tool'], message);
  }
  if (agent.type !== 'llm') return;
  const isRouter = orchestration.type === 'llm_routed' && orchestration.router === agent.name;
  for (const [index, tool] of agent.tools.entries()) checkLlmTool(agent, index, tool, isRouter, project, report);
}

function checkLlmTool(
  agent: LlmAgent,
  index: number,
  tool: ListedTool,
  isRouter: boolean,
  project: PyflowProject,
  report: ReportImport,
): void {
  const { name, patterns } = tool;
  const path = ['agents', agent.index, 'tools', index];
  if (project.tools.has(name) && !patterns) return;
  const api = project.openApi(name);
  if (api) {
    if ('problem' in api) report('pyflow_unsupported', path, `The API ${name} cannot be used: ${api.problem}.`);
    else if (listedOperations(api, tool).length === 0)
      report('pyflow_ignored', path, `No operation of ${name} matches ${JSON.stringify(patterns ?? [])}.`, 'warning');
    return;
  }
  if (patterns) {
    report('unknown_tool', path, `Only an API of "openapi_tools" can have patterns, and "${name}" is not one of them.`);
    return;
  }
  if (platformTools.has(name) || adkTools.has(name)) return;
  if (project.dialect === 'latest' && isDottedName(name)) return;
  if (project.dialect === 'latest' && name === transferTool) {
    if (!isRouter) report('pyflow_unsupported', path, `Only a router can have ${transferTool}, and "${agent.name}" is not the router.`);
    return;
  }
  if (!Object.hasOwn(geminiTools, name)) {
    const names = [...platformTools, ...adkTools, ...Object.keys(geminiTools), ...project.tools];
    report('unknown_tool', path, `Unknown tool "${name}".${didYouMean(name, names) || ` Available tools: ${names.join(', ')}.`}`);
  } else if (!/^(gemini-|gemini:\/\/)/.test(agent.model)) {
    report('unknown_tool', path, `Only Gemini models have the tool ${name}, and "${agent.name}" uses ${agent.model}.`);
  } else if (name === 'enterprise_web_search') {
    report('pyflow_departs', path, `Gemini's API for developers refuses ${name}, so "${agent.name}" fails. Use google_search.`, 'warning');
  }
}
