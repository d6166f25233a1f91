import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import type { TransferableError } from './error.ts';
import type { Message } from './message.ts';
import { capMessage } from './model-text.ts';

/*
 * If a model is cut off (its stream breaks, the run is cancelled, the time is up), its step fails. The partial message is stored in the failure
 * (`details.partial`) and, from there, in the agent's conversation, marked `incomplete`. It is only for people. The engine skips it: it is sent to
 * no model and not counted, so a retried step sends the same request, and the conversation means the same with and without it.
 */

/** The partial message in the failure of a step that was cut off; null for other failures. */
export function cutMessage(error: TransferableError): Message | null {
  const { partial } = error.details;
  return error.type === 'FlowError' && isCutMessage(partial) ? partial : null;
}

/** Checks only what tells it from other details, without the schema, so that a program that imports this loads no zod. */
function isCutMessage(value: Json | undefined): value is Json & Message {
  return isJsonObject(value) && value.role === 'assistant' && value.incomplete === true && Array.isArray(value.content);
}

/** Adds the partial message to a failure's details. A long message is truncated; `partial_length` is then its length as JSON. */
export function withCutMessage(details: Readonly<Record<string, Json>>, message: Message): Record<string, Json> {
  const capped = capMessage(message);
  const partial = toJson({ ...(capped?.message ?? message), incomplete: true });
  return { ...details, partial, ...(capped && { partial_length: capped.length }) };
}

/** The conversation without partial messages, as the engine uses it. */
export function wholeMessages(messages: readonly Message[]): readonly Message[] {
  return messages.some(({ incomplete }) => incomplete) ? messages.filter(({ incomplete }) => !incomplete) : messages;
}
