import { describe, expect, it } from 'vitest';
import { questionOf, type WaitingSuspension, waitingTitle } from './questions.ts';

const suspension = (change: Partial<WaitingSuspension>): WaitingSuspension => ({
  reason: 'call',
  tool_id: 'Draft::write_file',
  node: 'Draft',
  tool_call_id: 'c1',
  value: {},
  since: 0,
  ...change,
});

describe('the question of a suspension', () => {
  it('is an approval with its input and the schema of the input', () => {
    const asked = suspension({
      reason: 'approval',
      value: { kind: 'approval', tool: 'write_file', input: { path: 'a' }, input_schema: { type: 'object' }, before_hash: null },
    });
    expect(questionOf(asked)).toEqual({ type: 'approval', tool: 'write_file', input: { path: 'a' }, input_schema: { type: 'object' } });
    expect(waitingTitle(asked, 'Write notes')).toBe('write_file wants to change a file');
  });

  it('is a question with choices, with a schema, or for text', () => {
    expect(
      questionOf(
        suspension({ value: { kind: 'question', question: 'Which?', choices: ['a', 'b'] }, payload_schema: { enum: ['a', 'b'] } }),
      ),
    ).toEqual({
      type: 'choice',
      question: 'Which?',
      choices: ['a', 'b'],
    });
    const schema = { type: 'object', properties: { n: { type: 'number' } } };
    expect(questionOf(suspension({ value: { question: 'How many?', choices: ['a'], schema }, payload_schema: schema }))).toMatchObject({
      type: 'question',
      schema,
    });
    expect(questionOf(suspension({ value: { question: 'Why?' } }))).toMatchObject({ schema: { type: 'string' } });
  });

  it('is the state of a suspend node, even one that looks like an approval', () => {
    const value = { kind: 'approval', tool: 'write_file', input: {} };
    const asked = suspension({ reason: 'suspend_node', value, payload_schema: { type: 'object' } });
    expect(questionOf(asked)).toEqual({ type: 'decision', state: value, schema: { type: 'object' } });
    expect(waitingTitle(asked, 'Final word')).toBe('Needs your input: Final word');
  });

  it('is an unknown outcome with the input of the call', () => {
    const asked = suspension({
      reason: 'unknown_outcome',
      value: { kind: 'unknown_outcome', effect: 'tool', name: 'run_command', input: { command: 'git' } },
    });
    expect(questionOf(asked)).toEqual({ type: 'unknown_outcome', name: 'run_command', input: { command: 'git' } });
  });

  it('is the raw value when its kind is unknown', () => {
    expect(questionOf(suspension({ value: [1] }))).toEqual({ type: 'other', value: [1], schema: true });
    expect(waitingTitle(suspension({ value: null }), 'X')).toBe('write_file is waiting for an answer');
  });
});
