import type { Json } from '#shared/json.ts';
import type { Message, MessagePartOf } from '#shared/run/message.ts';

/** A tool call with its result, once it has finished. */
export interface CallWithResult {
  readonly tool_call_id: string;
  readonly tool: string;
  /** What the model called it with. */
  readonly input: Json;
  /** The input that it ran with, when the user edited it. */
  readonly ranWith?: Json;
  readonly result: { readonly value: Json; readonly is_error: boolean } | null;
}

export type TurnItem =
  | { readonly type: 'reasoning' | 'text'; readonly text: string }
  | { readonly type: 'image'; readonly media_type: string; readonly data: string }
  | { readonly type: 'call'; readonly call: CallWithResult };

/** One message as it is shown: what was sent to the model, or a turn of the model with the results of its calls. */
export interface ConversationBlock {
  readonly role: 'system' | 'user' | 'assistant';
  /** The model's turn, from 1; null for what was sent, and for an answer that was cut off, which the engine does not count. */
  readonly turn: number | null;
  readonly items: readonly TurnItem[];
  /** The answer was cut off before its end; the model was, or will be, asked again. */
  readonly incomplete: boolean;
}

function itemOf(part: Message['content'][number], results: ReadonlyMap<string, MessagePartOf<'tool_result'>>): TurnItem | null {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text === '' ? null : { type: part.type, text: part.text };
    case 'image':
      return part;
    case 'tool_call': {
      const { tool_call_id, tool, input } = part;
      const found = results.get(tool_call_id);
      return {
        type: 'call',
        call: {
          tool_call_id,
          tool,
          input,
          ...(found?.ran_with !== undefined && { ranWith: found.ran_with }),
          result: found ? { value: found.result, is_error: found.is_error } : null,
        },
      };
    }
    case 'tool_result':
      return null;
  }
}

const noResults: ReadonlyMap<string, MessagePartOf<'tool_result'>> = new Map();

/** An agent's messages as blocks to show: each call carries its result, wherever that came in the messages. */
export function conversationBlocks(messages: readonly Message[]): readonly ConversationBlock[] {
  const results = new Map(
    messages.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_result' ? [[part.tool_call_id, part] as const] : []))),
  );
  let turn = 0;
  return messages.flatMap(({ role, content, incomplete }) => {
    const counts = role === 'assistant' && !incomplete;
    if (counts) turn += 1;
    // A call in an answer that was cut off was never made; one with its id may have been, later.
    const items = content.flatMap((part) => itemOf(part, incomplete ? noResults : results) ?? []);
    if (items.length === 0 && role !== 'assistant') return [];
    const block: ConversationBlock = {
      role: role === 'tool' ? 'user' : role,
      turn: counts ? turn : null,
      items,
      incomplete: incomplete ?? false,
    };
    return [block];
  });
}
