import { toldResult } from '#main/models/image-part.ts';
import type { Message, MessagePart } from '#shared/runtime/message.ts';

/** All that a message says, as text. */
export function messageText({ content }: Message): string {
  return content.map(partText).join('\n');
}

/** What the author says to the model itself, message by message: vendors take it apart from what is said in the conversation. */
export function systemTexts(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'system').map(messageText);
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'image':
      return `[image ${part.media_type}]`;
    case 'tool_call':
      return `${part.tool} ${JSON.stringify(part.input)}`;
    case 'tool_result':
      return toldResult(part).text;
  }
}
