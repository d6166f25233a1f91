import type { ModelRequest } from '#main/engine/ports/model-client.ts';

/** Whether the model may or must call a tool, in the words of OpenAI's protocols. */
export function toolChoice({ tool_choice }: ModelRequest): { tool_choice?: 'none' | 'required' } {
  return tool_choice === undefined ? {} : { tool_choice };
}
