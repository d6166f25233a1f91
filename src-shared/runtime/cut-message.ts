import { isJsonObject, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { Message } from '#shared/runtime/message.ts';
import { capMessage } from '#shared/runtime/model-text.ts';

/*
 * A model that is cut off in the middle (its stream ends, the run is cancelled, time is over) fails its step, and what it had said by then is kept: in the
 * failure (`details.partial`), and from there in the agent's conversation, as a message marked `incomplete`. It stands there for people. The engine passes over it:
 * it is sent to no model and counted by nothing, so a step that is tried again asks the model the same anew, and a conversation means the same with and without it.
 */

/** What a model had said when it was cut off, out of the failure of its step; null for other failures. */
export function cutMessage(error: TransferableError): Message | null {
  const { partial } = error.details;
  if (error.type !== 'FlowError' || !isJsonObject(partial)) return null;
  return partial.role === 'assistant' && partial.incomplete === true ? (partial as unknown as Message) : null;
}

/** The details of a failure, with what the model had said by then. Of a long message the beginning; `partial_length` is then its length as JSON. */
export function withCutMessage(details: Readonly<Record<string, Json>>, message: Message): Record<string, Json> {
  const capped = capMessage(message);
  const partial = { ...(capped?.message ?? message), incomplete: true } as unknown as Json;
  return { ...details, partial, ...(capped && { partial_length: capped.length }) };
}

/** A conversation without what was cut off: what the engine goes by. */
export function wholeMessages(messages: readonly Message[]): readonly Message[] {
  return messages.some(({ incomplete }) => incomplete) ? messages.filter(({ incomplete }) => !incomplete) : messages;
}
