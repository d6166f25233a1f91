import { describe, expect, test } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { flowOf, quietContext } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import type { Json } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import { promptParts } from './prompt-parts.ts';

const photo = { type: 'image', media_type: 'image/png', data: 'aGk=' } as const;
const text = (words: string) => ({ type: 'text', text: words }) as const;

describe('what a model is told', () => {
  test('is one text where there is no image', () => {
    expect(promptParts(['Price of ', { apple: 1 }, '?'])).toEqual([text('Price of {"apple":1}?')]);
    expect(promptParts(['why'], true)).toEqual([text('"why"')]);
    expect(promptParts([''])).toEqual([text('')]);
  });

  test('shows an image where the prompt names it', () => {
    expect(promptParts(['Before ', photo, ' after'])).toEqual([text('Before '), photo, text(' after')]);
  });

  test('shows images inside a value after it, with their numbers in their places', () => {
    expect(promptParts([{ one: photo, more: [photo] }, ' and ', [photo]])).toEqual([
      text('{"one":"[image 1]","more":["[image 2]"]}'),
      photo,
      photo,
      text(' and ["[image 3]"]'),
      photo,
    ]);
  });

  test.each([
    ['of a type that no model takes', { ...photo, media_type: 'image/tiff' }, 'Models do not support images of type image/tiff'],
    ['that is no base64', { ...photo, data: 'https://example.com/a.png' }, 'in base64'],
    ['without bytes', { ...photo, data: '' }, 'in base64'],
  ])('cannot be an image %s', (_, image, message) => {
    expect(() => promptParts([image])).toThrow(message);
  });
});

test('an image in a state reaches the model', async () => {
  const sent: (readonly Message[])[] = [];
  const complete = async ({ messages }: ModelRequest) => {
    sent.push(messages);
    const message: Message = { role: 'assistant', content: [text('{"seen":true}')] };
    return { message, finish_reason: 'stop' as const, usage: { tokens_in: 1, tokens_out: 1 } };
  };
  const agent = { model: 'openai://gpt-4o', prompt: 'What is on {photo}?' };
  const graph = flowOf([{ kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent } }]);
  const input: Json = { photo };
  expect(await goOn(FlowRuntime.new(graph, input), quietContext({ models: () => ({ complete }) }))).toMatchObject({ type: 'done' });
  expect(sent).toEqual([[{ role: 'user', content: [text('What is on '), photo, text('?')] }]]);
});
