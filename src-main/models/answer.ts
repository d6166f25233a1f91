import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import type { Json } from '#shared/json.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import { readInput } from './call-input.ts';

/** Collects a streamed answer: its parts in order, reporting each chunk as it arrives. */
export class Answer {
  readonly #parts: MessagePart[] = [];
  readonly #listener: Pick<ModelRequest, 'onDelta' | 'onCall'>;

  constructor(listener: Pick<ModelRequest, 'onDelta' | 'onCall'>) {
    this.#listener = listener;
  }

  /** Whether any content was received. */
  get hasContent(): boolean {
    return this.#parts.length > 0;
  }

  get callsTools(): boolean {
    return this.#parts.some(({ type }) => type === 'tool_call');
  }

  /** Number of parts so far, which is the index of the next part. */
  get length(): number {
    return this.#parts.length;
  }

  /** Appends a chunk of text or reasoning to its part. */
  append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const last = this.#parts.at(-1);
    if (last?.type === type) this.#parts[this.#parts.length - 1] = { type, text: last.text + text };
    else this.#parts.push({ type, text });
    this.#listener.onDelta?.({ type, text });
  }

  /** Adds a tool call. An empty id is replaced later by one that is unique in the run. */
  call(tool: string, input: Json, tool_call_id = ''): void {
    const call = { type: 'tool_call', tool_call_id, tool, input } as const;
    this.#parts.push(call);
    this.#listener.onCall?.(call);
  }

  /** Transforms an answer that is JSON. Other text stays unchanged: the agent reports the problem. */
  reviseJson(revise: (value: Json) => Json): void {
    const texts = this.#parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const value = readInput(texts.join(''));
    if (typeof value === 'string' || texts.length === 0) return;
    const index = this.#parts.findIndex(({ type }) => type === 'text');
    const others = this.#parts.filter(({ type }) => type !== 'text');
    others.splice(index, 0, { type: 'text', text: JSON.stringify(revise(value)) });
    this.#parts.splice(0, this.#parts.length, ...others);
  }

  message(vendor?: Record<string, Json>): Message {
    return { role: 'assistant', content: [...this.#parts], ...(vendor && { vendor }) };
  }
}
