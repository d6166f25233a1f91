import { expect, test } from 'vitest';
import type { AheadEvent } from '#shared/run/event.ts';
import { foldAhead } from './ahead-fold.ts';
import type { RunView } from './run-fold.ts';
import { marksAt } from './run-marks-at.ts';

const view = {
  run_id: 'r',
  status: 'running',
  tallies: {},
  waiting: [],
  suspensions: [],
  activity: null,
  error: null,
  ahead: {},
  current: { states: [], items: [], next: null },
} as unknown as RunView;
const at = { run_id: 'r', timestamp: 1, ahead: true, node: 'C' } as const;
const entered: AheadEvent = { ...at, type: 'node_enter', kind: 'agent', phase: 'reason' };
const said = (content: string): AheadEvent => ({ ...at, type: 'message', turn: 1, content });
const goes = (to: string): AheadEvent => ({ ...at, type: 'lifecycle', from: 'ahead', to, attempt: 1, reason: '' });

test('a node that works ahead is marked as running, with the text of its model so far', () => {
  const working = foldAhead(view, [entered, said('Hel'), said('lo'), { ...entered, run_id: 'other', node: 'D' }]);
  expect(working.ahead).toMatchObject({ C: { kind: 'agent', text: 'Hello', waiting: false } });
  expect(marksAt(working, 'now').nodes).toMatchObject({ C: { status: 'running', badge: 'running' } });
});

test('a node that has worked ahead is marked as done until its turn has come', () => {
  const done = foldAhead(view, [entered, goes('waiting')]);
  expect(marksAt(done, 'now').nodes).toMatchObject({ C: { status: 'ran', badge: 'done ahead' } });
  expect(foldAhead(done, [goes('taken')]).ahead).toEqual({});
  expect(foldAhead(done, [goes('dropped')]).ahead).toEqual({});
});
