import type { CallTarget } from '#main/engine/ports/code-process.ts';
import type { FlowDescription } from '#main/workspace-code/messages.ts';
import { recordCallPositions } from '#shared/flow/call-position.ts';
import type { FlowGraph, GraphNode, NodeBody } from '#shared/flow/graph.ts';
import { load, loadedFiles, workspaceFile } from './loading.ts';

/** Describes the flow that a file exports, with the source of its handlers. */
export async function describeFlow(file: string): Promise<FlowDescription> {
  recordCallPositions(workspaceFile);
  const graph = described(await flowIn(file), []);
  return { graph, files: loadedFiles(process.cwd()) };
}

/** Returns a handler of the flow that a file exports. Throws if its source differs from the run's. */
export async function handlerAt({
  file,
  at,
  source,
}: Extract<CallTarget, { type: 'handler' }>): Promise<(...args: readonly unknown[]) => unknown> {
  const body = bodyAt(await flowIn(file), at);
  if (body?.type !== 'function') throw changed(file, at, 'was removed');
  if (String(body.call) !== source) throw changed(file, at, 'was changed');
  return body.call as (...args: readonly unknown[]) => unknown;
}

function changed(file: string, at: readonly string[], how: string): Error {
  const message = `the handler of ${at.join('::')} in ${file} ${how} after this run started. Undo that change, or fork the run from here with the current flow`;
  return Object.assign(new Error(message), { retryable: false });
}

/** Returns the flow that a module exports: the default export, or the only named one. */
async function flowIn(file: string): Promise<FlowGraph> {
  const module = await load(file);
  const named = Object.entries(module).filter(([, value]) => isGraph(value));
  const flow = isGraph(module.default) ? module.default : named[0]?.[1];
  if (flow === undefined) throw new Error(noFlow(module));
  if (!isGraph(module.default) && new Set(named.map(([, value]) => value)).size > 1) {
    const names = named.map(([name]) => name).join(', ');
    throw new Error(`the file exports several flows (${names}). Export one as the default: export default ${named[0]?.[0]}`);
  }
  return flow as FlowGraph;
}

function noFlow(module: Readonly<Record<string, unknown>>): string {
  const unbuilt = Object.entries(module).find(([, value]) => isBuilder(value));
  if (unbuilt) return `${unbuilt[0]} is a flow that was not built. Call .build() on it`;
  // A CommonJS file has an empty default export and a second name for it.
  const names = Object.keys(module)
    .filter((name) => name !== 'module.exports' && !isEmpty(module[name]))
    .join(', ');
  return `the file exports no flow; it exports ${names || 'nothing'}. Export the result of defineFlow(…).build(), as the default or by name`;
}

function isGraph(value: unknown): value is FlowGraph {
  return typeof value === 'object' && value !== null && 'hash' in value && 'nodes' in value && 'schemas' in value;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isBuilder(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'build' in value && 'work' in value && 'either' in value;
}

/** Converts the graph to JSON. Nodes keep their order, including those of nested flows. */
function described(graph: FlowGraph, above: readonly string[]): FlowGraph {
  const nodes = graph.nodes.map((node, index): GraphNode => {
    const at = [...above, node.id];
    return { ...node, path: `/nodes/${index}`, body: describedBody(node.body, at) };
  });
  const tools = Object.entries(graph.flow_tools ?? {}).map(([name, flow]) => [name, described(flow, [...above, name])]);
  return { ...graph, nodes, ...(graph.flow_tools && { flow_tools: Object.fromEntries(tools) }) };
}

function describedBody(body: NodeBody, at: readonly string[]): NodeBody {
  if (body.type === 'each') return { type: 'each', flow: described(body.flow, at) };
  if (body.type !== 'function') return body;
  return { type: 'handler', file: '', at, source: String(body.call), pure: body.pure, tools: body.tools };
}

function bodyAt(graph: FlowGraph, at: readonly string[]): NodeBody | undefined {
  const [id = '', ...rest] = at;
  // A flow that agents call is named as they call it, and contains colons as no node's id does.
  const called = rest.length > 0 ? graph.flow_tools?.[id] : undefined;
  if (called) return bodyAt(called, rest);
  const body = graph.nodes.find((node) => node.id === id)?.body;
  if (rest.length === 0) return body;
  return body?.type === 'each' ? bodyAt(body.flow, rest) : undefined;
}
