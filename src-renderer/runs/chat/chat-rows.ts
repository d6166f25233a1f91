import { type ConversationBlock, conversationBlocks } from '#renderer/runs/debugger/conversation-turns.ts';
import type { ConversationEntry } from '#shared/run/message.ts';

/** One message of a chat as it is shown, with the results of its calls. */
export interface ChatRow {
  readonly entry: ConversationEntry['entry'];
  readonly block: ConversationBlock;
  /** A summary stands for this message in what models get. */
  readonly replaced: boolean;
}

/** The messages of a conversation as rows: each call carries its result. A summary stands where the messages that it replaces begin. */
export function chatRows(entries: readonly ConversationEntry[]): readonly ChatRow[] {
  const results = Map.groupBy(
    entries.filter(({ role }) => role === 'tool'),
    ({ entry }) => entry.exchange,
  );
  const replacing = entries.flatMap(({ entry }) => (entry.replaces ? [entry.replaces] : []));
  const rows = entries.flatMap((message) => {
    const { entry, role } = message;
    if (role === 'tool') return [];
    const [block] = conversationBlocks([message, ...(results.get(entry.exchange) ?? [])]);
    const replaced = entry.kind === 'message' && replacing.some(([from, to]) => entry.position >= from && entry.position <= to);
    return block ? [{ entry, block, replaced }] : [];
  });
  return rows.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Where a row stands: a summary before the first message that it replaces. */
function placeOf({ entry }: ChatRow): number {
  return entry.replaces ? entry.replaces[0] - 0.5 : entry.position;
}
