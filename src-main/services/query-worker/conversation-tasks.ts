import { conversationExport } from '#main/journal/conversation-export.ts';
import { JournalConversations } from '#main/journal/journal-conversations.ts';
import { messageText } from '#main/models/message-text.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { KeptConversation } from '#shared/contract/conversations.ts';
import { maskTexts } from '#shared/mask-text.ts';
import type { ConversationSummary } from '#shared/run/conversation-summary.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Characters of a last message that lists show. */
const shownCharacters = 200;

interface Named {
  /** Key of a conversation, or the id of a branch. */
  readonly name: string;
}

/** Background tasks on kept conversations. */
export const conversationTasks = {
  async conversations(folder: BackgroundFolder): Promise<KeptConversation[]> {
    const { keep_days } = (await loadSettings(folder.folder)).conversations;
    const conversations = await of(folder);
    if (keep_days !== undefined) conversations.expireAfter(keep_days, Date.now());
    return conversations.list().map((summary) => shown(conversations, summary));
  },

  async conversationBranches(folder: BackgroundFolder, { name }: Named): Promise<KeptConversation[]> {
    const conversations = await of(folder);
    return conversations.branches(name).map((summary) => shown(conversations, summary));
  },

  async conversationEntries(folder: BackgroundFolder, { name, limit }: Named & { readonly limit: number }): Promise<ConversationEntry[]> {
    return (await of(folder)).entries(name, limit);
  },

  async releaseConversation(folder: BackgroundFolder, { name }: Named): Promise<void> {
    (await of(folder)).release(name);
  },

  async dropConversation(folder: BackgroundFolder, { name }: Named): Promise<void> {
    (await of(folder)).drop(name, Date.now());
  },

  async conversationRuns(folder: BackgroundFolder, { name }: Named): Promise<string[]> {
    return (await of(folder)).runsIn(name);
  },

  async eraseConversation(folder: BackgroundFolder, { name }: Named): Promise<void> {
    (await of(folder)).erase(name, Date.now());
  },

  async adoptBranch(folder: BackgroundFolder, { name }: Named): Promise<void> {
    (await of(folder)).adopt(name, Date.now());
  },

  async exportConversation(folder: BackgroundFolder, { name }: Named): Promise<{ file_name: string; content: string }> {
    const conversations = await of(folder);
    const { mask } = await loadSettings(folder.folder);
    const entries = conversations.entries(name).map((entry) => ({ ...entry, content: maskTexts(mask, entry.content) }));
    const file_name = `${name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '') || 'conversation'}.json`;
    return { file_name, content: `${JSON.stringify(conversationExport(name, entries), null, 2)}\n` };
  },
} as const;

async function of(folder: BackgroundFolder): Promise<JournalConversations> {
  return new JournalConversations((await folder.journals.open()).main);
}

function shown(conversations: JournalConversations, summary: ConversationSummary): KeptConversation {
  const { conversation, head: _head, ...known } = summary;
  const name = summary.branch ? conversation : summary.key;
  const [last] = conversations.entries(name, 1);
  return { ...known, name, last: last ? messageText(last).slice(0, shownCharacters) : '' };
}
