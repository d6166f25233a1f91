import type { Json } from '#shared/json.ts';
import { inputSchema } from './input-schema.ts';
import type { Tool } from './tool.ts';

/**
 * In PyFlow this ends the loop around an agent. Here a loop is drawn, and an `either` node decides whether it goes round again: this tool
 * gives it something to decide by. It has no power of its own, so a flow cannot be steered past what was proved of it.
 */
export const exitLoopTool: Tool = {
  name: 'exit_loop',
  description:
    'Says that a loop has done its work: answers {"exit_loop": true}, which the node that decides about the next round can read.',
  input_schema: inputSchema({ reason: { type: 'string', description: 'Why no further round is needed' } }),
  output_schema: {
    type: 'object',
    properties: { exit_loop: { const: true }, reason: { type: 'string' } },
    required: ['exit_loop'],
  },
  effect: 'none',
  approve: 'never',
  call: (input): Json => ({ exit_loop: true, ...input }),
};
