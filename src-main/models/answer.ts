import { readInput } from '#main/models/call-input.ts';
import type { ModelRequest } from '#main/models/model-client.ts';
import type { Json } from '#shared/json.ts';
import type { Message, MessagePart } from '#shared/runtime/message.ts';

/** An answer as it comes in: its parts in the order in which they came, each piece told as it comes. */
export class Answer {
  readonly #parts: MessagePart[] = [];
  readonly #told: Pick<ModelRequest, 'onDelta' | 'onCall'>;

  constructor(told: Pick<ModelRequest, 'onDelta' | 'onCall'>) {
    this.#told = told;
  }

  /** True once anything has come. */
  get begun(): boolean {
    return this.#parts.length > 0;
  }

  get callsTools(): boolean {
    return this.#parts.some(({ type }) => type === 'tool_call');
  }

  /** Number of parts so far. The next part has this index. */
  get length(): number {
    return this.#parts.length;
  }

  /** Adds a piece of text or reasoning to the part that it belongs to. */
  say(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const last = this.#parts.at(-1);
    if (last?.type === type) this.#parts[this.#parts.length - 1] = { type, text: last.text + text };
    else this.#parts.push({ type, text });
    this.#told.onDelta?.({ type, text });
  }

  /** Adds a tool call. An empty id gets one later that is unique in the run. */
  call(tool: string, input: Json, tool_call_id = ''): void {
    const call = { type: 'tool_call', tool_call_id, tool, input } as const;
    this.#parts.push(call);
    this.#told.onCall?.(call);
  }

  /** Changes the text of an answer that is JSON. Where it is none, it stays: the agent says what is wrong with it. */
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
