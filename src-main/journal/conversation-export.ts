import { messageText } from '#main/models/message-text.ts';
import type { Json } from '#shared/json.ts';
import { plainMessage, seenOf } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry, Message } from '#shared/run/message.ts';

/** The file of an exported conversation. */
export function conversationExport(key: string, entries: readonly ConversationEntry[]) {
  return { pravah_conversation: 1, key, entries } as const;
}

/** The finished exchanges of a conversation as one line of OpenAI's format for fine-tuning. */
export function fineTuningLine(entries: readonly ConversationEntry[]): string {
  const originals = entries.filter(({ entry }) => entry.kind === 'message');
  const messages = seenOf(originals)
    .exchanges.flat()
    .flatMap((entry) => fineTuningMessages(plainMessage(entry)));
  return JSON.stringify({ messages });
}

function fineTuningMessages(message: Message): Json[] {
  const { role, content } = message;
  if (role === 'tool') {
    return content.flatMap((part) =>
      part.type === 'tool_result'
        ? [{ role, tool_call_id: part.tool_call_id, content: typeof part.result === 'string' ? part.result : JSON.stringify(part.result) }]
        : [],
    );
  }
  const calls = content.flatMap((part) =>
    part.type === 'tool_call'
      ? [{ id: part.tool_call_id, type: 'function', function: { name: part.tool, arguments: JSON.stringify(part.input) } }]
      : [],
  );
  const text = messageText({ role, content: content.filter(({ type }) => type === 'text' || type === 'image') });
  return [{ role, content: text, ...(calls.length > 0 && { tool_calls: calls }) }];
}
