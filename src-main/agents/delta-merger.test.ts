import { expect, test } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';

test('the first chunk of an answer and one after a pause are told at once, those between them together', async () => {
  let time = 0;
  const told: string[] = [];
  const before: string[][] = [];
  const models = () => ({
    complete: async ({ onDelta }: ModelRequest): Promise<ModelResponse> => {
      for (const text of ['one ', 'two ', 'three ', 'pause', 'four ', 'five']) {
        if (text === 'pause') time += 1000;
        else onDelta?.({ type: 'text', text });
        before.push([...told]);
      }
      const content = [{ type: 'text' as const, text: 'one two three four five' }];
      return { message: { role: 'assistant', content }, finish_reason: 'stop', usage: { tokens_in: 1, tokens_out: 1 } };
    },
  });
  using space = new TestWorkspace({ models, clock: { now: () => time } });
  const flow = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: { model: 'openai://x', mode: 'chat' } } }]);
  const onEvent = (event: (typeof space.events)[number]) => {
    if (event.type === 'message') told.push(event.content);
  };
  await FlowRuntime.new(flow, {}).next({ ...space.context, onEvent });
  expect(before[0]).toEqual(['one ']);
  expect(told).toEqual(['one ', 'two three four ', 'five']);
});
