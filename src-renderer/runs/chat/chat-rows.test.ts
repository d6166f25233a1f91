import { expect, it } from 'vitest';
import type { ConversationEntry } from '#shared/run/message.ts';
import { chatRows } from './chat-rows.ts';

function said(position: number, exchange: number, message: Pick<ConversationEntry, 'role' | 'content'>, more = {}): ConversationEntry {
  const entry = { entry_id: `e${position}`, exchange: `e${exchange}`, position, kind: 'message' as const, run_id: 'r', node: 'A', seq: 1 };
  return { ...message, entry: { ...entry, created_at: 0, ...more } };
}
const text = (value: string) => [{ type: 'text' as const, text: value }];

it('gives a call the result of its own exchange, also where another exchange has a call of the same id', () => {
  const exchange = (from: number, result: string) => [
    said(from, from, { role: 'user', content: text('Look.') }),
    said(from + 1, from, { role: 'assistant', content: [{ type: 'tool_call', tool_call_id: 'c', tool: 'look', input: {} }] }),
    said(from + 2, from, { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'c', tool: 'look', result, is_error: false }] }),
  ];
  const rows = chatRows([...exchange(1, 'first'), ...exchange(4, 'second')]);
  expect(rows.map(({ entry }) => entry.position)).toEqual([1, 2, 4, 5]);
  expect(rows[1]?.block.items).toMatchObject([{ type: 'call', call: { result: { value: 'first' } } }]);
  expect(rows[3]?.block.items).toMatchObject([{ type: 'call', call: { result: { value: 'second' } } }]);
});

it('puts a summary before the messages that it replaces', () => {
  const rows = chatRows([
    said(1, 1, { role: 'user', content: text('a') }),
    said(2, 1, { role: 'assistant', content: text('b') }),
    said(3, 3, { role: 'user', content: text('c') }),
    said(4, 4, { role: 'user', content: text('a and b') }, { kind: 'summary', replaces: [1, 2] }),
  ]);
  expect(rows.map(({ entry, replaced }) => [entry.position, replaced])).toEqual([
    [4, false],
    [1, true],
    [2, true],
    [3, false],
  ]);
});
