import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/run/message.ts';
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
      ['assistant', null],
    ]);
    expect(blocks[2]?.items).toEqual([
      { type: 'reasoning', text: 'Let me look.' },
      { type: 'call', call: { tool_call_id: 'c1', tool: 'read_file', input: { path: 'a' }, result: { value: 'text', is_error: false } } },
      { type: 'call', call: { tool_call_id: 'c2', tool: 'write_file', input: { path: 'b' }, result: null } },
    ]);
    expect(blocks[3]).toMatchObject({ items: [], incomplete: true });
  });

  it('shows the input of a call that the user edited', () => {
    const result = { tool_call_id: 'c1', tool: 'read_file', result: 'text', is_error: false, ran_with: { path: 'z' }, edited_by: 'person' };
    const blocks = conversationBlocks([...messages.slice(0, 3), { role: 'tool', content: [{ type: 'tool_result', ...result } as never] }]);
    expect(blocks[2]?.items[1]).toMatchObject({ call: { input: { path: 'a' }, ranWith: { path: 'z' } } });
    expect(blocks[2]?.items[2]).not.toHaveProperty('call.ranWith');
  });

  it('does not count an answer that was cut off as a turn, nor give its calls results of others', () => {
    const [call] = messages[2]?.content.filter(({ type }) => type === 'tool_call') ?? [];
    const blocks = conversationBlocks([{ role: 'assistant', content: call ? [call] : [], incomplete: true }, ...messages]);
    expect(blocks[0]).toMatchObject({
      turn: null,
      incomplete: true,
      items: [{ type: 'call', call: { tool_call_id: 'c1', result: null } }],
    });
    expect(blocks.map(({ turn }) => turn)).toEqual([null, null, null, 1, null]);
  });
});
