import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import type { ModelTurn } from '#shared/contract/supplied.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { MessagePart } from '#shared/run/message.ts';

/** Returns an answer that was written by hand as a model's response, and streams its text. */
export function turnResponse(turn: ModelTurn, request: Pick<ModelRequest, 'tools' | 'output_schema' | 'onDelta'>): ModelResponse {
  const content: MessagePart[] = [];
  if (turn.reasoning !== undefined) content.push({ type: 'reasoning', text: turn.reasoning });
  if (turn.text !== undefined) content.push({ type: 'text', text: turn.text });
  for (const { tool, input } of turn.tool_calls ?? []) content.push({ type: 'tool_call', tool_call_id: '', tool, input });
  if (turn.output !== undefined) {
    const submits = request.tools.some(({ name }) => name === submitTool);
    const text = typeof turn.output === 'string' && !request.output_schema ? turn.output : JSON.stringify(turn.output);
    content.push(submits ? { type: 'tool_call', tool_call_id: '', tool: submitTool, input: turn.output } : { type: 'text', text });
  }
  for (const part of content) if (part.type === 'text' || part.type === 'reasoning') request.onDelta?.(part);
  return {
    message: { role: 'assistant', content },
    finish_reason: content.some(({ type }) => type === 'tool_call') ? 'tool' : 'stop',
    usage: turn.usage ?? { tokens_in: 0, tokens_out: 0 },
  };
}
