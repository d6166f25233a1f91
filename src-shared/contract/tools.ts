import { z } from 'zod';
import { json, procedure } from './common.ts';

export const toolInfoSchema = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: json,
  /** Schema of the result, where the tool promises one. */
  output_schema: json.optional(),
  effect: z.enum(['none', 'read', 'write']),
  /** Whether an agent's call asks a person first, in this folder. */
  asks: z.boolean(),
  /** The MCP server that it comes from; null for what is built in. */
  server: z.string().nullable(),
  /** Of a tool of the folder's own whose file cannot be loaded: why. Nothing can call it. */
  problem: z.string().optional(),
});
export type ToolInfo = z.infer<typeof toolInfoSchema>;

export const toolsContract = {
  list: procedure.output(z.array(toolInfoSchema)),
};
