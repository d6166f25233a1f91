import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import { hasTypedSteps } from '#shared/flow/expansion/expand-typed-plan.ts';
import { canonicalJson, type Json, type JsonObject, type JsonSchema, toJson } from '#shared/json.ts';
import type { AgentSettings, DocumentNode, FlowDocument, GraphNodeKind, ToolUse } from './document.ts';
import type { FlowEnvironment } from './environment.ts';
import { Examination, type ExaminedFlow } from './examine-flow.ts';
import { type FlowGraph, type GraphNode, type NodeBody, type NodeOrigin, nodeIdOf, type PlanParts } from './graph.ts';
import { inlineGraph } from './inline-graph.ts';
import { defaultLimits } from './limits.ts';
import type { ParsedFlow } from './parse-flow.ts';
import type { Problem } from './problem.ts';
import { settingsOfGraph } from './settings-by-input.ts';
import { folderOf, resolveWorkspacePath } from './workspace-path.ts';

/** Result of building a flow. There is a graph exactly when no problem is an error. */
export interface BuiltFlow {
  readonly graph: FlowGraph | null;
  /** All problems at once, in document order. */
  readonly problems: readonly Problem[];
  /** States that are produced but not consumed. */
  readonly terminals: readonly string[];
  /** Number of nodes, nested flows unfolded. */
  readonly node_count: number;
}

/** Validates a flow and, if it has no errors, builds the graph that the engine runs. Never throws, whatever the document contains. */
export function buildFlow(flow: ParsedFlow, environment: FlowEnvironment): BuiltFlow {
  const examined = new Examination(environment).examine(flow);
  const valid = examined.problems.every((problem) => problem.severity === 'warning');
  return {
    graph: valid ? new GraphBuilder(environment).graphOf(examined) : null,
    problems: examined.problems,
    terminals: examined.terminals,
    node_count: examined.nodeCount,
  };
}

/** How the nodes of a document map into the graph. */
interface Unfolding {
  /** From a name in this document to its name in the graph. */
  readonly rename: (name: string) => string;
  /** Pointer of the outermost `flow` node that holds this document; null for the outermost document itself. */
  readonly path: string | null;
  /** The `flow` nodes that hold this document, outermost first. */
  readonly outer: readonly NodeOrigin[];
}

/** Builds graphs of checked flows. A flow used by several `each` nodes or tools is built once. */
class GraphBuilder {
  readonly #environment: FlowEnvironment;
  readonly #graphs = new Map<ExaminedFlow, FlowGraph>();

  constructor(environment: FlowEnvironment) {
    this.#environment = environment;
  }

  graphOf(examined: ExaminedFlow): FlowGraph {
    let graph = this.#graphs.get(examined);
    if (!graph) {
      graph = examined.code ?? this.#build(examined);
      this.#graphs.set(examined, graph);
    }
    return graph;
  }

  #build(examined: ExaminedFlow): FlowGraph {
    const document = documentOf(examined);
    const { input, output } = document;
    const schemas = new Map<string, JsonSchema>();
    const nodes: GraphNode[] = [];
    const tools = new Map<string, FlowGraph>();
    this.#unfold(examined, { rename: (name) => name, path: null, outer: [] }, nodes, schemas, tools);
    return expandAgents({
      source: examined.flow.path,
      name: document.name,
      ...(document.description !== undefined && { description: document.description }),
      input,
      output,
      schemas: { [input]: schemas.get(input) as JsonSchema, ...Object.fromEntries(schemas) },
      nodes,
      limits: { ...defaultLimits, ...document.limits },
      ...(document.parallel && { parallel: document.parallel }),
      ...(document.pyflow?.dialect === 'latest' && { dialect: document.pyflow.dialect }),
      ...(tools.size > 0 && { flow_tools: Object.fromEntries(tools) }),
      hash: this.#environment.sha256(canonicalJson(this.#sourcesOf(examined, {}))),
    });
  }

  /** Adds a document's nodes, schemas and tools to the graph. A nested flow's nodes replace its `flow` node. */
  #unfold(
    examined: ExaminedFlow,
    unfolding: Unfolding,
    nodes: GraphNode[],
    schemas: Map<string, JsonSchema>,
    tools: Map<string, FlowGraph>,
  ): void {
    const document = documentOf(examined);
    for (const [name, flow] of examined.tools) tools.set(name, this.graphOf(flow));
    for (const [name, schema] of Object.entries(document.schemas)) {
      const inlined = unfolding.rename(name);
      if (!schemas.has(inlined)) schemas.set(inlined, schema);
    }
    for (const { index, path, kind, from, to, id } of examined.nodes) {
      const inner = examined.inner.get(index);
      if (kind === 'flow') {
        const { input, output } = inner?.flow.outline ?? {};
        // First the name in this document, then that name outside: an entry that is shared all the way out is renamed at each level.
        const rename = (name: string) => unfolding.rename(name === input || name === output ? name : `${input}::${name}`);
        const states = { input: unfolding.rename(input ?? ''), output: unfolding.rename(output ?? '') };
        const origin = { ...originIn(examined, id, document.nodes[index]?.title), states };
        const inside = { rename, path: unfolding.path ?? path, outer: [...unfolding.outer, origin] };
        if (inner?.code) {
          const inlined = inlineGraph(inner.code, inside);
          nodes.push(...inlined.nodes);
          for (const [name, schema] of inlined.schemas) if (!schemas.has(name)) schemas.set(name, schema);
          for (const [name, flow] of Object.entries(inner.code.flow_tools ?? {})) tools.set(name, flow);
        } else if (inner) this.#unfold(inner, inside, nodes, schemas, tools);
        continue;
      }
      const node = document.nodes[index] as Exclude<DocumentNode, { kind: 'flow' }>;
      const own = unfolding.path === null ? undefined : Object.fromEntries([...from, ...to].map((name) => [unfolding.rename(name), name]));
      nodes.push({
        id: nodeIdOf(from.map(unfolding.rename)),
        kind: kind as GraphNodeKind,
        from: from.map(unfolding.rename),
        to: to.map(unfolding.rename),
        body:
          node.kind === 'each' && inner
            ? { type: 'each', flow: this.graphOf(inner), ...(node.parallel !== undefined && { parallel: node.parallel }) }
            : this.#bodyOf(node, examined, path),
        ...(node.title !== undefined && { title: node.title }),
        ...(node.note !== undefined && { note: node.note }),
        path: unfolding.path ?? path,
        ...(own && { own_names: own, origin: [...unfolding.outer, originIn(examined, id)] }),
      });
    }
  }

  #bodyOf(node: Exclude<DocumentNode, { kind: 'flow' }>, examined: ExaminedFlow, at: string): NodeBody {
    const file = examined.flow.path;
    if (node.kind === 'agent') {
      const agent = settingsOfGraph(node.agent as JsonObject);
      const parts = agent.mode === 'plan' && hasTypedSteps(agent.plan) ? { plan_parts: this.#planParts(agent, examined, at) } : {};
      const controller = this.#controllerOf(agent, file);
      return { type: 'agent', agent, ...parts, ...(controller && { controller }), ...(node.session && { session: node.session }) };
    }
    if (node.kind === 'suspend') return { type: 'suspend' };
    if (node.kind === 'each') throw new Error('An each node is built with its inner flow.');
    if (node.session) return { type: 'session', session: node.session };
    const tools: readonly ToolUse[] = node.tools ?? [];
    const into = node.into === undefined ? {} : { into: node.into };
    if (node.run !== undefined) return { type: 'run', source: node.run, tools };
    if (node.run_file !== undefined) {
      const path = namedFile(file, node.run_file);
      return { type: 'run', source: this.#textOf(path), file: path, tools };
    }
    if (node.expr !== undefined) return { type: 'expr', source: node.expr, ...into };
    if (node.tool !== undefined) return { type: 'tool', tool: node.tool, with: (node.with ?? {}) as JsonObject, ...into };
    if (node.module !== undefined) return { type: 'module', file: namedFile(file, node.module), export: node.export ?? 'default', tools };
    return { type: 'default' };
  }

  /** A controller that is in a file. */
  #controllerOf({ control }: AgentSettings, file: string): Extract<NodeBody, { type: 'run' | 'module' }> | null {
    if (control && 'run_file' in control) {
      const path = namedFile(file, control.run_file);
      return { type: 'run', source: this.#textOf(path), file: path, tools: [] };
    }
    if (!control || !('module' in control)) return null;
    const { module, export: name = 'default' } = control;
    return { type: 'module', file: namedFile(file, module), export: name, tools: [], within_effect: true };
  }

  #planParts({ plan = {} }: AgentSettings, { flow: { path: file }, planned }: ExaminedFlow, at: string): PlanParts {
    const place = `${at}/agent/plan`;
    const types = Object.keys(plan.steps ?? {}).map((type) => [type, planned.get(`${place}/steps/${type}/flow`)] as const);
    const flows = Object.fromEntries(types.flatMap(([type, flow]) => (flow ? [[type, this.graphOf(flow)]] : [])));
    const { planner } = plan;
    if (planner === undefined || planner === 'model') return { flows };
    if ('module' in planner) {
      const { module, export: name = 'default' } = planner;
      return { flows, planner: { type: 'module', file: namedFile(file, module), export: name, tools: [] } };
    }
    const making = planned.get(`${place}/planner/flow`);
    return { flows, ...(making && { planner: this.graphOf(making) }) };
  }

  /** The canonical document with its inner files and `run_file` sources by path: the input of the flow's hash. */
  #sourcesOf(examined: ExaminedFlow, files: Record<string, Json>): Json {
    const { flow, inner, tools, planned } = examined;
    for (const node of documentOf(examined).nodes) {
      const runFile = runFileOf(node);
      if (runFile === undefined) continue;
      const path = namedFile(flow.path, runFile);
      files[path] = this.#textOf(path);
    }
    for (const each of [...inner.values(), ...tools.values(), ...planned.values()]) {
      if (Object.hasOwn(files, each.flow.path)) continue;
      if (each.code) {
        files[each.flow.path] = { code: each.code.hash };
        continue;
      }
      files[each.flow.path] = toJson(each.flow.document);
      this.#sourcesOf(each, files);
    }
    return { document: toJson(flow.document), files };
  }

  #textOf(path: string): string {
    const reading = this.#environment.readFile(path);
    return reading.ok ? reading.text : '';
  }
}

/** The file of a node's `run_file` body, or of its agent's controller. */
function runFileOf(node: DocumentNode): string | undefined {
  if ('run_file' in node) return node.run_file;
  const control = 'agent' in node ? node.agent.control : undefined;
  return control && 'run_file' in control ? control.run_file : undefined;
}

function originIn({ flow }: ExaminedFlow, node: string, title?: string): NodeOrigin {
  return { flow: flow.path, node, ...(title !== undefined && { title }) };
}

function namedFile(from: string, file: string): string {
  return resolveWorkspacePath(folderOf(from), file) ?? file;
}

function documentOf({ flow }: ExaminedFlow): FlowDocument {
  if (!flow.document) throw new Error('A flow with format problems has no graph.');
  return flow.document;
}
