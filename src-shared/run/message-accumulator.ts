import type { Json } from '#shared/json.ts';
import type { RunEvent } from './event.ts';

/** One part of an answer, in the order in which it came. Times in milliseconds. */
export type ContentItem = {
  /** From 1. */
  readonly sequence: number;
  readonly timestamp: number;
  /** From its first event to its last one. */
  readonly duration_ms: number;
} & (
  | { readonly type: 'reasoning' | 'message'; readonly content: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: Json }
  | { readonly type: 'tool_result'; readonly id: string; readonly result: Json; readonly is_error: boolean }
);

/** What a run has said (Praxis's `AssistantMessage`): one flat list. */
export interface AssistantMessage {
  readonly conversation_id: string | null;
  readonly run_id: string;
  readonly created_at: number;
  /** Null until the run has ended. */
  readonly completed_at: number | null;
  readonly tokens_used: number;
  /** The run has not ended with success. */
  readonly incomplete: boolean;
  readonly content_items: readonly ContentItem[];
}

/** Puts a run's events together to the message that they stream. Null before the first event. */
export class MessageAccumulator {
  readonly #conversation: string | null;
  #first: RunEvent | undefined;
  #ended: Extract<RunEvent, { type: 'end_stream' }> | undefined;
  #tokens = 0;
  #items: ContentItem[] = [];
  /** The turn of the text that grows. */
  #growing: string | undefined;

  constructor(conversation: string | null = null) {
    this.#conversation = conversation;
  }

  add(event: RunEvent): void {
    this.#first ??= event;
    const { timestamp } = event;
    switch (event.type) {
      case 'reasoning':
      case 'message':
        this.#text(event);
        break;
      case 'tool_call':
        this.#push({ type: 'tool_call', id: event.tool_call_id, name: event.tool_name, arguments: event.arguments }, timestamp, 0);
        break;
      case 'tool_result': {
        const { tool_call_id: id, result, is_error, duration_ms } = event;
        this.#push({ type: 'tool_result', id, result, is_error }, timestamp, duration_ms);
        break;
      }
      case 'inference_end':
        this.#tokens += event.tokens_in + event.tokens_out;
        break;
      case 'end_stream':
        this.#ended = event;
        break;
    }
  }

  get message(): AssistantMessage | null {
    if (!this.#first) return null;
    return {
      conversation_id: this.#conversation ?? this.#first.session_id ?? null,
      run_id: this.#first.run_id,
      created_at: this.#first.timestamp,
      completed_at: this.#ended?.timestamp ?? null,
      tokens_used: this.#ended?.tokens_used ?? this.#tokens,
      incomplete: this.#ended?.status !== 'success',
      content_items: this.#items,
    };
  }

  #text({ type, node, turn, content, timestamp }: Extract<RunEvent, { type: 'reasoning' | 'message' }>): void {
    const growing = `${type} ${node} ${turn}`;
    const last = this.#items.at(-1);
    if (growing === this.#growing && last && last.type === type) {
      const longer = { ...last, content: last.content + content, duration_ms: timestamp - last.timestamp };
      this.#items = [...this.#items.slice(0, -1), longer];
    } else this.#push({ type, content }, timestamp, 0);
    this.#growing = growing;
  }

  #push(item: DistributiveOmit<ContentItem, 'sequence' | 'timestamp' | 'duration_ms'>, timestamp: number, duration_ms: number): void {
    this.#growing = undefined;
    this.#items = [...this.#items, { ...item, sequence: this.#items.length + 1, timestamp, duration_ms } as ContentItem];
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
