import { expect, it } from 'vitest';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Stop } from '#shared/run/stop.ts';
import { detailText, stopText, stopTextAtCard, whatText } from './breakpoint-text.ts';

const at = { flow: 'a.flow.yaml', node: 'Order' };
const breakpoints: Breakpoint[] = [
  { id: 'b1', kind: 'after', ...at },
  { id: 'b2', kind: 'before', ...at, condition: 'total > 100', hits: '>=3', enabled: false },
];
const stop = (id: string, hits: number, text = ''): Stop => ({
  reason: 'breakpoint',
  point: 'stop',
  place: [{ ...at, title: 'Check credit', kind: 'work' }],
  breakpoints: [{ id, hits }],
  text,
});

it('says which breakpoint stopped the run, its condition, and for which time', () => {
  expect(stopText(stop('b2', 3), breakpoints)).toBe('Paused at breakpoint 2: total > 100, third time');
  expect(stopText(stop('b2', 1), breakpoints)).toBe('Paused at breakpoint 2: total > 100');
  expect(['11', '22', '112'].map((hits) => stopTextAtCard(stop('b2', Number(hits)), breakpoints))).toEqual([
    '2: total > 100, 11th time',
    '2: total > 100, 22nd time',
    '2: total > 100, 112th time',
  ]);
  expect(stopText(stop('b1', 1), breakpoints)).toBe('Paused at breakpoint 1: after Check credit');
});

it('names the place if the breakpoint has been removed, and says nothing if none stopped the run', () => {
  expect(stopText(stop('gone', 1), breakpoints)).toBe('Paused at Check credit');
  expect(stopTextAtCard(stop('gone', 1), breakpoints)).toBeNull();
  expect(stopText({ ...stop('b1', 1), breakpoints: [] }, breakpoints)).toBeNull();
});

it('says why a condition failed instead of quoting it', () => {
  const failed = stop('b2', 2, 'b2: before Check credit, stopped because its condition failed. Unknown name.');
  expect(stopText(failed, breakpoints)).toBe('Paused at breakpoint 2: its condition failed. Unknown name.');
});

it('describes a breakpoint with its condition, hits, log text, and that it is off', () => {
  expect(whatText(breakpoints[1] as Breakpoint, 2)).toBe('Breakpoint 2, before if total > 100 hits >=3, off');
  expect(detailText({ id: 'b', kind: 'before', ...at, log: 'Order {id}' })).toBe('log Order {id}');
  expect(detailText({ id: 'b', kind: 'branch', ...at, state: 'Small' })).toBe('branch Small');
  expect(detailText({ id: 'b', kind: 'state', flow: at.flow, state: 'Priced', on: 'changed', path: '/total' })).toBe('changed at /total');
});
