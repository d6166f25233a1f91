import type { ConversationSummary } from '#shared/run/conversation-summary.ts';
import type { ConversationEntry } from '#shared/run/message.ts';

/** The conversations of the scope `workspace` that the runs of a journal keep, by key; branches by their whole id. */
export interface RunConversations {
  /** Conversations without their branches, the most recently used first. */
  list(): ConversationSummary[];
  /** Branches of a conversation with entries of their own. */
  branches(key: string): ConversationSummary[];
  /** The entries, of a branch with those that it shares. `last`: only that many. Throws `NotFound`. */
  entries(key: string, last?: number): ConversationEntry[];
  /** Takes the conversation away from the run that holds it. Returns whether it was held. */
  release(key: string): boolean;
  /** Empties the conversation. Runs keep what they have read and said. Throws `Conflict` while it is held. */
  drop(key: string, now: number): void;
  /** Removes a conversation, its branches, and the runs that took part in it. Throws `Conflict` while a run is driven. */
  erase(key: string, now: number): void;
  /** Makes a fork's branch the conversation. Throws `Conflict` if the conversation has moved on since the fork. */
  adopt(branch: string, now: number): void;
  /** Adds a conversation that was exported. Throws `Conflict` if there is one with this key. */
  import(key: string, entries: readonly ConversationEntry[], now: number): void;
}
