import type { Context } from '#main/engine/ports/context.ts';
import { FlowError } from '#shared/run/error.ts';
import { conversationId } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import type { RunJournal } from './run-journal.ts';

/** A chat's conversation, in the journal of its runs or in the context's store. */
export interface ChatEntries {
  load(): Promise<readonly ConversationEntry[]>;
  /** Begins a conversation with these entries. Throws `Conflict` if there is one. */
  begin(entries: readonly ConversationEntry[]): Promise<void>;
  drop(): Promise<void>;
}

export function chatEntries(key: string, { conversations }: Context, journal: RunJournal | undefined): ChatEntries {
  if (journal) {
    const kept = () => journal.conversations;
    const exists = () =>
      kept()
        .list()
        .some((each) => each.key === key);
    return {
      load: async () => (exists() ? kept().entries(key) : []),
      begin: async (entries) => kept().import(key, entries, Date.now()),
      drop: async () => {
        if (exists()) kept().drop(key, Date.now());
      },
    };
  }
  if (!conversations) throw new FlowError('Invalid', 'The context keeps no conversations. Create it with createContext.');
  const id = conversationId('workspace', key);
  return {
    load: async () => (await conversations.load(id)).entries,
    begin: (entries) => conversations.append(id, 0, entries),
    drop: () => conversations.drop(id),
  };
}
