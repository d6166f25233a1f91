import { load, loadedFiles } from '#main/modules/child/loading.ts';
import type { CallTarget, FlowDescription } from '#main/modules/messages.ts';
import type { FlowGraph, GraphNode, NodeBody } from '#shared/flow/graph.ts';

/** The flow that a file exports, handlers by their source. */
export async function describeFlow(file: string): Promise<FlowDescription> {
  const graph = described(await flowIn(file), []);
  return { graph, files: loadedFiles(process.cwd()) };
}

/** A handler of the flow that a file exports. Throws when its source is no longer the one that the run knows. */
export async function handlerAt({
  file,
  at,
  source,
}: Extract<CallTarget, { type: 'handler' }>): Promise<(...args: readonly unknown[]) => unknown> {
  const body = bodyAt(await flowIn(file), at);
  if (body?.type !== 'function') throw changed(file, at, 'is no longer there');
  if (String(body.call) !== source) throw changed(file, at, 'has been changed');
  return body.call as (...args: readonly unknown[]) => unknown;
}

function changed(file: string, at: readonly string[], how: string): Error {
  const message = `the handler of ${at.join('::')} in ${file} ${how} since this run began. Undo that change, or go on with the flow as it is now: fork the run from here with the current flow`;
  return Object.assign(new Error(message), { retryable: false });
}

/** The one flow among a module's exports: the default one, else the only one that has a name. */
async function flowIn(file: string): Promise<FlowGraph> {
  const module = await load(file);
  const named = Object.entries(module).filter(([, value]) => isGraph(value));
  const flow = isGraph(module.default) ? module.default : named[0]?.[1];
  if (flow === undefined) throw new Error(noFlow(module));
  if (!isGraph(module.default) && new Set(named.map(([, value]) => value)).size > 1) {
    const names = named.map(([name]) => name).join(', ');
    throw new Error(
      `the file exports several flows (${names}). Export the one that is meant as the default: export default ${named[0]?.[0]}`,
    );
  }
  return flow as FlowGraph;
}

function noFlow(module: Readonly<Record<string, unknown>>): string {
  const unbuilt = Object.entries(module).find(([, value]) => isBuilder(value));
  if (unbuilt) return `${unbuilt[0]} is a flow that has not been built. End it with .build()`;
  // What is no module at all has an empty default and its other name.
  const names = Object.keys(module)
    .filter((name) => name !== 'module.exports' && !isEmpty(module[name]))
    .join(', ');
  return `the file exports no flow; it exports ${names || 'nothing'}. Export what defineFlow(…).build() gives, as the default or by name`;
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

/** The graph as JSON. Its nodes stand where they stand in the graph, also those that a nested flow has brought. */
function described(graph: FlowGraph, above: readonly string[]): FlowGraph {
  const nodes = graph.nodes.map((node, index): GraphNode => {
    const at = [...above, node.id];
    return { ...node, path: `/nodes/${index}`, body: describedBody(node.body, at) };
  });
  return { ...graph, nodes };
}

function describedBody(body: NodeBody, at: readonly string[]): NodeBody {
  if (body.type === 'each') return { type: 'each', flow: described(body.flow, at) };
  if (body.type !== 'function') return body;
  return { type: 'handler', file: '', at, source: String(body.call), pure: body.pure, tools: body.tools };
}

function bodyAt(graph: FlowGraph, at: readonly string[]): NodeBody | undefined {
  const [id, ...rest] = at;
  const body = graph.nodes.find((node) => node.id === id)?.body;
  if (rest.length === 0) return body;
  return body?.type === 'each' ? bodyAt(body.flow, rest) : undefined;
}
