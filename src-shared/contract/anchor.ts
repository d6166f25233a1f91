import { z } from 'zod';

/** What a node looked like when a breakpoint or a pin was set at it, to find it again after it was renamed elsewhere. */
export const anchorSchema = z.object({
  kind: z.string(),
  title: z.string().optional(),
  to: z.array(z.string()),
  index: z.int().nonnegative(),
});
export type Anchor = z.infer<typeof anchorSchema>;
