import { checkSchema } from '#main/engine/values/schema-validator.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import { checkModelUrl } from '#shared/flow/checks/model-url.ts';
import { checkEach } from '#shared/flow/checks/nested.ts';
import { checkPlan } from '#shared/flow/checks/plan.ts';
import { checkReachability } from '#shared/flow/checks/reachability.ts';
import { collector, type Report } from '#shared/flow/checks/report.ts';
import { checkSchemas } from '#shared/flow/checks/schemas.ts';
import { SharedSchemas } from '#shared/flow/checks/shared-schemas.ts';
import { indexStates } from '#shared/flow/checks/state-index.ts';
import { checkStructure } from '#shared/flow/checks/structure.ts';
import { checkTools, toolsOf } from '#shared/flow/checks/tools.ts';
import type { GraphNodeKind } from '#shared/flow/document.ts';
import type { FlowEnvironment } from '#shared/flow/environment.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import { type CodePosition, type FlowGraph, type GraphNode, type NodeBody, nodeIdOf, type PlanParts } from '#shared/flow/graph.ts';
import { inlineGraph, namesOutside } from '#shared/flow/inline-graph.ts';
import { defaultLimits, type Limits } from '#shared/flow/limits.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { Parallel } from '#shared/flow/parallel.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';
import { toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { canonicalJson, type Json, type JsonObject, type JsonSchema, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { agentFaults, limitFaults, parallelFaults } from './flow-format.ts';
import { FlowStates } from './flow-states.ts';
import type { State } from './state.ts';

interface Shown {
  readonly title?: string;
  readonly note?: string;
  readonly written?: CodePosition;
}

/** A node as passed to the builder. Without a compiler, its parts may be anything. */
export type NodeDraft = Shown &
  (
    | { readonly kind: 'flow'; readonly flow: FlowGraph }
    | {
        readonly kind: GraphNodeKind;
        readonly from: readonly State[];
        readonly to: readonly State[];
        readonly body: NodeBody;
        readonly called?: ReadonlyMap<string, FlowGraph>;
      }
  );

/** A code-first flow without its nodes. */
export interface FlowParts {
  readonly input: State;
  readonly output: State;
  readonly name?: string;
  readonly limits?: Partial<Limits>;
  readonly parallel?: Partial<Parallel>;
  readonly tools?: readonly (string | { readonly name: string })[];
}

/** Validates a code-first flow by the rules of documents and creates its graph. Throws `FlowError` `Invalid` with all problems. */
export function assembleFlow(parts: FlowParts, drafts: readonly NodeDraft[]): FlowGraph {
  const { problems, report } = collector();
  const assembly = new Assembly(parts, report);
  for (const [index, draft] of drafts.entries()) assembly.add(draft, `/nodes/${index}`, index);
  assembly.check();
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw invalid(errors);
  return assembly.graph();
}

function invalid(problems: readonly Problem[]): FlowError {
  const listed = problems.map(({ code, path, message }) => `${path || '/'}: ${message} (${code})`).join('\n');
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new FlowError('Invalid', `The flow has ${count}:\n${listed}`, { details: { problems: toJson(problems) } });
}

class Assembly {
  readonly #parts: FlowParts;
  readonly #report: Report;
  readonly #states: FlowStates;
  readonly #environment: FlowEnvironment;
  readonly #input: string | undefined;
  readonly #output: string | undefined;
  /** The nodes in the form of a document. */
  readonly #outline: OutlineNode[] = [];
  readonly #inner = new Map<OutlineNode, FlowGraph>();
  readonly #nodes: GraphNode[] = [];
  /** Flows that agents call, by tool name. */
  readonly #called = new Map<string, FlowGraph>();
  /** Schemas of nested flows. */
  readonly #inherited = new Map<string, JsonSchema>();

  constructor(parts: FlowParts, report: Report) {
    this.#parts = parts;
    this.#report = report;
    this.#states = new FlowStates(report);
    this.#environment = environment((parts.tools ?? []).map((tool) => (typeof tool === 'string' ? tool : tool.name)));
    this.#input = this.#states.nameOf(parts.input, '/input') ?? undefined;
    this.#output = this.#states.nameOf(parts.output, '/output') ?? undefined;
  }

  add(draft: NodeDraft, path: string, index: number): void {
    if (draft.kind === 'flow') this.#addFlow(draft, path, index);
    else this.#addNode(draft, path, index);
  }

  #addFlow({ flow, written }: Extract<NodeDraft, { kind: 'flow' }>, path: string, index: number): void {
    if (!isGraph(flow)) {
      this.#report('flow_not_found', path, [], 'Expected a flow. Pass the result of build().');
      return;
    }
    const node: OutlineNode = { index, path, kind: 'flow', id: flow.input, from: [flow.input], to: [flow.output], raw: {} };
    this.#outline.push(node);
    this.#inner.set(node, flow);
    const { input, output } = flow;
    // Code has no file until it is loaded from one.
    const around = { flow: '', node: input, states: { input, output }, ...(written && { written }) };
    const { nodes, schemas } = inlineGraph(flow, { rename: namesOutside(flow), path, outer: [around] });
    this.#nodes.push(...nodes);
    for (const [name, schema] of schemas) if (!this.#inherited.has(name)) this.#inherited.set(name, schema);
  }

  #addNode(
    { kind, from, to, body, title, note, written, called }: Exclude<NodeDraft, { kind: 'flow' }>,
    path: string,
    index: number,
  ): void {
    const names = (states: readonly State[], key: string): string[] | null => {
      if (!Array.isArray(states)) {
        this.#report('format', `${path}/${key}`, [], 'Expected a list of states.');
        return null;
      }
      const many = kind === (key === 'to' ? 'fork' : 'join') || (key === 'to' && kind === 'either');
      const found = states.map((state, at) => this.#states.nameOf(state, many ? `${path}/${key}/${at}` : `${path}/${key}`));
      return found.every((name) => name !== null) ? found : null;
    };
    const consumed = names(from, 'from');
    const produced = names(to, 'to');
    if (!consumed || !produced) return;
    const id = nodeIdOf(consumed);
    if (kind === 'either' && produced.length !== 2) {
      this.#report('format', `${path}/to`, [id], `The either node ${id} has ${produced.length} output states; it needs two.`);
    }
    if (kind === 'either' && body.type === 'default') {
      this.#report('missing_body', path, [id], `The either node ${id} has no handler. Add one that returns left(value) or right(value).`);
    }
    if (body.type === 'function' && typeof body.call !== 'function') {
      this.#report('bad_code', path, [id], `The handler of ${id} is not a function.`);
    }
    if (body.type === 'agent' && body.chooser && (body.agent.mode === 'plan' || body.agent.mode === 'redundant'))
      this.#report(
        'format',
        `${path}/agent/settings`,
        [id],
        `The agent ${id} has the mode ${body.agent.mode}, which takes no settings function. Use templates.`,
      );
    for (const [name, flow] of called ?? []) this.#addCalled(name, flow, `${path}/agent/tools`, id);
    const many = { from: kind === 'join', to: kind === 'fork' || kind === 'either' };
    const raw = {
      from: many.from ? consumed : (consumed[0] as string),
      to: many.to ? produced : (produced[0] as string),
      ...(body.type === 'function' && { tools: [...body.tools] as Json }),
      ...(body.type === 'agent' && { agent: toJson(body.agent) }),
      ...(body.type === 'each' && body.parallel !== undefined && { parallel: body.parallel }),
    };
    const node: OutlineNode = { index, path, kind, id, from: consumed, to: produced, raw };
    this.#outline.push(node);
    if (body.type === 'each') {
      if (isGraph(body.flow)) this.#inner.set(node, body.flow);
      else this.#report('flow_not_found', path, [id], `${id} has no flow. Pass the result of build().`);
    }
    this.#nodes.push({
      id,
      kind,
      from: consumed,
      to: produced,
      body,
      ...(title !== undefined && { title }),
      ...(note !== undefined && { note }),
      path,
      ...(written && { written }),
    });
  }

  #addCalled(name: string, flow: FlowGraph, path: string, id: string): void {
    if (!isGraph(flow))
      this.#report('flow_not_found', path, [id], `The tool ${name} has no flow. Pass the result of build() to flowTool().`);
    else if ((this.#called.get(name) ?? flow).hash !== flow.hash) {
      this.#report('format', path, [id], `Two flows are called ${name}. Give one of them another name in flowTool().`);
    } else this.#called.set(name, flow);
  }

  check(): void {
    const report = this.#report;
    const nodes = this.#outline;
    const outline = { input: this.#input, output: this.#output, schemas: Object.fromEntries(this.#states.schemas) as JsonObject };
    const shared = new SharedSchemas(outline);
    const inside = [...this.#inner].map(([node, { name, schemas, input, output }]) => {
      return [node, { schemas: schemas as JsonObject, name: `the flow "${name}"`, input, output }] as const;
    });
    for (const [node, flow] of inside) if (node.kind === 'flow') shared.share(node, flow, report);
    for (const [node, flow] of inside) if (node.kind === 'each') checkEach(node, { schemas: shared.all }, flow, report);
    const states = indexStates(nodes);
    checkStructure(nodes, states, outline.input, report);
    checkReachability(nodes, states, outline, report);
    checkSchemas(outline, nodes, new Set(this.#inherited.keys()), this.#environment, report);
    for (const node of nodes) this.#checkBody(node);
    for (const { path, message } of limitFaults(this.#parts.limits ?? {})) report('format', path, [], message);
    for (const { path, message } of parallelFaults(this.#parts.parallel ?? {}, '/parallel')) report('format', path, [], message);
  }

  #checkBody(node: OutlineNode): void {
    const { kind, raw, path, id } = node;
    if (kind === 'each' && raw.parallel !== undefined)
      for (const fault of parallelFaults({ ahead: raw.parallel }, path)) this.#report('format', `${path}/parallel`, [id], fault.message);
    if (kind === 'agent') {
      for (const fault of agentFaults(raw.agent as Json)) this.#report('format', `${path}/agent${fault.path}`, [id], fault.message);
      checkModelUrl(node, this.#report);
      checkPlan(node, this.#report);
    }
    // Servers and tool files belong to the workspace, so they are checked when the flow is opened in one.
    checkTools(node, { file: '', environment: this.#environment, report: this.#report }, ['built_in']);
    for (const { name, path: place } of toolsOf(node)) {
      if (parseToolReference(name).type !== 'flow' || this.#called.has(name)) continue;
      this.#report(
        'unknown_tool',
        place,
        [id],
        `A flow in code cannot use the flow file ${name} as a tool. Pass a flow in code with flowTool(), or add it as a node with .flow() or .each().`,
      );
    }
  }

  /** Creates the graph of a flow without errors. */
  graph(): FlowGraph {
    const { name, limits, parallel } = this.#parts;
    const input = this.#input as string;
    const schemas = { ...Object.fromEntries(this.#states.schemas), ...this.#missing() };
    const head = {
      name: name ?? input,
      input,
      output: this.#output as string,
      schemas,
      limits: { ...defaultLimits, ...limits },
      ...(parallel && { parallel }),
    };
    const tools = Object.assign(Object.fromEntries(this.#called), ...[...this.#inner.values()].map(({ flow_tools }) => flow_tools));
    const called = Object.fromEntries([...this.#called].map(([tool, { hash }]) => [tool, hash]));
    const content = toJson({ ...head, nodes: this.#nodes.map(contentOf), ...(this.#called.size > 0 && { flow_tools: called }) });
    return expandAgents({
      ...head,
      nodes: this.#nodes,
      ...(Object.keys(tools).length > 0 && { flow_tools: tools }),
      hash: this.#environment.sha256(canonicalJson(content)),
    });
  }

  #missing(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#inherited].filter(([name]) => !this.#states.schemas.has(name)));
  }
}

/** The input of the flow's hash: structure and handler source. */
function contentOf({ kind, from, to, body }: GraphNode): Json {
  return { kind, from, to, body: bodyContent(body) };
}

function bodyContent(body: NodeBody): Json {
  switch (body.type) {
    case 'function':
      return { source: String(body.call), pure: body.pure, tools: [...body.tools], ...(body.asks && { asks: true }) };
    case 'each':
      return { flow: body.flow.hash };
    case 'agent': {
      const { controller, summariser, plan_parts, guard_functions, chooser, ...agent } = body;
      return {
        ...(toJson(agent) as JsonObject),
        ...(controller && { controller: controller.type === 'function' ? String(controller.call) : toJson(controller) }),
        ...(summariser && { summariser: String(summariser.call) }),
        ...(guard_functions && {
          guard_functions: Object.fromEntries(Object.entries(guard_functions).map(([place, { call }]) => [place, String(call)])),
        }),
        ...(chooser && { chooser: String(chooser.call) }),
        ...(plan_parts && { plan_parts: planContent(plan_parts) }),
      };
    }
    default:
      return toJson(body);
  }
}

function planContent({ flows, planner }: PlanParts): Json {
  const hashes = Object.fromEntries(Object.entries(flows).map(([type, { hash }]) => [type, hash]));
  return { flows: hashes, ...(planner && { planner: 'nodes' in planner ? planner.hash : bodyContent(planner) }) };
}

/** A code-first flow has no other files and is already trusted code of this machine. */
function environment(tools: readonly string[]): FlowEnvironment {
  const checked = new Map<Json, ReturnType<typeof checkSchema>>();
  return {
    readFile: (path) => ({ ok: false, reason: 'missing', message: `${path} is not part of a flow in code` }),
    trusted: true,
    tools: new Set([...toolNames, ...tools]),
    mcpServers: new Set(),
    checkSchema: (schema) => {
      if (!checked.has(schema)) checked.set(schema, checkSchema(schema));
      return checked.get(schema) ?? null;
    },
    stripTypes: () => ({ ok: false, fault: { message: 'a flow in code has no bodies as text', line: 1, column: 1 } }),
    sha256,
  };
}

function isGraph(value: unknown): value is FlowGraph {
  return typeof value === 'object' && value !== null && 'hash' in value && 'nodes' in value;
}
