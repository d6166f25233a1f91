import { describe, expect, it } from 'vitest';
import type { StateAt, StateEntry } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { previewPieces, stateDifference } from './state-changes.ts';

const state = (name: string, value: Json, written_at: number, previous?: Json): StateEntry => ({
  name,
  value,
  written_at,
  written_by: 'x',
  ...(previous !== undefined && { previous }),
});

const at = (seq: number, states: StateEntry[], consumed: StateEntry[] = []): StateAt => ({
  seq,
  node: 'x',
  states,
  consumed,
  next: null,
  tallies: {},
  items: [],
});

const added = (entry: StateEntry, map: StateAt) =>
  previewPieces(entry, map)
    .map(({ text, added: isNew }) => (isNew ? `[${text}]` : text))
    .join('');

describe('what a step changed', () => {
  it('is marked field by field', () => {
    const draft = state('Draft', { range: 'v1..HEAD', features: ['a'] }, 6);
    const map = at(6, [draft], [state('Commits', { range: 'v1..HEAD', list: [] }, 3)]);
    expect(added(draft, map)).toBe('{ range: "v1..HEAD", [features: ["a"]] }');
    const kinds = stateDifference(draft, map)
      .parts()
      .map(({ key, kind }) => `${key} ${kind}`);
    expect(kinds).toEqual(['range same', 'features added', 'list removed']);
  });

  it('is visible before unchanged fields', () => {
    const old = { since: 'v1.4.0', version: '1.5.0', date: '2026-11-21', note: 'a long one' };
    const log = state('Log', { ...old, log: 'text' }, 1);
    expect(added(log, at(1, [log], [state('Range', old, 0)]))).toBe('{ …, [log: "text"] }');
  });

  it('is the whole value when nothing was copied', () => {
    const score = state('Score', 4, 2);
    const map = at(2, [score], [state('Ticket', { a: 1 }, 1)]);
    expect(added(score, map)).toBe('[4]');
    expect(stateDifference(score, map).kind).toBe('changed');
  });

  it('is empty for a state of an earlier step, for the input, and for a value passed through', () => {
    const old = state('A', { a: 1 }, 1);
    expect(added(old, at(3, [old]))).toBe('{ a: 1 }');
    const input = state('A', { a: 1 }, 0);
    expect(added(input, at(0, [input]))).toBe('{ a: 1 }');
    const passed = state('B', { a: 1 }, 2);
    expect(added(passed, at(2, [passed], [old]))).toBe('{ a: 1 }');
    expect(stateDifference(passed, at(2, [passed], [old])).kind).toBe('same');
  });

  it('is empty for the merge of a join', () => {
    const merged = state('D', { a: 'aaaaaaaaaaaaaaaa', b: 'bbbbbbbbbbbbbbbb' }, 4);
    const map = at(4, [merged], [state('L', { a: 'aaaaaaaaaaaaaaaa' }, 2), state('R', { b: 'bbbbbbbbbbbbbbbb' }, 3)]);
    expect(added(merged, map)).toBe('{ a: "aaaaaaaaaaaaaaaa", b: "bbbbbbbbbbbbbbbb" }');
  });

  it('is relative to both states that a join consumed', () => {
    const merged = state('D', { a: 1, b: 2, c: 3 }, 4);
    const map = at(4, [merged], [state('L', { a: 1 }, 2), state('R', { b: 2 }, 3)]);
    expect(added(merged, map)).toBe('{ a: 1, b: 2, [c: 3] }');
    const kinds = stateDifference(merged, map)
      .parts()
      .map(({ key, kind }) => `${key} ${kind}`);
    expect(kinds).toEqual(['a same', 'b same', 'c added']);
  });

  it('is relative to the previous value of a state that the step replaced', () => {
    const again = state('Ticket', { tries: 2, text: 'x' }, 5, { tries: 1, text: 'x' });
    expect(added(again, at(5, [again]))).toBe('{ [tries: 2], text: "x" }');
  });
});
