import type { ConversationHolder, ConversationStore } from '#main/engine/ports/conversation-store.ts';
import { FlowError } from '#shared/run/error.ts';
import type { ConversationEntry } from '#shared/run/message.ts';

interface Kept {
  head: number;
  entries: ConversationEntry[];
  holder: ConversationHolder | null;
}

/** Keeps conversations in memory: the default for runs that no journal records. */
export function memoryConversations(): ConversationStore {
  const conversations = new Map<string, Kept>();
  const at = (id: string): Kept => {
    const known = conversations.get(id) ?? { head: 0, entries: [], holder: null };
    conversations.set(id, known);
    return known;
  };
  return {
    async load(id, upTo = Number.POSITIVE_INFINITY) {
      const { head, entries } = at(id);
      return { head: Math.min(head, upTo), entries: entries.filter(({ entry }) => entry.position <= upTo) };
    },
    async append(id, expectedHead, added) {
      const kept = at(id);
      const known = new Set(kept.entries.map(({ entry }) => entry.entry_id));
      const fresh = added.filter(({ entry }) => !known.has(entry.entry_id));
      if (fresh.length === 0) return;
      if (fresh[0]?.entry.position !== kept.head + 1) {
        throw new FlowError('Conflict', `The conversation ${id} has moved on since the run read it. Start the run again.`, {
          code: 'ORCHESTRATION_CONVERSATION_MOVED',
          details: { conversation: id, expected: expectedHead, head: kept.head },
        });
      }
      kept.entries.push(...fresh);
      kept.head += fresh.length;
    },
    async hold(id, holder) {
      const kept = at(id);
      if (kept.holder && kept.holder.run_id !== holder.run_id) return kept.holder;
      kept.holder ??= holder;
      return null;
    },
    async release(id, { run_id }) {
      const kept = at(id);
      if (kept.holder?.run_id === run_id) kept.holder = null;
    },
    async drop(id) {
      const kept = at(id);
      kept.entries = [];
      kept.holder = null;
    },
    async erase(id) {
      conversations.delete(id);
    },
  };
}
