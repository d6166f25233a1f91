import { createStore } from 'zustand/vanilla';
import { panelsStore } from '#renderer/shell/panels.ts';

interface ChatState {
  /** Name of the conversation that the chat panel shows; null for the one that was used last. */
  readonly shown: string | null;
}

export const chatStore = createStore<ChatState>()(() => ({ shown: null }));

/** Shows a conversation in the chat panel; null for the one that was used last. */
export function showChat(name: string | null): void {
  chatStore.setState({ shown: name });
  panelsStore.getState().showRight('chat');
}
