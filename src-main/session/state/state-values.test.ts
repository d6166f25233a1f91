import { describe, expect, it } from 'vitest';
import { pyStr } from '#shared/python/index.ts';
import { literal } from '#shared/python/testing/expression-row.ts';
import { afterAgent, type Session } from './session.ts';
import { pythonValue, writtenValue } from './state-values.ts';

const empty: Session = { message: '', state: {}, events: [] };
const write = (session: Session, key: string, text: string) =>
  afterAgent(session, { events: [], writes: { [key]: writtenValue(literal(text), 'agent') } });

describe('a Python value in the state', () => {
  it('keeps its floats and the order of its keys through JSON', () => {
    const text = "{'2024': 1.0, '2023': [{'b': 2, '1': 3}]}";
    const session = JSON.parse(JSON.stringify(write(write(empty, 'other', "{'9': 1, '8': 2}"), 'years', text))) as Session;
    expect(pyStr(pythonValue(session, 'years') ?? null)).toBe(text);
    expect(pyStr(pythonValue(session, 'other') ?? null)).toBe("{'9': 1, '8': 2}");
  });

  it('leaves no order behind when it is overwritten', () => {
    const session = write(write(empty, 'years', "{'2': 1, '1': 2}"), 'years', "{'a': 1}");
    expect(session).not.toHaveProperty('key_orders');
  });
});
