import type { OutlineNode } from '#shared/flow/outline.ts';
import type { ParsedFlow } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** Input and output of nested flows, by the path in the outer document. */
export type InnerPorts = Readonly<Record<string, { readonly input: string; readonly output: string }>>;

/** The parts of a document that the canvas and its edits need. Errors elsewhere in the text do not affect them. */
export interface ReadableFlow {
  readonly input: string;
  readonly output: string;
  readonly schemas: JsonObject;
  /**
   * Nodes whose kind and states can be read. A nested flow has the states of its own file, or none while those are
   * unknown.
   */
  readonly nodes: readonly OutlineNode[];
  /** Of an imported workflow: ids of the nodes of each nested `sequential` agent. */
  readonly sequences?: Readonly<Record<string, Json>>;
  /** Length of the document's list of nodes, the unreadable ones included. */
  readonly length: number;
}

/** The readable part of a parsed flow, or null if the text cannot be parsed at all. */
export function readableFlow(flow: ParsedFlow, inner: InnerPorts = {}): ReadableFlow | null {
  const value = flow.root?.value;
  if (!isJsonObject(value)) return null;
  const { input = '', output = '', schemas = {}, nodes = [] } = flow.outline;
  const sequences = isJsonObject(value.pyflow) ? value.pyflow.sequences : undefined;
  return {
    ...(isJsonObject(sequences) && { sequences }),
    input,
    output,
    schemas,
    nodes: nodes.map((node) => withInnerPorts(node, inner)),
    length: Array.isArray(value.nodes) ? value.nodes.length : 0,
  };
}

function withInnerPorts(node: OutlineNode, inner: InnerPorts): OutlineNode {
  const ports = node.kind === 'flow' ? inner[node.id] : undefined;
  return ports ? { ...node, id: ports.input, from: [ports.input], to: [ports.output] } : node;
}

/** The node at a position in the document's list. */
export function nodeAt(flow: ReadableFlow, index: number): OutlineNode | undefined {
  return flow.nodes.find((node) => node.index === index);
}
