import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** Conversations that agents of the open folder keep between runs. */
export function conversationsRouter(current: CurrentFolder) {
  const background = async () => (await current.required()).background;
  return {
    list: studio.conversations.list.handler(async () => (await background()).call('conversations')),
    branches: studio.conversations.branches.handler(async ({ input }) => (await background()).call('conversationBranches', input)),
    entries: studio.conversations.entries.handler(async ({ input }) => (await background()).call('conversationEntries', input)),
    runs: studio.conversations.runs.handler(async ({ input }) => (await background()).call('conversationRuns', input)),
    exportText: studio.conversations.exportText.handler(async ({ input }) => (await background()).call('exportConversation', input)),
    release: studio.conversations.release.handler(async ({ input }) => {
      await (await background()).call('releaseConversation', input);
      return {};
    }),
    drop: studio.conversations.drop.handler(async ({ input }) => {
      await (await background()).call('dropConversation', input);
      return {};
    }),
    erase: studio.conversations.erase.handler(async ({ input }) => {
      await (await background()).call('eraseConversation', input);
      return {};
    }),
    adopt: studio.conversations.adopt.handler(async ({ input }) => {
      await (await background()).call('adoptBranch', input);
      return {};
    }),
  };
}
