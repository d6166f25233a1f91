import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { BuiltFlow } from '#shared/flow/build-flow.ts';
import type { BodyContext } from '#shared/flow/checks/bodies.ts';
import { collector } from '#shared/flow/checks/report.ts';
import { checkTools } from '#shared/flow/checks/tools.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import type { FlowEnvironment } from '#shared/flow/environment.ts';
import type { CodePosition, FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { documentOfGraph } from '#shared/flow/graph-document.ts';
import { readOutline } from '#shared/flow/outline.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { callEnds } from '#shared/flow/source/call-ends.ts';
import { describeFile } from './describe-file.ts';
import { flowDescriptionSchema } from './description-schemas.ts';

/** A flow in code loaded from its file. */
export interface CodeFlow extends BuiltFlow {
  /** The flow as a document (`documentOfGraph`); empty if it could not be loaded. */
  readonly text: string;
  /** Real paths of the file and the workspace files that it loads. */
  readonly files: readonly string[];
}

/**
 * Loads a flow in code. `file` is its real path, `path` the same relative to the workspace `folder`. In an untrusted folder nothing is loaded
 * and the problem `needs_trust` is reported. A load failure is the problem `bad_code`; problems found by `build()` are included.
 */
export async function loadCodeFlow(folder: string, file: string, path: string, environment: FlowEnvironment): Promise<CodeFlow> {
  const { problems, report } = collector();
  if (!environment.trusted) {
    report(
      'needs_trust',
      '',
      [],
      `${path} is a flow in code, which can run any code on this machine. Trust the folder (--trust) to open it.`,
    );
    return failed(problems, file);
  }
  const described = await describeFile(folder, { type: 'describe_flow', file }, flowDescriptionSchema);
  if (!described.ok) {
    if (described.problems) return failed(described.problems, file);
    report('bad_code', '', [], `Cannot load the flow from ${path}: ${described.message}.`);
    return failed(problems, file);
  }
  const graph = placed(described.value.graph, path, codePositions(folder, environment));
  const document = documentOfGraph(graph);
  checkNamed(graph, '', { file: path, environment, report });
  const { files } = described.value;
  const built = { problems, terminals: [graph.output], node_count: graph.nodes.length, text: canonicalText(document, 'json') };
  const valid = problems.every(({ severity }) => severity === 'warning');
  return { ...built, graph: valid ? graph : null, files: files.filter((name) => isInside(folder, name)) };
}

/** Checks the flow's references to tools, which the builder could not check outside the workspace. */
function checkNamed(graph: FlowGraph, above: string, context: BodyContext): void {
  for (const node of readOutline(documentOfGraph(graph)).nodes ?? [])
    checkTools({ ...node, id: above + node.id }, context, ['mcp', 'file']);
  for (const { id, body } of graph.nodes) if (body.type === 'each') checkNamed(body.flow, `${above}${id}::`, context);
  for (const [name, flow] of Object.entries(graph.flow_tools ?? {})) checkNamed(flow, `${above}${name}::`, context);
}

/** Adds the file to the graph, its handlers and the origins of its nodes, and where in the folder they are written. */
function placed(graph: FlowGraph, file: string, positionOf: (written: CodePosition) => CodePosition): FlowGraph {
  const inFolder = ({ written }: { readonly written?: CodePosition }) => written && { written: positionOf(written) };
  const nodes = graph.nodes.map(({ origin, ...node }) => ({
    ...node,
    body: placedBody(node.body, (inner) => placed(inner, file, positionOf), file),
    ...(origin && { origin: origin.map((each) => ({ ...each, flow: file, ...inFolder(each) })) }),
    ...inFolder(node),
  }));
  const tools = Object.entries(graph.flow_tools ?? {}).map(([name, flow]) => [name, placed(flow, file, positionOf)]);
  return { ...graph, source: file, nodes, ...(graph.flow_tools && { flow_tools: Object.fromEntries(tools) }) };
}

function placedBody(body: NodeBody, inside: (flow: FlowGraph) => FlowGraph, file: string): NodeBody {
  if (body.type === 'handler') return { ...body, file };
  return body.type === 'each' ? { ...body, flow: inside(body.flow) } : body;
}

/** Returns where calls of the builder are in the folder, with the line in which each ends. */
function codePositions(folder: string, { readFile, stripTypes }: FlowEnvironment): (written: CodePosition) => CodePosition {
  const ends = new Map<string, ReadonlyMap<string, number>>();
  return ({ file: real, line, column }) => {
    const file = relative(folder, real).split(sep).join('/');
    const reading = ends.has(file) ? null : readFile(file);
    if (reading) ends.set(file, reading.ok ? callEnds(reading.text, stripTypes) : new Map());
    return { file, line, column, last: ends.get(file)?.get(`${line}:${column}`) ?? line };
  };
}

function isInside(folder: string, file: string): boolean {
  try {
    return realpathSync.native(file).startsWith(folder + sep);
  } catch {
    return false;
  }
}

function failed(problems: readonly Problem[], file: string): CodeFlow {
  return { graph: null, problems, terminals: [], node_count: 0, text: '', files: [file] };
}
