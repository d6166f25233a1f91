import { checkBody } from '#shared/flow/checks/bodies.ts';
import { checkEach, type NestedFlow } from '#shared/flow/checks/nested.ts';
import { planFlows } from '#shared/flow/checks/plan.ts';
import { checkReachability } from '#shared/flow/checks/reachability.ts';
import { collector, type Report } from '#shared/flow/checks/report.ts';
import { checkSchemas } from '#shared/flow/checks/schemas.ts';
import { SharedSchemas } from '#shared/flow/checks/shared-schemas.ts';
import { indexStates } from '#shared/flow/checks/state-index.ts';
import { checkStructure } from '#shared/flow/checks/structure.ts';
import { checkTools, toolsOf } from '#shared/flow/checks/tools.ts';
import { whyNot } from '#shared/flow/checks/why-not.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { JsonObject } from '#shared/json.ts';
import type { CodeFlowReading, FlowEnvironment } from './environment.ts';
import { isCodeFlow } from './flow-file.ts';
import { type FlowGraph, nodeIdOf } from './graph.ts';
import { documentOfGraph } from './graph-document.ts';
import type { OutlineNode } from './outline.ts';
import { type ParsedFlow, parseFlow, placeOf, pointerSegments } from './parse-flow.ts';
import type { Problem } from './problem.ts';
import { parseToolReference } from './tool-use.ts';
import { folderOf, resolveWorkspacePath } from './workspace-path.ts';

/** Most nodes of a flow with its nested flows unfolded: a few files can unfold to any number. */
const maxUnfoldedNodes = 100_000;

/** Most levels of nested flows. */
const maxDepth = 100;

/** Problems of a nested flow that are reported in the outer one: a few files can have any number. */
const maxProblemsInside = 100;

/** A checked document, and the documents inside it. */
export interface ExaminedFlow {
  readonly flow: ParsedFlow;
  /** Nodes whose place in the graph is known; a `flow` node with its inner flow's input and output. */
  readonly nodes: readonly OutlineNode[];
  /** Inner flows by the index of their `flow` or `each` node. */
  readonly inner: ReadonlyMap<number, ExaminedFlow>;
  /** Flows that nodes call as tools, by the tool's name. */
  readonly tools: ReadonlyMap<string, ExaminedFlow>;
  /** Flows that agents' plans name, by the path of the name. */
  readonly planned: ReadonlyMap<string, ExaminedFlow>;
  /** Schemas of its states, including those inherited from nested flows. */
  readonly schemas: JsonObject;
  readonly problems: readonly Problem[];
  readonly terminals: readonly string[];
  /** Number of nodes, nested flows unfolded. */
  readonly nodeCount: number;
  /** The same, including flows of `each` nodes and flows used as tools: the size of the whole graph. */
  readonly unfolded: number;
  /** Of a flow in code: its graph. */
  readonly code?: FlowGraph;
}

/** Checks a document and all documents inside it. Each file is read once. */
export class Examination {
  readonly #environment: FlowEnvironment;
  readonly #known = new Map<string, ExaminedFlow>();

  constructor(environment: FlowEnvironment) {
    this.#environment = environment;
  }

  /** `outer` are the files that contain this one, outermost first. */
  examine(flow: ParsedFlow, outer: readonly string[] = []): ExaminedFlow {
    const { problems, report } = collector();
    const inner = new Map<number, ExaminedFlow>();
    const nodes: OutlineNode[] = [];
    const schemas = new SharedSchemas(flow.outline);
    for (const node of flow.outline.nodes ?? []) {
      const found = kindFacts[node.kind].runs_flow ? this.#inner(node, flow, outer, report) : null;
      if (found) inner.set(node.index, found);
      const resolved = node.kind === 'flow' ? found && flowNode(node, found) : node;
      if (found) problems.push(...problemsInside(resolved ?? node, found));
      if (!resolved) continue;
      nodes.push(resolved);
      if (!found) continue;
      if (node.kind === 'flow') schemas.share(resolved, insideOf(found), report);
    }
    const all = { schemas: schemas.all };
    for (const node of nodes) {
      const found = node.kind === 'each' && inner.get(node.index);
      if (found) checkEach(node, all, insideOf(found), report);
    }
    const states = indexStates(nodes);
    // The states of a flow in code that could not be loaded are unknown, so nothing can be said about what leads where.
    const isWhole = !(flow.outline.nodes ?? []).some((node) => isUnloadedCode(node, inner));
    if (flow.outline.nodes && isWhole) {
      checkStructure(nodes, states, flow.outline.input, report);
      checkReachability(nodes, states, flow.outline, report);
    }
    if (isWhole) checkSchemas(flow.outline, nodes, schemas.inherited, this.#environment, report);
    const context = { file: flow.path, environment: this.#environment, report };
    const tools = new Map<string, ExaminedFlow>();
    const planned = new Map<string, ExaminedFlow>();
    for (const node of nodes) {
      checkBody(node, context);
      checkTools(node, context);
      for (const { name, path } of toolsOf(node)) {
        const tool = parseToolReference(name);
        const found =
          tool.type === 'flow'
            ? this.#open(resolveWorkspacePath('', tool.path), { named: tool.path, path, ids: [node.id] }, flow, outer, report)
            : null;
        if (!found) continue;
        tools.set(name, found);
        problems.push(...problemsInside({ ...node, kind: 'each', path }, found));
      }
      for (const { flow: file, path } of planFlows(node)) {
        const place = resolveWorkspacePath(folderOf(flow.path), file);
        const found = this.#open(place, { named: file, path, ids: [node.id] }, flow, outer, report);
        if (!found) continue;
        planned.set(path, found);
        problems.push(...problemsInside({ ...node, kind: 'each', path }, found));
      }
    }
    let [nodeCount, unfolded] = [0, 0];
    for (const node of nodes) {
      const inside = inner.get(node.index);
      nodeCount += node.kind === 'flow' ? (inside?.nodeCount ?? 0) : 1;
      unfolded += (inside?.unfolded ?? 0) + Number(node.kind !== 'flow');
    }
    for (const called of [...tools.values(), ...planned.values()]) unfolded += called.unfolded;
    if (unfolded > maxUnfoldedNodes)
      report(
        'format',
        '/nodes',
        [],
        `The flow unfolds to ${unfolded} nodes, but the limit is ${maxUnfoldedNodes}. Use fewer nested flows.`,
      );
    return {
      flow,
      nodes,
      inner,
      tools,
      planned,
      ...all,
      problems: inDocumentOrder([...flow.problems, ...problems], flow),
      terminals: states.terminals,
      nodeCount,
      unfolded,
    };
  }

  #inner(node: OutlineNode, flow: ParsedFlow, outer: readonly string[], report: Report): ExaminedFlow | null {
    const { raw, path, kind } = node;
    if (typeof raw.flow !== 'string' || raw.flow === '') return null;
    const mention = { named: raw.flow, path: `${path}/flow`, ids: kind === 'each' ? [node.id] : [] };
    return this.#open(resolveWorkspacePath(folderOf(flow.path), raw.flow), mention, flow, outer, report);
  }

  /** Examines the flow in a file that another one names; null, with the problem reported, when it cannot be opened. */
  #open(
    file: string | null,
    { named, path, ids }: { readonly named: string; readonly path: string; readonly ids: readonly string[] },
    flow: ParsedFlow,
    outer: readonly string[],
    report: Report,
  ): ExaminedFlow | null {
    const chain = [...outer, flow.path];
    if (file === null) {
      report('flow_not_found', path, ids, `The flow ${named} is outside the workspace. Use a path inside it, with / between folders.`);
      return null;
    }
    if (chain.includes(file)) {
      report(
        'flow_cycle',
        path,
        ids,
        `The flow contains itself: ${[...chain.slice(chain.indexOf(file)), file].join(' → ')}. Remove one of these nodes.`,
      );
      return null;
    }
    if (chain.length > maxDepth) {
      report('format', path, ids, `Flows are nested more than ${maxDepth} levels deep. Use fewer levels.`);
      return null;
    }
    const known = this.#known.get(file);
    if (known) return known;
    const reading = this.#environment.readFile(file);
    if (!reading.ok) {
      report('flow_not_found', path, ids, `The flow ${named} ${whyNot(reading.reason, file, reading.message)}`);
      return null;
    }
    const examined = isCodeFlow(file)
      ? this.#code(file, (code, problem) => report(code, path, ids, `The flow ${named} is written in code, ${problem}`))
      : this.examine(parseFlow(reading.text, file), chain);
    if (examined) this.#known.set(file, examined);
    return examined;
  }

  /** Examines a flow in code; null if it isn't loaded here. */
  #code(file: string, refuse: (code: Problem['code'], problem: string) => void): ExaminedFlow | null {
    const { codeFlow, trusted } = this.#environment;
    if (!trusted) {
      refuse('needs_trust', 'which can run any code on this machine. Trust the folder (--trust), or nest a document.');
      return null;
    }
    const loaded = codeFlow?.(file);
    if (loaded) return examinedCode(file, loaded);
    refuse('bad_code', codeFlow ? 'and is being loaded. Try again.' : 'which is not loaded here. Use the current flow of the folder.');
    return null;
  }
}

function isUnloadedCode({ kind, raw, index }: OutlineNode, inner: ReadonlyMap<number, ExaminedFlow>): boolean {
  return kind === 'flow' && typeof raw.flow === 'string' && isCodeFlow(raw.flow) && !inner.get(index)?.code;
}

/** A flow in code, which was checked when it was built. */
function examinedCode(path: string, { graph, problems }: CodeFlowReading): ExaminedFlow {
  const flow = parseFlow(graph ? JSON.stringify(documentOfGraph(graph)) : '{}', path);
  const nodeCount = graph?.nodes.length ?? 0;
  const none = { inner: new Map(), tools: new Map(), planned: new Map(), terminals: [] };
  const schemas = (graph?.schemas ?? {}) as JsonObject;
  return {
    ...none,
    flow,
    nodes: flow.outline.nodes ?? [],
    schemas,
    problems,
    nodeCount,
    unfolded: graph ? sizeOf(graph) : 0,
    ...(graph && { code: graph }),
  };
}

/** Number of nodes of a graph, with the flows of its `each` nodes and those used as tools. */
function sizeOf({ nodes, flow_tools = {} }: FlowGraph): number {
  const inside = [...nodes.flatMap(({ body }) => (body.type === 'each' ? [body.flow] : [])), ...Object.values(flow_tools)];
  return inside.reduce((size, flow) => size + sizeOf(flow), nodes.length);
}

/** A `flow` node with the states of its inner flow; null when those cannot be read. */
function flowNode(node: OutlineNode, { flow }: ExaminedFlow): OutlineNode | null {
  const { input, output } = flow.outline;
  return input === undefined || output === undefined ? null : { ...node, id: nodeIdOf([input]), from: [input], to: [output] };
}

/** A nested flow, as the schema checks need it. */
function insideOf({ flow, schemas }: ExaminedFlow): NestedFlow {
  return { ...flow.outline, schemas, name: flow.path };
}

/** The name of an inner flow's state in the outer flow. */
function inlinedName(name: string, input: string | undefined, output: string | undefined): string {
  return name === input || name === output ? name : `${input}::${name}`;
}

/** The problems of an inner flow as reported in the outer one: at its node, with inlined names and the file. */
function problemsInside(node: OutlineNode, { flow, problems }: ExaminedFlow): Problem[] {
  const { input, output } = flow.outline;
  const rename = (id: string) =>
    node.kind === 'each' ? `${node.id}::${id}` : nodeIdOf(id.split('+').map((name) => inlinedName(name, input, output)));
  // A flow that could not be read has no nodes in the outer one: the problem's place is the node that nests it.
  const isInlined = node.kind === 'each' || (input !== undefined && output !== undefined);
  const more = problems.length - maxProblemsInside;
  // Their fixes would edit the inner file, so they are left out.
  return problems.slice(0, maxProblemsInside).map(({ fixes: _fixes, ...problem }, index) => ({
    ...problem,
    path: node.path,
    nodes: isInlined ? problem.nodes.map(rename) : [],
    message: `In ${flow.path}${problem.path === '' ? '' : ` at ${problem.path}`}: ${problem.message}${more > 0 && index === maxProblemsInside - 1 ? ` (And ${more} more problems there.)` : ''}`,
  }));
}

/** Sorts problems by their position in the text (stable). */
function inDocumentOrder(problems: readonly Problem[], flow: ParsedFlow): Problem[] {
  return problems
    .map((problem) => ({ problem, offset: placeOf(flow, pointerSegments(problem.path))?.entryStart ?? 0 }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ problem }) => problem);
}
