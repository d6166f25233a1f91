import { buildFromSources, type ChosenFlow } from '#main/time-travel/recorded-flow.ts';
import type { Variant } from '#shared/contract/matrix.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import { type FlowGraph, type GraphNode, nodeIdOf } from '#shared/flow/graph.ts';
import { originOf } from '#shared/flow/origin.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import { FlowError } from '#shared/run/error.ts';

/** An agent as it is written in a file. */
interface WrittenAgent {
  /** Its id in the graph that contains it, which overrides of models use. */
  readonly id: string;
  readonly title: string;
  readonly flow: string;
  readonly node: string;
}

/** The overrides of models that a variant makes in its run, by node. Throws `NotFound` for an unknown agent. */
export function variantModels({ models }: Variant, graph: FlowGraph): Record<string, string> {
  const entries = Object.entries(models).flatMap(([name, url]) =>
    name === anyAgent ? [[name, url] as const] : agentsNamed(graph, name).map(({ id }) => [id, url] as const),
  );
  return Object.fromEntries(entries);
}

/**
 * Returns a flow with the prompts and limits of a variant, written into its document or the nested flow that contains the agent. `trusted` decides, as for any flow,
 * whether it may refer to workspace code. Throws `NotFound` for an unknown agent, `Invalid` for a flow that can't be edited or has problems then.
 */
export function variantFlow(flow: ChosenFlow, variant: Variant, trusted: boolean): ChosenFlow {
  const edits = editsOf(flow.graph, variant);
  if (edits.size === 0) return flow;
  if (isReadOnlyFlow(flow.flow_path)) {
    throw new FlowError(
      'Invalid',
      `${flow.flow_path} is not a document, so its prompts and limits can't be changed here. Vary models or states instead.`,
    );
  }
  let { flow_text } = flow;
  const sources = new Map(flow.sources);
  for (const [file, atNodes] of edits) {
    const text = file === flow.flow_path ? flow_text : sources.get(file);
    if (text === undefined) throw new FlowError('NotFound', `The run has no record of ${file}, which ${variant.name} changes.`);
    const edited = editedText(text, file, atNodes);
    if (file === flow.flow_path) flow_text = edited;
    else sources.set(file, edited);
  }
  const { graph, problems } = buildFromSources({ flow_path: flow.flow_path, flow_text, sources }, trusted);
  const [problem] = problems.filter(({ severity }) => severity === 'error');
  if (!graph) throw new FlowError('Invalid', `${variant.name} can't run: ${problem?.message ?? 'its flow has errors.'}`);
  return { graph, flow_path: flow.flow_path, flow_text, sources };
}

/** A value of a node in its file, or of the document if `node` is null. */
interface NodeEdit {
  readonly node: string | null;
  readonly path: readonly string[];
  readonly value: string | number;
}

function editsOf(graph: FlowGraph, { prompts, limits }: Variant): Map<string, NodeEdit[]> {
  const edits = new Map<string, NodeEdit[]>();
  const add = (file: string, edit: NodeEdit) => edits.set(file, [...(edits.get(file) ?? []), edit]);
  for (const [name, prompt] of Object.entries(prompts)) {
    for (const { flow, node } of agentsNamed(graph, name)) add(flow, { node, path: ['agent', 'prompt'], value: prompt });
  }
  for (const [name, values] of Object.entries(limits)) {
    for (const [limit, value] of Object.entries(values)) {
      if (name === anyAgent) add(graph.source ?? '', { node: null, path: ['limits', limit], value });
      else for (const { flow, node } of agentsNamed(graph, name)) add(flow, { node, path: ['agent', 'limits', limit], value });
    }
  }
  return edits;
}

function editedText(text: string, file: string, edits: readonly NodeEdit[]): string {
  const parsed = parseFlow(text, file);
  const ids = (parsed.outline.nodes ?? []).map(({ raw: { from } }) => nodeIdOf([from].flat().map(String)));
  const changes = edits.map(({ node, path, value }): FlowEdit => {
    const place = node === null ? [] : ['nodes', ids.indexOf(node)];
    return { type: 'set', path: [...place, ...path], value };
  });
  return applyEdits(parsed, changes).text;
}

function agentsNamed(graph: FlowGraph, name: string): WrittenAgent[] {
  const agents = agentsOf(graph);
  const named = [
    ({ id }: WrittenAgent) => id === name,
    ({ flow, node }: WrittenAgent) => `${flow}#${node}` === name,
    ({ title }: WrittenAgent) => title === name,
    ({ node }: WrittenAgent) => node === name,
  ];
  const found = named.map((is) => agents.filter(is)).find((matches) => matches.length > 0);
  if (found) return found;
  const known = [...new Set(agents.map(({ title }) => title))];
  throw new FlowError(
    'NotFound',
    `There is no agent ${name}. ${known.length > 0 ? `Agents: ${known.join(', ')}.` : 'The flow has no agents.'}`,
  );
}

/** The agents of a flow and of the flows that it runs for items and as tools. */
function agentsOf(graph: FlowGraph, seen = new Set<FlowGraph>()): WrittenAgent[] {
  if (seen.has(graph)) return [];
  seen.add(graph);
  const own = graph.nodes.flatMap((node) => [
    ...writtenAgent(graph, node),
    ...(node.body.type === 'each' ? agentsOf(node.body.flow, seen) : []),
  ]);
  return [...own, ...Object.values(graph.flow_tools ?? {}).flatMap((tool) => agentsOf(tool, seen))];
}

function writtenAgent(graph: FlowGraph, node: GraphNode): WrittenAgent[] {
  if (node.body.type !== 'agent') return [];
  const written = originOf(graph, node).at(-1);
  return written ? [{ id: node.id, title: graphNodeTitle(node), flow: written.flow, node: written.node }] : [];
}
