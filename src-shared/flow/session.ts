import { z } from 'zod';
import type { Json } from '#shared/json.ts';

const json = z.unknown() as z.ZodType<Json>;
const jsonObject = z.record(z.string(), json);
const text = z.string().min(1);
const inputs = z.array(z.string()).optional();

/** What a `work` node does with the session that it consumes. */
export const workSessionSchema = z.union([
  /** Begins a session: injects date, time and time zone. */
  z.strictObject({ begin: z.strictObject({ timezone: text.optional() }) }),
  /** Evaluates a Python expression over some keys of the state. */
  z.strictObject({ expr: text, inputs, output: text }),
  /** Calls a Python function. */
  z.strictObject({ code: text, inputs, output: text }),
  /** Calls a tool with the arguments in `with`, in which `{key}` stands for a value of the state. */
  z.strictObject({ tool: text, with: jsonObject.optional(), output: text }),
  /** Ends the session with its result. */
  z.strictObject({ end: z.literal(true) }),
]);

/** A `fork` that begins a parallel region: one name for each branch. `of` names the region, whose branches do not hear each other later on. */
export const forkSessionSchema = z.strictObject({ branches: z.array(text).min(2), of: text.optional() });

/** A `join` of two branches. Of the cascade that joins n branches, all but the last are a `part`. */
export const joinSessionSchema = z.strictObject({ merge: z.enum(['part', 'last']), by: z.enum(['turns', 'list']).optional() });

export const eitherSessionSchema = z.union([
  /** Left leaves the loop. `round` also counts rounds up to `max`. */
  z.strictObject({ leave: text, max: z.int().positive().optional(), check: z.enum(['escalated', 'round']) }),
  /** Left if the router chose this agent. */
  z.strictObject({ transfer: text }),
]);

/** What an agent of a session has besides its `agent` settings. */
export const agentSessionSchema = z.strictObject({
  output: text.optional(),
  contents: z.enum(['default', 'none']),
  schema: jsonObject.optional(),
  planner: z.union([z.literal('plan_react'), z.strictObject({ thinking_budget: z.int().optional() })]).optional(),
  /** The agents that it can hand over to. */
  transfer: z
    .array(z.strictObject({ name: text, description: z.string().optional() }))
    .min(1)
    .optional(),
  /** The loops around it, innermost first: `exit_loop` leaves them. */
  loops: z.array(text).optional(),
  /** The agents that it calls as tools, by `flow:PATH`. */
  agents: z
    .record(z.string(), z.strictObject({ name: text, description: z.string().optional(), input_schema: jsonObject.optional() }))
    .optional(),
  callbacks: z.record(z.string(), text).optional(),
});

/** Where a flow was imported from. `nodes` has a hash of each node as it was generated. */
export const pyflowRecordSchema = z.strictObject({
  source: text,
  hash: text,
  dialect: z.enum(['seed', 'latest']),
  a2a: jsonObject.optional(),
  nodes: z.record(z.string(), z.string()),
  /** The nodes of each `sequential` agent, which is no node itself. */
  sequences: z.record(z.string(), z.array(z.string())).optional(),
});

export type WorkSession = z.infer<typeof workSessionSchema>;
export type ForkSession = z.infer<typeof forkSessionSchema>;
export type JoinSession = z.infer<typeof joinSessionSchema>;
export type EitherSession = z.infer<typeof eitherSessionSchema>;
export type AgentSession = z.infer<typeof agentSessionSchema>;
export type PyflowRecord = z.infer<typeof pyflowRecordSchema>;

/** The `session` of any node but an agent. */
export type NodeSession = WorkSession | ForkSession | JoinSession | EitherSession;
