import { createStore } from 'zustand/vanilla';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { JsonObject } from '#shared/json.ts';

/** An agent of a flow that is open. */
export interface AgentPlace {
  /** The flow's file. */
  readonly path: string;
  /** Position of the agent in the document's `nodes`. */
  readonly index: number;
}

/** How the messages of a new conversation are sent until it has one of its own. */
export interface BegunChat {
  readonly key: string;
  readonly flow_path: string;
  readonly flow_text: string;
  /** Field of the input that gets the message; null if the whole input is the message. */
  readonly field: string | null;
  /** The input's other fields. */
  readonly rest: JsonObject;
}

/** A message that was sent and is not among the entries yet. */
export interface SentMessage {
  readonly run_id: string;
  readonly text: string;
}

interface ChatState {
  /** Name of the conversation that the chat panel shows; null for the one that was used last. */
  readonly shown: string | null;
  /** The form of a new conversation is shown, with the agent that was chosen outside of it. */
  readonly beginning: { readonly agent: AgentPlace | null } | null;
  /** The new conversation that was begun last. */
  readonly begun: (BegunChat & { readonly sent: SentMessage }) | null;
}

export const chatStore = createStore<ChatState>()(() => ({ shown: null, beginning: null, begun: null }));

/** Shows a conversation in the chat panel; null for the one that was used last. */
export function showChat(name: string | null): void {
  chatStore.setState({ shown: name, beginning: null });
  panelsStore.getState().showRight('chat');
}

/** Shows the form of a new conversation in the chat panel, with this agent chosen. */
export function beginChat(agent: AgentPlace | null = null): void {
  chatStore.setState({ beginning: { agent } });
  panelsStore.getState().showRight('chat');
}
