import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { KeptConversation } from '#shared/contract/conversations.ts';
import type { TransferableError } from '#shared/run/error.ts';

interface ConversationsState {
  /** The folder's conversations, the most recently used first; null until they have loaded. */
  readonly list: readonly KeptConversation[] | null;
  readonly failure: TransferableError | null;
  /** Key of the conversation that is shown. */
  readonly shown: string | null;
}

export const conversationsStore = createStore<ConversationsState>()(() => ({ list: null, failure: null, shown: null }));

export async function loadConversations(): Promise<void> {
  try {
    conversationsStore.setState({ list: await studio.conversations.list(), failure: null });
  } catch (thrown) {
    conversationsStore.setState({ failure: failureOf(thrown) });
  }
}

/** Shows a conversation, or closes it. */
export function showConversation(key: string | null): void {
  conversationsStore.setState({ shown: key });
}
