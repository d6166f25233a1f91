import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { json, procedure } from './common.ts';

/** Approval status of a server's tool: as approved, changed since, never approved, approved and no longer listed. */
export const mcpStandingSchema = z.enum(['approved', 'changed', 'new', 'gone']);

export const mcpToolSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  input_schema: json,
  /** What the server says of it: it only reads, or it may destroy. */
  read_only: z.boolean(),
  destructive: z.boolean(),
  standing: mcpStandingSchema,
  /** Hash of the tool's description. An approval names it, so that a tool that has changed meanwhile is not approved. */
  fingerprint: z.string(),
  /** Of a changed one: what it says otherwise than when it was approved. */
  changes: z.array(z.string()),
});
export type McpToolInfo = z.infer<typeof mcpToolSchema>;

export const mcpServerSchema = z.object({
  name: z.string(),
  transport: z.enum(['stdio', 'http']),
  /** The program with its arguments, or the address. */
  target: z.string(),
  /** `blocked`: the folder is not trusted, so it is not started. `idle`: nothing has needed it yet. */
  state: z.enum(['blocked', 'idle', 'starting', 'connected', 'failed']),
  /** What the server calls itself. */
  server: z.object({ name: z.string(), version: z.string() }).nullable(),
  last_error: z.string().nullable(),
  /** The end of what it printed on standard error. */
  last_words: z.string(),
  /** What it lists once it is connected; before that, what was approved of it. */
  tools: z.array(mcpToolSchema),
  /** Why tools that it lists cannot be used. */
  faults: z.array(z.string()),
});
export type McpServerInfo = z.infer<typeof mcpServerSchema>;

const named = z.object({ name: z.string() });

export const mcpContract = {
  /** The servers of the open folder's `pravah.json`; starts none. */
  list: procedure.output(z.array(mcpServerSchema)),
  /** Starts a server, where it does not run, and reads what it offers. */
  connect: procedure.input(named).output(mcpServerSchema),
  /** Ends a server; the next use starts it at once. */
  stop: procedure.input(named).output(mcpServerSchema),
  /** Approves exactly these of the listed tools, as they were shown, replacing all earlier approvals. An empty list revokes them. Fails with `Conflict` if a tool has changed since. */
  approve: procedure
    .input(named.extend({ tools: z.array(z.object({ name: z.string(), fingerprint: z.string() })).max(1000) }))
    .output(mcpServerSchema),
  /** The servers as they change, from how they are now on. */
  watch: procedure.output(eventIterator(z.array(mcpServerSchema))),
};
