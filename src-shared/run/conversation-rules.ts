import { imageTypes, isBase64 } from './image-types.ts';
import type { Message, MessagePart } from './message.ts';

/** Parts that a message of each role may have. Users send text and images (Everruns' `InputContentPart`); the other parts are the agent's. */
const parts: Readonly<Record<Message['role'], ReadonlySet<MessagePart['type']>>> = {
  system: new Set(['text']),
  user: new Set(['text', 'image']),
  assistant: new Set(['text', 'reasoning', 'tool_call']),
  tool: new Set(['tool_result']),
};

/** Returns the errors in a conversation that an agent is to continue, with their paths; empty if it is valid. Partial messages are not sent, so they are not checked. */
export function conversationFaults(messages: readonly Message[]): { readonly path: (string | number)[]; readonly message: string }[] {
  const faults: { path: (string | number)[]; message: string }[] = [];
  const open = new Map<string, number>();
  for (const [index, { role, content, incomplete }] of messages.entries()) {
    if (incomplete) continue;
    if (role !== 'tool')
      for (const id of open.keys()) faults.push({ path: [index], message: `The call ${id} has no result before this message` });
    if (role !== 'tool') open.clear();
    for (const [at, part] of content.entries()) {
      const fault = parts[role].has(part.type)
        ? partFault(part, open)
        : `A message with the role ${role} cannot contain a part of type ${part.type}`;
      if (fault) faults.push({ path: [index, 'content', at], message: fault });
      if (part.type === 'tool_call') open.set(part.tool_call_id, index);
      if (part.type === 'tool_result') open.delete(part.tool_call_id);
    }
  }
  for (const [id, index] of open) faults.push({ path: [index], message: `The call ${id} has no result` });
  return faults;
}

function partFault(part: MessagePart, open: ReadonlyMap<string, number>): string | null {
  if (part.type === 'tool_call' && open.has(part.tool_call_id)) return `Two calls have the id ${part.tool_call_id}`;
  if (part.type === 'tool_result' && !open.has(part.tool_call_id)) return `The result ${part.tool_call_id} has no call before it`;
  if (part.type !== 'image') return null;
  if (!imageTypes.has(part.media_type)) return `Images of type ${part.media_type} are not supported; use ${[...imageTypes].join(', ')}`;
  return isBase64(part.data) ? null : 'The data of an image must be base64';
}
