import type { ModelResponse } from '#main/engine/ports/model-client.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { reportedUsage } from '#main/models/reported-usage.ts';
import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';

const finishReasons: ReadonlySet<string> = new Set<ModelResponse['finish_reason']>(['stop', 'tool', 'length']);

/**
 * Normalizes a response of any client: makes texts well-formed and token counts non-negative, and drops parts that an answer cannot have.
 * Throws `AgentError` `INFERENCE_MALFORMED_RESPONSE` if it is not a message, or contains values that a run cannot store.
 */
export function normalizeResponse(url: string, response: ModelResponse): ModelResponse {
  const given: unknown = response;
  if (!isJsonObject(given as Json) || !isJsonObject(toJson(response.message)) || !Array.isArray(response.message.content)) {
    throw invalidShape(url, 'it is not a message');
  }
  const { finish_reason, usage, next_turn, message } = response;
  const content = message.content.flatMap(normalizePart);
  const { vendor } = message;
  const usable: Message = { role: 'assistant', content, ...(vendor && !freezeJson(vendor) && { vendor }) };
  const notJson = freezeJson(usable);
  if (notJson) throw invalidShape(url, `it contains ${notJson.message} (at ${notJson.path})`);
  return {
    message: usable,
    finish_reason: finishReasons.has(finish_reason) ? finish_reason : 'stop',
    usage: reportedUsage(count(usage?.tokens_in), count(usage?.tokens_out), {
      cached: known(usage?.tokens_cached),
      reasoning: known(usage?.tokens_reasoning),
    }),
    ...(next_turn !== undefined && { next_turn: count(next_turn) }),
  };
}

function normalizePart(part: MessagePart): MessagePart[] {
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

/** Replaces lone surrogates with U+FFFD. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** Makes all texts in a value well-formed. Values beyond the maximum depth are left as is, because they are rejected later. */
function wellFormed(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (depth > 1000) return value;
  if (Array.isArray(value)) return value.map((item: Json) => wellFormed(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)]));
}

/** A token count; 0 if it is not a positive number. */
function count(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? Math.round(value) : 0;
}

/** A count that a client may leave out. */
function known(value: unknown): number | undefined {
  return value === undefined ? undefined : count(value);
}

function invalidShape(url: string, why: string): FlowError {
  return new FlowError('AgentError', `Invalid response from ${url}: ${why}.`, { code: 'INFERENCE_MALFORMED_RESPONSE' });
}
