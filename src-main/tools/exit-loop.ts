import type { Json } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

/**
 * In PyFlow this ends the loop around an agent. Here the loop is part of the graph and an `either` node decides whether to repeat it; this
 * tool only produces a value for that decision, so a model cannot change the control flow that was proved sound.
 */
export const exitLoopTool = builtInTool('exit_loop', {
  description:
    'Signals that a loop has finished its work: returns {"exit_loop": true} for the node that decides whether to repeat the loop.',
  input_schema: inputSchema({ reason: { type: 'string', description: 'Why no further iteration is needed' } }),
  output_schema: {
    type: 'object',
    properties: { exit_loop: { const: true }, reason: { type: 'string' } },
    required: ['exit_loop'],
  },
  call: (input): Json => ({ exit_loop: true, ...input }),
});
