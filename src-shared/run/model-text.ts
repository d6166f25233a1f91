import type { Json } from '#shared/json.ts';
import type { Message, MessagePart } from './message.ts';

/*
 * A model may send 128 MiB before it fails, and a failure is recorded, printed and re-read with each list of runs. So a failure contains only a part
 * of the text, with its full length.
 */

/** Most characters of a model's text in a failure. */
export const longestModelText = 64 * 1024;

/** Truncates a text; a truncated one ends with a note of its full length. */
export function capText(text: string, limit = longestModelText): string {
  if (text.length <= limit) return text;
  const note = `… (${text.length} characters)`;
  return text.slice(0, Math.max(0, limit - note.length)).toWellFormed() + note;
}

/** Returns the value, or the truncated text of its JSON if that is too long. */
export function capJson(value: Json, limit = longestModelText): Json {
  const text = JSON.stringify(value) ?? '';
  return text.length <= limit ? value : capText(text, limit);
}

/** Truncates a message to its first parts and returns its original length as JSON; null if it is short enough. */
export function capMessage(message: Message): { readonly message: Message; readonly length: number } | null {
  const { length } = JSON.stringify(message);
  if (length <= longestModelText) return null;
  const content: MessagePart[] = [];
  // The other half is for key names and escapes.
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
