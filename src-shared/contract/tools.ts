import { z } from 'zod';
import { json, procedure } from '#shared/contract/common.ts';

export const toolInfoSchema = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: json,
  effect: z.enum(['none', 'read', 'write']),
  /** Whether an agent's call asks a person first, in this folder. */
  asks: z.boolean(),
});
export type ToolInfo = z.infer<typeof toolInfoSchema>;

export const toolsContract = {
  list: procedure.output(z.array(toolInfoSchema)),
};
