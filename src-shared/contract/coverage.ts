import { z } from 'zod';

/** What a node of a flow's file did in the counted runs, wherever the flow ran: by itself, nested, for items or as a tool. */
export const nodeCoverageSchema = z.object({
  /** Its id in the file. */
  node: z.string(),
  kind: z.string(),
  /** How often it finished. */
  count: z.int(),
  /** Attempts that failed. */
  failures: z.int(),
  duration_ms: z.number(),
  tokens: z.int(),
  /** Tokens by the URL of the model, where the provider reported them. */
  models: z.record(z.string(), z.object({ tokens_in: z.int(), tokens_out: z.int() })),
});
export type NodeCoverage = z.infer<typeof nodeCoverageSchema>;

/** How often a node produced a state: an output of the file's node. */
export const wireCoverageSchema = z.object({ node: z.string(), state: z.string(), count: z.int() });
export type WireCoverage = z.infer<typeof wireCoverageSchema>;

/** A node, or with `state` a branch of it, that no counted run has taken. */
export const uncoveredSchema = z.object({
  node: z.string(),
  title: z.string(),
  state: z.string().nullable(),
  /** The shortest sequence of nodes that leads there, as ids of the flow with nested flows inlined; null if it is too long to find, or there is none. */
  route: z.array(z.object({ node: z.string(), branch: z.string().optional() })).nullable(),
  /** The states that wait before the node fires, at the end of the route. */
  marking: z.array(z.string()),
});
export type Uncovered = z.infer<typeof uncoveredSchema>;

export const coverageSchema = z.object({
  flow: z.string(),
  /** Runs in which the flow took part. */
  runs: z.int(),
  nodes: z.array(nodeCoverageSchema),
  wires: z.array(wireCoverageSchema),
  /** Nodes and branches of the current file that were taken, and all of them. Other outputs are taken whenever their node is. */
  covered: z.int(),
  total: z.int(),
  uncovered: z.array(uncoveredSchema),
});
export type Coverage = z.infer<typeof coverageSchema>;
