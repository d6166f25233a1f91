import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '#shared/run/message.ts';
import { contextWindow } from './context-window.ts';

const say = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });
const opening = [say('system', 'be kind'), say('user', 'question')];
/** A turn of the model with N results. */
const turn = (name: string, results: number): Message[] => [
  say('assistant', name),
  ...Array.from({ length: results }, (_, index) => say('tool', `${name}${index}`)),
];
const texts = (messages: readonly Message[]) => messages.map(({ content: [part] }) => (part?.type === 'text' ? part.text : ''));

test('without a policy everything is sent', () => {
  const messages = [...opening, ...turn('a', 1)];
  expect(contextWindow(messages, undefined)).toBe(messages);
});

test('the opening and the last messages are kept, and no turn is split from its results', () => {
  const messages = [...opening, ...turn('a', 2), ...turn('b', 1), ...turn('c', 1)];
  expect(texts(contextWindow(messages, { last: 4 }))).toEqual(['be kind', 'question', 'b', 'b0', 'c', 'c0']);
  expect(texts(contextWindow(messages, { last: 5 }))).toEqual(['be kind', 'question', 'b', 'b0', 'c', 'c0']);
  expect(texts(contextWindow(messages, { last: 7 }))).toEqual(texts(messages));
});

test('the last turn is sent even where it alone is too long', () => {
  expect(texts(contextWindow([...opening, ...turn('a', 1), ...turn('b', 3)], { last: 1 }))).toEqual([
    'be kind',
    'question',
    'b',
    'b0',
    'b1',
    'b2',
  ]);
});

test('a limit of tokens counts the opening, at four characters each', () => {
  const messages = [...opening, say('assistant', 'x'.repeat(40)), say('assistant', 'y'.repeat(40))];
  expect(texts(contextWindow(messages, { tokens: 4 + 10 })).length).toBe(3);
  expect(texts(contextWindow(messages, { tokens: 4 + 20 })).length).toBe(4);
});

test('what is sent is always the opening and an unbroken end of the conversation', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (turns, last) => {
      const messages = [...opening, ...turns.flatMap((results, index) => turn(`t${index}`, results))];
      const sent = contextWindow(messages, { last });
      const rest = sent.slice(opening.length);
      expect(sent.slice(0, opening.length)).toEqual(opening);
      expect(rest).toEqual(messages.slice(messages.length - rest.length));
      expect(rest[0]?.role).toBe('assistant');
    }),
    { seed: 7 },
  );
});
