import { describe, expect, it } from 'vitest';
import { inputOfMessage } from './chat-input.ts';

describe('the input of the next message', () => {
  it('replaces the field that the prompt contains and keeps the others', () => {
    expect(inputOfMessage({ id: '7', text: 'Where is it?' }, 'Where is it?', 'Thanks.')).toEqual({ id: '7', text: 'Thanks.' });
    expect(inputOfMessage({ id: '7', ask: 'Where is 7?' }, 'Customer 7 asks: Where is 7?', 'Thanks.')).toEqual({ id: '7', ask: 'Thanks.' });
  });
  it('prefers a field named as messages are to a longer text in the prompt', () => {
    expect(inputOfMessage({ name: 'Annabelle', text: 'Hi' }, 'Annabelle says: Hi', 'Bye')).toEqual({ name: 'Annabelle', text: 'Bye' });
  });
  it('takes a field named as messages are if the prompt contains none', () => {
    expect(inputOfMessage({ id: 'x', question: 'a' }, '', 'b')).toEqual({ id: 'x', question: 'b' });
  });
  it('replaces an input that is a text', () => {
    expect(inputOfMessage('a', 'a', 'b')).toBe('b');
  });
  it('is null where no field is a message', () => {
    expect(inputOfMessage({ count: 3 }, 'Count to 3.', 'b')).toBeNull();
    expect(inputOfMessage([1], '', 'b')).toBeNull();
  });
});
