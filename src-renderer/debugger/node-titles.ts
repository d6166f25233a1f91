import { nodeTitle } from '#renderer/graph/node-title.ts';
import { readableFlow } from '#renderer/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';

/** What a node is called, by its id. */
export type NodeTitles = (id: string) => string;

let last: { readonly text: string; readonly titles: NodeTitles } | null = null;

/** Titles of a run's nodes, read from the flow as it was when the run began. A node of a nested flow keeps its inlined name. */
export function nodeTitlesOf(flow_text: string, flow_path: string): NodeTitles {
  if (last?.text === flow_text) return last.titles;
  const flow = readableFlow(parseFlow(flow_text, flow_path));
  const byId = new Map(flow?.nodes.map((node) => [node.id, nodeTitle(node)]));
  const titles: NodeTitles = (id) => byId.get(id) ?? id;
  last = { text: flow_text, titles };
  return titles;
}
