import type { Message, MessagePart } from '#shared/run/message.ts';
import { modelResult } from './image-part.ts';

/** The text of a message. */
export function messageText({ content }: Message): string {
  return content.map(partText).join('\n');
}

/** The system messages, which vendors take separately from the conversation. */
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
      return modelResult(part).text;
  }
}
