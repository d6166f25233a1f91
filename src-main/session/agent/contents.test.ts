import { describe, expect, it } from 'vitest';
import { continuedInput, userEvent } from '#main/session/state/continue-session.ts';
import type { Session, SessionEvent } from '#main/session/state/session.ts';
import { contentsFor } from './contents.ts';
import { planParts } from './plan-react.ts';

const said = (author: string, text: string, more: Partial<SessionEvent> = {}): SessionEvent => ({
  author,
  parts: [{ text }],
  final: true,
  ...more,
});
const session = (events: readonly SessionEvent[], more: Partial<Session> = {}): Session => ({
  message: 'Hello',
  state: {},
  events,
  ...more,
});
const heard = (author: string, from: Session, contents: 'default' | 'none' = 'default') =>
  contentsFor(author, from, contents).map(
    ({ role, content }) => `${role}: ${content.map((part) => ('text' in part ? part.text : part.type)).join(' ')}`,
  );

describe('what an agent hears', () => {
  const events = [said('a', 'alpha'), said('b', 'beta'), said('a', 'again')];

  it('is the message, its own turns, and what others said with their names', () => {
    expect(heard('b', session(events))).toEqual(['user: Hello\n\n[a] said: alpha', 'assistant: beta', 'user: [a] said: again']);
  });

  it('has what the user said in earlier runs of the session as the user said it', () => {
    const before: Session = session([said('a', 'alpha')]);
    const { message, events: earlier } = continuedInput(before, 'And now?') as unknown as { message: string; events: SessionEvent[] };
    const continued = session([...earlier, userEvent(message)], { message: '' });
    expect(heard('a', continued)).toEqual(['user: Hello', 'assistant: alpha', 'user: And now?']);
    expect(heard('b', continued)).toEqual(['user: Hello\n\n[a] said: alpha\n\nAnd now?']);
  });

  it('is only what follows the last word of another agent, without contents', () => {
    expect(heard('a', session(events), 'none')).toEqual(['user: [b] said: beta', 'assistant: again']);
    expect(heard('a', session([said('a', 'alpha')]), 'none')).toEqual(['user: Hello', 'assistant: alpha']);
  });

  it('leaves out thoughts and empty texts, and is never nothing', () => {
    const silent: SessionEvent[] = [{ author: 'a', parts: [{ thought: 'hm' }] }, said('a', '')];
    expect(heard('b', session(silent, { message: '' }))).toEqual(['user: ']);
  });

  it('is the own branch in a parallel region, and everything after a region', () => {
    const inBranches = [said('x', 'one', { branch: 'p.x' }), said('y', 'two', { branch: 'p.y' })];
    const branches = [{ path: 'p.x', since: 0, ends: [], wrote: {} }];
    expect(heard('z', session(inBranches, { branches }))).toEqual(['user: Hello\n\n[x] said: one']);
    expect(heard('z', session(inBranches))).toEqual(['user: Hello\n\n[x] said: one\n[y] said: two'.replace('\n[y]', '\n\n[y]')]);
  });

  it('pairs calls of the own turns with their results', () => {
    const turn: SessionEvent[] = [
      { author: 'a', parts: [{ text: 'Let me see.' }, { call: 't', args: { n: 1 } }, { call: 't', args: { n: 2 } }] },
      {
        author: 'a',
        parts: [
          { result_of: 't', result: 1 },
          { result_of: 't', result: 2 },
        ],
      },
    ];
    const [, call, result] = contentsFor('a', session(turn), 'default');
    expect(call?.content.map((part) => (part.type === 'tool_call' ? part.tool_call_id : part.type))).toEqual([
      'text',
      'earlier_1',
      'earlier_2',
    ]);
    expect(result?.content.map((part) => (part.type === 'tool_result' ? [part.tool_call_id, part.result] : part))).toEqual([
      ['earlier_1', 1],
      ['earlier_2', 2],
    ]);
  });
});

it('splits the text of an agent that plans into thoughts and the answer', () => {
  expect(planParts('/*REASONING*/ so /*FINAL_ANSWER*/42')).toEqual([{ thought: '/*REASONING*/ so /*FINAL_ANSWER*/' }, { text: '42' }]);
  expect(planParts('/*PLANNING*/ 1.')).toEqual([{ thought: '/*PLANNING*/ 1.' }]);
  expect(planParts('Well. /*PLANNING*/ 1.')).toEqual([{ text: 'Well. /*PLANNING*/ 1.' }]);
});
