import type { ModelResponse } from '#main/models/model-client.ts';
import { settleValue } from '#main/runtime/settle-value.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import type { Message, MessagePart } from '#shared/runtime/message.ts';

const finishReasons: ReadonlySet<string> = new Set<ModelResponse['finish_reason']>(['stop', 'tool', 'length']);

/**
 * A client's answer as the engine can go on with it, whatever client made it: texts are well-formed, tokens are counted from 0, of parts only those that
 * an answer may have are left. Throws `AgentError` `INFERENCE_MALFORMED_RESPONSE` for what is no answer, or holds what no run can keep.
 */
export function usableAnswer(url: string, response: ModelResponse): ModelResponse {
  const given: unknown = response;
  if (!isJsonObject(given as Json) || !isJsonObject(response.message as unknown as Json) || !Array.isArray(response.message.content)) {
    throw malformed(url, 'it is no message');
  }
  const { finish_reason, usage, next_turn, message } = response;
  const content = message.content.flatMap(usablePart);
  const { vendor } = message;
  const usable: Message = { role: 'assistant', content, ...(vendor && !settleValue(vendor) && { vendor }) };
  const impurity = settleValue(usable);
  if (impurity) throw malformed(url, `it holds ${impurity.message} (at ${impurity.path})`);
  return {
    message: usable,
    finish_reason: finishReasons.has(finish_reason) ? finish_reason : 'stop',
    usage: { tokens_in: count(usage?.tokens_in), tokens_out: count(usage?.tokens_out) },
    ...(next_turn !== undefined && { next_turn: count(next_turn) }),
  };
}

function usablePart(part: MessagePart): MessagePart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: text(part.text) }];
    case 'tool_call':
      return [{ type: 'tool_call', tool_call_id: text(part.tool_call_id), tool: text(part.tool), input: wellFormed(part.input ?? {}, 0) }];
    default:
      return [];
  }
}

/** Half of a surrogate pair becomes the replacement character, as it would on any screen. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** The value with well-formed texts. Deeper than any value may be it stays as it is, and is refused as a whole. */
function wellFormed(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (depth > 1000) return value;
  if (Array.isArray(value)) return value.map((item: Json) => wellFormed(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)]));
}

/** A number of tokens: what is no number, or a negative one, is none. */
function count(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? Math.round(value) : 0;
}

function malformed(url: string, why: string): FlowError {
  return new FlowError('AgentError', `The answer of ${url} cannot be used: ${why}.`, { code: 'INFERENCE_MALFORMED_RESPONSE' });
}
