import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/runtime/message.ts';
import { conversationBlocks } from './conversation-turns.ts';

const messages: Message[] = [
  { role: 'system', content: [{ type: 'text', text: 'You write notes.' }] },
  { role: 'user', content: [{ type: 'text', text: '{}' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Let me look.' },
      { type: 'tool_call', tool_call_id: 'c1', tool: 'read_file', input: { path: 'a' } },
      { type: 'tool_call', tool_call_id: 'c2', tool: 'write_file', input: { path: 'b' } },
    ],
  },
  { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'c1', tool: 'read_file', result: 'text', is_error: false }] },
  { role: 'assistant', content: [{ type: 'text', text: '' }], incomplete: true },
];

describe('a conversation', () => {
  it('shows each call with its result and leaves out empty messages', () => {
    const blocks = conversationBlocks(messages);
    expect(blocks.map(({ role, turn }) => [role, turn])).toEqual([
      ['system', null],
      ['user', null],
      ['assistant', 1],
      ['assistant', 2],
    ]);
    expect(blocks[2]?.items).toEqual([
      { type: 'reasoning', text: 'Let me look.' },
      { type: 'call', call: { tool_call_id: 'c1', tool: 'read_file', input: { path: 'a' }, result: { value: 'text', is_error: false } } },
      { type: 'call', call: { tool_call_id: 'c2', tool: 'write_file', input: { path: 'b' }, result: null } },
    ]);
    expect(blocks[3]).toMatchObject({ items: [], incomplete: true });
  });
});
