import type { DocumentNode } from '#shared/flow/document.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { ReportImport } from './import-problem.ts';
import type { PyflowProject } from './project.ts';
import { StateNames } from './state-names.ts';
import type { PyflowAgent, Workflow } from './workflow.ts';

/** A node of the compiled flow, and what it came from. */
export interface CompiledNode {
  readonly node: DocumentNode;
  /** Segments of a JSON Pointer into the workflow. */
  readonly origin: readonly (string | number)[];
  /** What the node writes into the state, if anything. */
  readonly writes?: { readonly key: string; readonly agent: string; readonly schema: JsonSchema };
  /** The agent that it runs. */
  readonly agent?: PyflowAgent;
}

/** What compiling one flow of a workflow needs and collects. */
export class Compiler {
  readonly workflow: Workflow;
  readonly report: ReportImport;
  readonly names = new StateNames();
  readonly nodes: CompiledNode[] = [];
  /** Loops around the part that is being compiled, innermost first. */
  loops: readonly string[] = [];
  /** Ids of the nodes of each nested `sequential` agent. */
  readonly sequences = new Map<string, string[]>();
  readonly project: PyflowProject;
  /** The path of the flow of an agent that is called as a tool, relative to the workspace. */
  readonly flowPath: (agent: string) => string;
  /** The agents that are called as tools by what was compiled so far. */
  readonly called = new Set<string>();
  readonly #agents: ReadonlyMap<string, PyflowAgent>;
  readonly #states = new Map<string, string>();

  constructor(workflow: Workflow, report: ReportImport, { project, flowPath }: Pick<Compiler, 'project' | 'flowPath'>) {
    this.workflow = workflow;
    this.project = project;
    this.report = report;
    this.flowPath = flowPath;
    this.#agents = new Map(workflow.agents.map((agent) => [agent.name, agent]));
    for (const { name } of workflow.agents) this.#states.set(name, this.names.take(name));
  }

  agent(name: string): PyflowAgent {
    const found = this.#agents.get(name);
    if (!found) throw new Error(`The workflow has no agent ${name}.`);
    return found;
  }

  /** The state that an agent consumes; of a `sequential` or `loop`, the one that its first agent does. */
  entryOf(name: string): string {
    const agent = this.agent(name);
    const first = 'sub_agents' in agent && (agent.type !== 'parallel' || agent.sub_agents.length === 1) ? agent.sub_agents[0] : undefined;
    return first === undefined ? (this.#states.get(name) as string) : this.entryOf(first);
  }

  add(node: CompiledNode): void {
    this.nodes.push(node);
  }
}

/** Whether running an agent may call `exit_loop`: that leaves the loops around it. Agents that it calls as tools are apart. */
export function mayExit(compiler: Compiler, name: string): boolean {
  const agent = compiler.agent(name);
  if ('sub_agents' in agent) return agent.sub_agents.some((inner) => mayExit(compiler, inner));
  return agent.type === 'llm' && agent.tools.some(({ name: tool }) => tool === 'exit_loop');
}
