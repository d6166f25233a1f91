import type { ConversationEntry, Message } from './message.ts';

/** Maximum number of characters of a conversation's key. */
export const longestKey = 200;

/** Where a kept conversation lives: in its run, or in the folder's journal. */
export type KeptScope = 'run' | 'workspace';

/** The id of a kept conversation, under which the history has its messages. No node id begins with `@`. */
export function conversationId(scope: KeptScope, key: string): string {
  return `@${scope}/${key}`;
}

/** The key in the id of a conversation of the workspace; null for any other id. */
export function workspaceKey(id: string): string | null {
  return id.startsWith('@workspace/') ? id.slice('@workspace/'.length) : null;
}

/** Whether an id of the history is that of a kept conversation, not of a node. */
export function isConversationId(id: string): boolean {
  return id.startsWith('@');
}

/** What is wrong with a conversation's key, as the end of a sentence; null if it is valid. */
export function keyProblem(key: string): string | null {
  if (key.length === 0) return 'is empty';
  if (key.length > longestKey) return `has ${key.length} characters; the maximum is ${longestKey}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return /[\u0000-\u001f\u007f]/.test(key) ? 'contains a control character' : null;
}

/** A message without what makes it an entry: as models get it. */
export function plainMessage({ entry: _entry, ...message }: Message): Message {
  return message;
}

/** The entries by exchange, in order. */
export function exchangesOf(entries: readonly ConversationEntry[]): ConversationEntry[][] {
  const exchanges = new Map<string, ConversationEntry[]>();
  for (const each of entries) {
    const known = exchanges.get(each.entry.exchange);
    if (known) known.push(each);
    else exchanges.set(each.entry.exchange, [each]);
  }
  return [...exchanges.values()];
}

/** Whether an exchange ended with an answer. */
export function isFinished(exchange: readonly ConversationEntry[]): boolean {
  return exchange.some(({ entry }) => entry.ends);
}

/** What a new visit sees of a conversation: its last summary, if any, and the finished exchanges that no summary replaces. */
export function seenOf(entries: readonly ConversationEntry[]): { summary: ConversationEntry | null; exchanges: ConversationEntry[][] } {
  const summary = entries.findLast(({ entry }) => entry.kind === 'summary') ?? null;
  const [, replaced = 0] = summary?.entry.replaces ?? [];
  const rest = entries.filter(({ entry }) => entry.kind === 'message' && entry.position > replaced);
  return { summary, exchanges: exchangesOf(rest).filter(isFinished) };
}
