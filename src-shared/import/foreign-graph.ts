import type { AgentSettings } from '#shared/flow/document.ts';
import type { JsonObject, JsonSchema } from '#shared/json.ts';

/**
 * A flow of another tool, in the terms that all of them share. Its nodes pass one object along, `data`: the fields of the flow's input, and under
 * the `key` of each node that has run, that node's result. Texts named *code* are JavaScript expressions over `data`.
 */
export interface ForeignGraph {
  readonly name: string;
  readonly description?: string;
  /** The fields of the flow's input. */
  readonly input: Readonly<Record<string, JsonSchema>>;
  /** Those that a run must be given. */
  readonly required: readonly string[];
  /** The node that runs first. */
  readonly start: string;
  readonly nodes: readonly ForeignNode[];
  readonly edges: readonly ForeignEdge[];
  /** Code of the flow's output, evaluated when nothing is left to run; and its schema. */
  readonly result: string;
  readonly resultSchema: JsonSchema;
}

/** From an output of a node to a node. The edges of one output run side by side. */
export interface ForeignEdge {
  readonly from: string;
  /** The output, such as a branch of a choice; `""` is the only one. */
  readonly output: string;
  readonly to: string;
}

export interface ForeignNode {
  readonly id: string;
  /** As the other tool shows it. */
  readonly title: string;
  readonly note?: string;
  /** The field of `data` for its result: a name that is unique in the graph. */
  readonly key: string;
  readonly does: Deed;
  /** Fields to set, given the code of the result; without it, `key` is the result. Not for tools, whose result is always stored under `key`. */
  readonly store?: (result: string) => Readonly<Record<string, string>>;
}

/** One way out of a choice: the first whose `when` holds is taken. */
export interface ForeignCase {
  readonly output: string;
  /** Code of a boolean. */
  readonly when: string;
}

/** What a node does. `schema` is that of its result. */
export type Deed =
  | { readonly kind: 'agent'; readonly agent: AgentSettings; readonly schema: JsonSchema }
  /** Stores the value of an expression. */
  | { readonly kind: 'code'; readonly code: string; readonly schema: JsonSchema }
  /** Replaces `data` by the value of an expression over it; `keys` are those that it sets. */
  | { readonly kind: 'change'; readonly code: string; readonly keys: Readonly<Record<string, JsonSchema>> }
  | { readonly kind: 'tool'; readonly tool: string; readonly with: JsonObject; readonly schema: JsonSchema }
  | { readonly kind: 'choice'; readonly cases: readonly ForeignCase[]; readonly otherwise: string }
  /** Waits for a person, whose answer is the result. */
  | { readonly kind: 'ask'; readonly schema: JsonSchema }
  /** Runs a flow for each item of a list (code), which finds it as `data.item` and its place, from 0, as `data.index`. */
  | { readonly kind: 'each'; readonly list: string; readonly inner: ForeignGraph }
  /** Cannot be imported: fails with this message. */
  | { readonly kind: 'placeholder'; readonly message: string }
  /** `marker`: only marks a place, such as the start, and is left out where that is possible. */
  | { readonly kind: 'pass'; readonly marker?: true };

/** Edges that end here end the flow. */
export const endOfFlow = '$end';

/** A file that belongs to an imported flow, by its path beside it. */
export interface ForeignFile {
  readonly path: string;
  readonly text: string;
}

/** What reading a file of another tool gives: its graph, and files that belong to it. */
export interface ForeignReading {
  readonly graph: ForeignGraph;
  readonly files: readonly ForeignFile[];
}
