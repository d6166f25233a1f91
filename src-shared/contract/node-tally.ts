import { z } from 'zod';

/** What a node has done up to some step. Nodes inside an `each` node add their tokens and time to it; it counts its own firings. */
export const nodeTallySchema = z.object({
  /** How often it has finished. */
  count: z.int(),
  /** Model calls made for it as an agent. */
  turns: z.int(),
  tokens: z.int(),
  duration_ms: z.number(),
});
export type NodeTally = z.infer<typeof nodeTallySchema>;
