import type { ForeignNode } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import type { Names } from '#shared/import/names.ts';
import type { JsonObject } from '#shared/json.ts';

/** A node while it is read. */
export interface N8nNode {
  readonly name: string;
  readonly type: string;
  /** Without the package's name: `if`, `agent`. */
  readonly kind: string;
  readonly key: string;
  readonly parameters: JsonObject;
  readonly note?: string;
  readonly at: readonly (string | number)[];
  readonly raw: JsonObject;
}

/** What the readers of nodes work with. */
export interface N8nContext {
  readonly keys: ReadonlyMap<string, string>;
  readonly names: Names;
  readonly report: ReportForeign;
  readonly node: (node: ForeignNode) => void;
  /** Adds a node before the given one. */
  readonly before: (id: string, node: ForeignNode) => void;
  /** Adds a node after the given one. */
  readonly after: (id: string, node: ForeignNode) => void;
  /** Nodes that are attached to a node: its model, its tools, its memory. */
  readonly attached: (name: string, connection: string) => readonly N8nNode[];
  /** Names of the nodes that lead to a node. */
  readonly sources: (name: string) => readonly string[];
}

/** Stores a node's item for those who name the node, and as the current one. */
export function both(key: string): (result: string) => Record<string, string> {
  return (result) => ({ [key]: result, json: result });
}
