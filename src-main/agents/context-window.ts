import { messageText } from '#main/models/message-text.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { Message } from '#shared/run/message.ts';

/**
 * Selects the part of a conversation to send, by the agent's `context` setting: always the opening, then as many of the last turns as fit. A
 * turn is never split from its tool results. Tokens are estimated at four characters each.
 */
export function contextWindow(messages: readonly Message[], context: AgentSettings['context']): readonly Message[] {
  if (!context) return messages;
  const first = messages.findIndex(({ role }) => role === 'assistant');
  if (first < 0) return messages;
  const opening = messages.slice(0, first);
  const groups = groupTurns(messages.slice(first));
  let left = 'last' in context ? context.last : context.tokens - sizeOf(opening);
  const kept: Message[][] = [];
  for (const group of groups.toReversed()) {
    left -= 'last' in context ? group.length : sizeOf(group);
    if (left < 0 && kept.length > 0) break;
    kept.unshift(group);
  }
  return [...opening, ...kept.flat()];
}

/** Groups the messages by model turn, each with everything before the next turn. */
function groupTurns(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'assistant') groups.push([message]);
    else groups.at(-1)?.push(message);
  }
  return groups;
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + Math.ceil(messageText(message).length / 4), 0);
}
