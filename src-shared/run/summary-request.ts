import type { Message } from './message.ts';

/** What a function that summarises a kept conversation gets (`context.summarise.run`). */
export interface SummaryRequest {
  /** The messages that may be replaced, the oldest first: whole exchanges. */
  readonly entries: readonly SummarisedEntry[];
  /** What replaces the messages before them; null where nothing does. */
  readonly summary: string | null;
}

/** A message of a kept conversation. */
export interface SummarisedEntry {
  readonly position: number;
  readonly role: Message['role'];
  readonly text: string;
  /** An exchange ends with it: a summary may replace everything up to here. */
  readonly ends: boolean;
}

/** What such a function returns. */
export interface Summary {
  readonly summary: string;
  /** The position of the last message that it replaces. Default: the last one of the request. */
  readonly upTo?: number;
}
