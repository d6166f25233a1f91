import { messageText } from '#main/models/message-text.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { Message } from '#shared/run/message.ts';
import { charactersOf, estimatedTokens, type Measured } from './request-size.ts';

/**
 * Selects the part of a conversation to send, by the agent's `context` setting: always the opening of this visit, then as many of its last turns as
 * fit, then as many of the earlier exchanges. A turn is never split from its tool results, and an exchange is never split. Tokens are estimated at four
 * characters each, or by what the model has reported (`counting`; `beside`: characters of tools and schema).
 */
export function contextWindow(
  messages: readonly Message[],
  context: AgentSettings['context'],
  earlier: readonly (readonly Message[])[] = [],
  counting?: { readonly beside: number; readonly measured: Measured | undefined },
): readonly Message[] {
  if (!context) return inOrder(messages, earlier.flat());
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const opening = first < 0 ? messages : messages.slice(0, first);
  const sizeOf = (some: readonly Message[], beside = 0): number =>
    counting ? estimatedTokens(charactersOf(some) + beside, counting.measured) : roughSize(some);
  let left = 'last' in context ? context.last : context.tokens - sizeOf(opening, counting?.beside);
  const fits = (group: readonly Message[]): boolean => {
    left -= 'last' in context ? group.length : sizeOf(group);
    return left >= 0;
  };
  const turns = first < 0 ? [] : groupTurns(messages.slice(first));
  // The last turn is always sent.
  const kept = newest(turns, (turn) => fits(turn) || turn === turns.at(-1));
  const exchanges = kept.length === turns.length && left > 0 ? newest(earlier, fits) : [];
  return inOrder([...opening, ...kept.flat()], exchanges.flat());
}

/** The preamble, what was said before the visit, and the visit. */
export function inOrder(messages: readonly Message[], earlier: readonly Message[]): readonly Message[] {
  if (earlier.length === 0) return messages;
  const preamble = messages.findLastIndex(({ role }) => role === 'system') + 1;
  return [...messages.slice(0, preamble), ...earlier, ...messages.slice(preamble)];
}

/** The longest end of a list whose items may stay. */
function newest<Item>(items: readonly Item[], stays: (item: Item) => boolean): Item[] {
  const kept: Item[] = [];
  for (const item of items.toReversed()) {
    if (!stays(item)) break;
    kept.unshift(item);
  }
  return kept;
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

function roughSize(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + Math.ceil(messageText(message).length / 4), 0);
}
