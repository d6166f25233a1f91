import { expect, it } from 'vitest';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import { toolsOnOffer } from './tools-on-offer.ts';

const tools = [{ name: 'read' }, { name: 'edit' }, { name: submitTool }];
const call = (tool: string, input: Json): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_call', tool_call_id: '', tool, input }],
});
const offered = (...messages: Message[]) => toolsOnOffer(tools, messages).map(({ name }) => name);

it('offers every tool, also one that is called again after another', () => {
  expect(offered()).toEqual(['read', 'edit', submitTool]);
  expect(offered(call('read', { path: 'a' }), call('edit', { path: 'a' }), call('read', { path: 'a' }))).toEqual([
    'read',
    'edit',
    submitTool,
  ]);
  expect(offered(call('read', { path: 'a' }), call('read', { path: 'b' }))).toHaveLength(3);
});

it('stops offering a tool that was called twice in a row with the same input, and always offers submit', () => {
  const twice = [call('read', { path: 'a' }), call('read', { path: 'a' })];
  expect(offered(...twice)).toEqual(['edit', submitTool]);
  expect(offered(...twice, call('edit', 1), call('edit', 1), call(submitTool, {}), call(submitTool, {}))).toEqual([submitTool]);
});
