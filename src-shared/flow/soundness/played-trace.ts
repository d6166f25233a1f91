import { z } from 'zod';

/** One firing of a counterexample, with what it did to the marking. */
export const playedStepSchema = z.object({
  node: z.string(),
  kind: z.string(),
  /** Which way an `either` went. */
  branch: z.string().optional(),
  consumed: z.array(z.string()),
  produced: z.array(z.string()),
  /** The states that wait after it, the oldest first. */
  marking: z.array(z.string()),
});
export type PlayedStep = z.infer<typeof playedStepSchema>;

/** A state that still waits at the end of a counterexample. */
export const leftStateSchema = z.object({
  state: z.string(),
  /** The node that would consume it; null for the flow's output. */
  node: z.string().nullable(),
  /** Of a join: what else it needs and does not have. */
  missing: z.array(z.string()),
});
export type LeftState = z.infer<typeof leftStateSchema>;

/** A counterexample to play: all of its markings, and the failure at its end. */
export const playedTraceSchema = z.object({
  /** The `each` node in whose flow it happens, whose names then begin with `"{each}::"`; null for the flow itself. */
  inside: z.string().nullable(),
  input: z.string(),
  output: z.string(),
  steps: z.array(playedStepSchema),
  /** The state that the last step would produce a second time. */
  collision: z.string().nullable(),
  left: z.array(leftStateSchema),
  /** Nodes that could still fire at the end. */
  able: z.array(z.string()),
});
export type PlayedTrace = z.infer<typeof playedTraceSchema>;
