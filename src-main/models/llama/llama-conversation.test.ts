import { expect, test } from 'vitest';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import type { Message } from '#shared/run/message.ts';
import { llamaTurns } from './llama-conversation.ts';

const edited = 'The user edited the input of this call before it ran. It ran with: {"n":42}\n\n{"ok":1}';
const result = { tool: 'grow', result: { ok: 1 }, is_error: false, ran_with: { n: 42 }, edited_by: 'person' } as const;
const messages: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Grow.' }] },
  { role: 'assistant', content: [{ type: 'tool_call', tool_call_id: 'call_1', tool: 'grow', input: { n: 1 } }] },
  { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'call_1', ...result }] },
];

test.each([
  ['json', ['{"tool":"grow","input":{"n":1}}'], [{ type: 'user', text: `Result of grow:\n${edited}` }]],
  ['functions', [{ type: 'functionCall', name: 'grow', params: { n: 1 }, result: edited }], []],
] as const)(
  'a local model in style %s gets its own call, and in front of the result what a person made of it',
  (style, response, after) => {
    expect(llamaTurns(messages, new AdvertisedNames([]), style, [])).toEqual([
      { type: 'user', text: 'Grow.' },
      { type: 'model', response },
      ...after,
    ]);
  },
);
