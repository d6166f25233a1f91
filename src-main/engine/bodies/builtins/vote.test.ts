import { describe, expect, test } from 'vitest';
import { FlowError } from '#shared/run/error.ts';
import { ballotOf, countVotes, judgedVote, type ReplicaAnswer } from './vote.ts';

const failed: ReplicaAnswer = { error: new FlowError('AgentError', 'The model fell asleep.').toJSON() };
const of = (...values: readonly (string | null)[]): ReplicaAnswer[] =>
  values.map((value) => (value === null ? failed : { value: { is: value } }));
const majority = { name: 'vote', vote: 'majority', min_agreement: 0.5 } as const;

describe('a majority', () => {
  test('is the value that most replicas gave, whatever the order of its fields', () => {
    const answers: ReplicaAnswer[] = [{ value: { a: 1, b: 2 } }, { value: 3 }, { value: { b: 2, a: 1 } }];
    expect(countVotes(answers, majority)).toEqual({
      value: { a: 1, b: 2 },
      confidence: 2 / 3,
      confidence_source: 'voting',
      agreeing: 2,
      replicas: 3,
    });
  });

  test('of equally many is the one that came first', () => {
    expect(countVotes(of('x', 'y', 'y', 'x'), majority).value).toEqual({ is: 'x' });
  });

  test('counts a replica that failed as one that does not agree', () => {
    expect(countVotes(of('x', null, 'x'), majority)).toMatchObject({
      confidence: 2 / 3,
      replicas: 3,
      failed: [{ message: 'The model fell asleep.' }],
    });
    expect(() => countVotes(of('x', null, null), majority)).toThrow('No consensus: 1 of 3 replicas agree; at least 50 % is required.');
  });

  test('below the agreement that is asked for is ORCHESTRATION_NO_CONSENSUS', () => {
    const thrown = expectThrown(() => countVotes(of('x', 'y', 'z'), majority));
    expect(thrown.toJSON()).toMatchObject({
      variant: 'AgentError',
      code: 'ORCHESTRATION_NO_CONSENSUS',
      category: 'orchestration',
      retryable: false,
    });
  });
});

test('the first valid answer is as sure as answers were valid', () => {
  const first = { ...majority, vote: 'first_valid' } as const;
  expect(countVotes(of(null, 'y', 'x'), first)).toMatchObject({ value: { is: 'y' }, confidence: 2 / 3, confidence_source: 'validation' });
  expect(() => countVotes(of(null, null), first)).toThrow('all 2 replicas failed: The model fell asleep.');
});

describe('a judge', () => {
  test('chooses an answer by its number', () => {
    const verdict = { choice: 2, confidence: 0.9, reason: 'It is the shorter one.' };
    expect(judgedVote(of('x', 'y'), verdict, 0.5)).toEqual({
      value: { is: 'y' },
      confidence: 0.9,
      confidence_source: 'validation',
      replicas: 2,
      reason: 'It is the shorter one.',
    });
  });

  test.each([
    ['an answer that failed', { choice: 2, confidence: 1, reason: '' }, 'the judge chose answer 2'],
    ['no answer at all', { choice: 9, confidence: 1, reason: '' }, 'the judge chose answer 9'],
    ['too unsure a choice', { choice: 1, confidence: 0.2, reason: '' }, 'confidence in answer 1 is 20 %'],
  ])('with %s gives no consensus', (_, verdict, message) => {
    expect(() => judgedVote(of('x', null), verdict, 0.5)).toThrow(message);
  });

  test('is not asked when no replica has an answer', () => {
    expect(() => ballotOf('question', of(null))).toThrow('all 1 replicas failed');
    expect(ballotOf('question', of('x'))).toEqual({ input: 'question', answers: of('x') });
  });
});

function expectThrown(run: () => unknown): FlowError {
  try {
    run();
  } catch (error) {
    return error as FlowError;
  }
  throw new Error('Nothing was thrown.');
}
