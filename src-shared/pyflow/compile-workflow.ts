import type { DocumentNode, FlowDocument } from '#shared/flow/document.ts';
import type { PyflowRecord } from '#shared/flow/session.ts';
import { canonicalJson, jsonPointer, toJson } from '#shared/json.ts';
import { compileOrchestration } from '#shared/pyflow/orchestration/orchestration.ts';
import { compileAgent } from '#shared/pyflow/orchestration/part.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkKeys } from './check-keys.ts';
import { checkReferences } from './check-references.ts';
import { Compiler } from './compiler.ts';
import type { ImportProblem, ReportImport } from './import-problem.ts';
import { idOf, keysWritten } from './keys-written.ts';
import type { PyflowProject } from './project.ts';
import { readWorkflow, type WorkflowReading } from './read-workflow.ts';
import { stateSchemas } from './state-schemas.ts';
import type { Workflow } from './workflow.ts';

/** What compiling a workflow needs to know. */
export interface CompileOptions {
  /** The workflow's text. */
  readonly text: string;
  /** The workflow's file, as the flow's import record names it. */
  readonly source: string;
  /** An agent's tools that write do not ask. */
  readonly unattended: boolean;
  /** Path of the flow of an agent that is called as a tool, relative to the workspace. */
  readonly flowPath: (agent: string) => string;
  readonly project: PyflowProject;
  /** SHA-256 of a text, in hex. */
  readonly sha256: (text: string) => string;
}

/** A flow compiled from a workflow. */
export interface CompiledFlow {
  readonly document: FlowDocument;
  /** For each node, the JSON Pointer of what it came from in the workflow. */
  readonly origins: readonly string[];
}

/** Result of compiling a workflow. There is a flow exactly when no problem is an error. */
export interface CompiledWorkflow {
  readonly name: string;
  readonly flow: CompiledFlow | null;
  /** Flows of the agents that are called as tools, by their names. */
  readonly tools: ReadonlyMap<string, CompiledFlow>;
  /** All problems at once, in the order of the file. */
  readonly problems: readonly ImportProblem[];
  /** The line of a JSON Pointer in the workflow's text, from 1. */
  readonly lineOf: (pointer: string) => number;
}

/**
 * Compiles a PyFlow workflow into a flow document, and one more for each agent that is called as a tool. Never throws for bad input. `reading`
 * is what `readWorkflow` made of the text; it collects problems, so it serves once.
 */
export function compileWorkflow(options: CompileOptions, reading: WorkflowReading = readWorkflow(options.text)): CompiledWorkflow {
  const { workflow, problems, unread, report, lineOf } = reading;
  const tools = new Map<string, CompiledFlow>();
  const isValid = () => problems.every(({ severity }) => severity === 'warning');
  const done = (flow: CompiledFlow | null): CompiledWorkflow => ({
    name: workflow?.name ?? '',
    flow: isValid() ? flow : null,
    tools,
    problems: inOrder(problems),
    lineOf,
  });
  if (!workflow) return done(null);
  checkReferences(workflow, { unread, project: options.project }, report);
  checkExpressions(workflow, report);
  if (!isValid()) return done(null);

  const compiler = new Compiler(workflow, report, options);
  const flow = compileFlow(compiler, options, workflow.name, (next) => compileOrchestration(compiler, workflow.orchestration, next));
  const used = new Set(compiler.nodes.flatMap(({ agent }) => agent?.name ?? []));
  const open = [...compiler.called];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (tools.has(name)) continue;
    tools.set(name, compileTool(workflow, name, options, report, used, open));
  }
  warnAboutUnused(workflow, used, report);
  return done(flow);
}

/** The flow of an agent that is called as a tool. Adds what runs in it to `used`, and the agents that it calls itself to `open`. */
function compileTool(
  workflow: Workflow,
  name: string,
  options: CompileOptions,
  report: ReportImport,
  used: Set<string>,
  open: string[],
): CompiledFlow {
  const compiler = new Compiler(workflow, report, options);
  const flow = compileFlow(compiler, options, `${workflow.name}.${name}`, (next) => {
    compileAgent(compiler, name, next);
    return compiler.entryOf(name);
  });
  for (const { agent } of compiler.nodes) if (agent) used.add(agent.name);
  open.push(...compiler.called);
  const { description } = compiler.agent(name);
  return { ...flow, document: withDescription(flow.document, description || `Runs the agent "${name}".`) };
}

/** `compile` adds the nodes up to a state and returns the first one. */
function compileFlow(compiler: Compiler, options: CompileOptions, name: string, compile: (next: string) => string): CompiledFlow {
  const { workflow, names, nodes } = compiler;
  const [start, end, result] = ['Start', 'end', 'Result'].map((wanted) => names.takeHelper(wanted)) as [string, string, string];
  const first = compile(end);
  const origin = ['orchestration'];
  nodes.unshift({ node: { kind: 'work', from: start, to: first, session: { begin: {} } }, origin });
  nodes.push({ node: { kind: 'work', from: end, to: result, session: { end: true } }, origin });
  const written = keysWritten(nodes, start);
  const isTool = name !== workflow.name;
  if (!isTool) checkKeys(nodes, written, compiler.report);
  const documents = nodes.map(({ node }) => (options.unattended ? unattended(node) : node));
  const document: FlowDocument = {
    pravah: 1,
    name,
    ...(workflow.description !== '' && { description: workflow.description }),
    pyflow: recordOf(compiler, documents, options),
    input: start,
    output: result,
    schemas: stateSchemas(nodes, { written, start, result, typed: !isTool }),
    nodes: documents,
    limits: { steps: 10_000, model_calls: 500 },
  };
  return { document, origins: nodes.map(({ origin: path }) => jsonPointer(path)) };
}

function withDescription({ pravah, name, ...rest }: FlowDocument, description: string): FlowDocument {
  return { pravah, name, ...rest, description };
}

function recordOf(
  { workflow: { a2a }, sequences }: Compiler,
  nodes: readonly DocumentNode[],
  { text, source, project: { dialect }, sha256 }: CompileOptions,
): PyflowRecord {
  const hashes = nodes.map((node) => [idOf(node), sha256(canonicalJson(toJson(node)))]);
  return {
    source,
    hash: sha256(text),
    dialect,
    ...(a2a && { a2a }),
    nodes: Object.fromEntries(hashes),
    ...(sequences.size > 0 && { sequences: Object.fromEntries(sequences) }),
  };
}

/** The agent's tools act without asking; this counts only in a trusted folder. */
function unattended(node: DocumentNode): DocumentNode {
  if (node.kind !== 'agent') return node;
  const { tools = [] } = node.agent;
  const silent = tools.map((use) => ({ use: typeof use === 'string' ? use : use.use, approve: 'never' as const }));
  return { ...node, agent: { ...node.agent, ...(silent.length > 0 && { tools: silent }), trust_content: true } };
}

function warnAboutUnused({ agents, orchestration }: Workflow, used: ReadonlySet<string>, report: ReportImport): void {
  const inner = new Set(agents.flatMap((agent) => ('sub_agents' in agent ? agent.sub_agents : [])));
  const placed = 'agents' in orchestration ? orchestration.agents : [];
  for (const agent of agents) {
    const runs = 'sub_agents' in agent ? agent.sub_agents.some((name) => used.has(name) || inner.has(name)) : used.has(agent.name);
    if (runs || placed.includes(agent.name)) continue;
    report('unused_agent', ['agents', agent.index, 'name'], `"${agent.name}" does not run: nothing refers to it.`, 'warning');
  }
}

/** In the order of the file, each finding once: an agent may be in several flows. */
function inOrder(problems: readonly ImportProblem[]): ImportProblem[] {
  const seen = new Set<string>();
  return problems
    .toSorted((one, other) => one.line - other.line)
    .filter(({ code, path, message }) => {
      const key = `${code} ${path} ${message}`;
      const fresh = !seen.has(key);
      seen.add(key);
      return fresh;
    });
}
