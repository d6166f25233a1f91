import type { ConversationEntry } from '#shared/run/message.ts';

/** Who holds a conversation: a visit, from its first record to its last. */
export interface ConversationHolder {
  readonly run_id: string;
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The question that the visit waits for (`tool_id`), if it does. */
  readonly waits_for?: string;
}

/** A conversation as a store has it. */
export interface StoredConversation {
  /** Position of the last entry; 0 for a conversation that does not exist. */
  readonly head: number;
  readonly entries: readonly ConversationEntry[];
}

/**
 * Where a program keeps conversations of the scope `workspace` for runs that no journal records. After a crash it may be handed an entry again:
 * entries are the same if they have the same `entry_id`.
 */
export interface ConversationStore {
  /** The entries, up to position `upTo`. */
  load(id: string, upTo?: number): Promise<StoredConversation>;
  /** Adds entries. Throws `FlowError` `Conflict` if the last position is not `expectedHead`, except for entries that it already has. */
  append(id: string, expectedHead: number, entries: readonly ConversationEntry[]): Promise<void>;
  /** Takes the conversation for a visit. Returns who holds it already, or null. A run that holds it is given it again. */
  hold(id: string, holder: ConversationHolder): Promise<ConversationHolder | null>;
  /** Lets go of the conversation if this run holds it. */
  release(id: string, holder: Pick<ConversationHolder, 'run_id'>): Promise<void>;
  /** Empties the conversation. */
  drop(id: string): Promise<void>;
  /** Removes the conversation's text everywhere. */
  erase(id: string): Promise<void>;
}

/** A visit that begins in a conversation of the workspace, or goes on in it. */
export interface ConversationRequest {
  readonly seq: number;
  readonly id: string;
  readonly holder: ConversationHolder;
  /** Position of the conversation's last entry if the visit goes on. Without it, the conversation is read. */
  readonly expected?: number;
  /** Maximum number of entries to read: no more are ever sent. Default: all that a visit may see. */
  readonly last?: number;
  /** Whether the visit looks again if the conversation is busy: it then keeps its place among those that wait. */
  readonly waits?: boolean;
}

/** `busy`: another visit holds the conversation, or has waited for it longer. `moved`: others have added to it since the visit read it. */
export type OpenedConversation =
  | {
      readonly type: 'open';
      /** Positions of the first entry that the visit sees and of the conversation's last one. */
      readonly reads: readonly [first: number, base: number];
      readonly entries: readonly ConversationEntry[];
    }
  | { readonly type: 'busy'; readonly holder: ConversationHolder }
  | { readonly type: 'moved'; readonly head: number };

/** What a step adds to a conversation of the workspace. */
export interface ConversationChange {
  readonly id: string;
  /** Position of the last entry before it. */
  readonly expected: number;
  readonly entries: readonly ConversationEntry[];
  /** Whether the visit ends, and lets go of the conversation. */
  readonly releases: boolean;
}
