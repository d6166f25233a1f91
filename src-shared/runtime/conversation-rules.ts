import { imageTypes, isBase64 } from '#shared/runtime/image-types.ts';
import type { Message, MessagePart } from '#shared/runtime/message.ts';

/** Parts that a message of each role may have. Who uses an agent says text and shows images (Everruns' `InputContentPart`); the rest is the agent's own. */
const parts: Readonly<Record<Message['role'], ReadonlySet<MessagePart['type']>>> = {
  system: new Set(['text']),
  user: new Set(['text', 'image']),
  assistant: new Set(['text', 'reasoning', 'tool_call']),
  tool: new Set(['tool_result']),
};

/** What is wrong with a conversation that an agent is to go on with, by place; empty for a good one. Messages that were cut off are not sent, so they may be anything. */
export function conversationFaults(messages: readonly Message[]): { readonly path: (string | number)[]; readonly message: string }[] {
  const faults: { path: (string | number)[]; message: string }[] = [];
  const open = new Map<string, number>();
  for (const [index, { role, content, incomplete }] of messages.entries()) {
    if (incomplete) continue;
    if (role !== 'tool')
      for (const id of open.keys()) faults.push({ path: [index], message: `The call ${id} has no result before this message` });
    if (role !== 'tool') open.clear();
    for (const [at, part] of content.entries()) {
      const fault = parts[role].has(part.type) ? partFault(part, open) : `A message of the role ${role} holds no part of type ${part.type}`;
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
  if (part.type === 'tool_result' && !open.has(part.tool_call_id)) return `The result ${part.tool_call_id} belongs to no call before it`;
  if (part.type !== 'image') return null;
  if (!imageTypes.has(part.media_type)) return `Images of type ${part.media_type} are shown to no model; use ${[...imageTypes].join(', ')}`;
  return isBase64(part.data) ? null : 'The data of an image are its bytes in base64';
}
