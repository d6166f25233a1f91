import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { type NodeKind, nodeKinds } from './document.ts';
import { nodeIdOf } from './graph.ts';
import { kindFacts } from './node-kinds.ts';

/** A node as far as its place in the graph can be read, whatever else may be wrong with it. */
export interface OutlineNode {
  /** Position in `nodes`. */
  readonly index: number;
  /** JSON Pointer. */
  readonly path: string;
  readonly kind: NodeKind;
  /** The state it consumes; of a join its two states, joined by `+`; of a `flow` node its file. */
  readonly id: string;
  /** Empty for a `flow` node, whose states are its inner flow's. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly raw: JsonObject;
}

/** What can be read of a document that may have faults. A part that is not of its form is undefined. */
export interface FlowOutline {
  readonly name?: string;
  readonly input?: string;
  readonly output?: string;
  readonly schemas?: JsonObject;
  readonly nodes?: readonly OutlineNode[];
}

const kinds: ReadonlySet<string> = new Set(nodeKinds);

/**
 * Reads the outline of any value. A node whose `kind`, `from` or `to` cannot be read is left out. Nodes that are the same objects as in `before`, the
 * outline of an earlier version, are not read again.
 */
export function readOutline(value: Json, before: FlowOutline = {}): FlowOutline {
  if (!isJsonObject(value)) return {};
  const { name, input, output, schemas, nodes } = value;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof input === 'string' && { input }),
    ...(typeof output === 'string' && { output }),
    ...(isJsonObject(schemas) && { schemas }),
    ...(Array.isArray(nodes) && { nodes: readNodes(nodes, before.nodes ?? []) }),
  };
}

function readNodes(nodes: readonly Json[], before: readonly OutlineNode[]): OutlineNode[] {
  const found: OutlineNode[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const raw = nodes[index] as Json;
    const same = before[found.length];
    const node = same?.raw === raw && same.index === index ? same : readNode(raw, index);
    if (node) found.push(node);
  }
  return found;
}

/** Nodes that were read before: parts of a text that did not change keep their values, and so their outlines. */
const known = new WeakMap<JsonObject, OutlineNode>();

function readNode(raw: Json, index: number): OutlineNode | null {
  if (!isJsonObject(raw)) return null;
  const before = known.get(raw);
  if (before?.index === index) return before;
  const node = outlineOf(raw, index);
  if (node) known.set(raw, node);
  return node;
}

function outlineOf(raw: JsonObject, index: number): OutlineNode | null {
  if (typeof raw.kind !== 'string' || !kinds.has(raw.kind)) return null;
  const kind = raw.kind as NodeKind;
  const common = { index, path: `/nodes/${index}`, kind, raw };
  if (kind === 'flow') return typeof raw.flow === 'string' ? { ...common, id: raw.flow, from: [], to: [] } : null;
  const from = kindFacts[kind].inputs === 'all' ? names(raw.from) : name(raw.from);
  const to = kindFacts[kind].outputs === 'one' ? name(raw.to) : names(raw.to);
  return from && to ? { ...common, id: nodeIdOf(from), from, to } : null;
}

function name(value: Json | undefined): string[] | null {
  return typeof value === 'string' ? [value] : null;
}

function names(value: Json | undefined): string[] | null {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? (value as string[]) : null;
}
