import { z } from 'zod';

/** Kinds of capabilities, in display order. */
export const capabilityKinds = ['model', 'host', 'secret', 'command', 'code', 'mcp', 'write', 'read', 'tool', 'unasked'] as const;

/** A capability, whoever has it. */
export const reachSchema = z.object({
  kind: z.enum(capabilityKinds),
  /** The exact resource. Together with the kind, it identifies the capability in what the user has allowed. */
  name: z.string(),
  /** Explains the name if it is not self-explanatory. */
  note: z.string().optional(),
  /** Needs no consent: it touches nothing outside the run, or only computes on this machine. */
  harmless: z.boolean(),
});
export type Reach = z.infer<typeof reachSchema>;
