import type { Json } from '#shared/json.ts';
import type { Message, MessagePart } from '#shared/runtime/message.ts';

/*
 * A model may say 128 MiB before it fails, and a failure is recorded, printed and read again with each list of runs. So a failure holds a part of it, with
 * its true length.
 */

/** Characters of a model's own text that a failure holds. */
export const longestModelText = 64 * 1024;

/** The beginning of a text, with its whole length noted where something is missing. */
export function capText(text: string, limit = longestModelText): string {
  if (text.length <= limit) return text;
  const note = `… (${text.length} characters)`;
  return text.slice(0, Math.max(0, limit - note.length)).toWellFormed() + note;
}

/** A value; one that is longer as JSON becomes the beginning of its JSON. */
export function capJson(value: Json, limit = longestModelText): Json {
  const text = JSON.stringify(value) ?? '';
  return text.length <= limit ? value : capText(text, limit);
}

/** A message of which the first parts are kept, and how long it was as JSON; null where nothing had to go. */
export function capMessage(message: Message): { readonly message: Message; readonly length: number } | null {
  const { length } = JSON.stringify(message);
  if (length <= longestModelText) return null;
  const content: MessagePart[] = [];
  // Room for the names of keys, and for what escapes add.
  let room = longestModelText / 2;
  for (const part of message.content) {
    if (room <= 0) break;
    const kept = capPart(part, room);
    content.push(kept);
    room -= JSON.stringify(kept).length;
  }
  return { message: { role: message.role, content }, length };
}

function capPart(part: MessagePart, room: number): MessagePart {
  if (part.type === 'text' || part.type === 'reasoning') return { type: part.type, text: capText(part.text, room) };
  if (part.type !== 'tool_call') return part;
  return {
    type: 'tool_call',
    tool_call_id: capText(part.tool_call_id, 1000),
    tool: capText(part.tool, 1000),
    input: capJson(part.input, room),
  };
}
