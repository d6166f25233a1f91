import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventBatch } from '#main/driver/event-batch.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const event = (seq: number): RunEvent => ({ type: 'node_enter', run_id: 'r', seq, timestamp: 1, node: 'A', kind: 'work' });

test('few events are told at once, many together, all in order', () => {
  const told: (readonly RunEvent[])[] = [];
  const batch = new EventBatch((events) => told.push(events));
  for (let seq = 1; seq <= 120; seq += 1) batch.add(event(seq));
  expect(told).toHaveLength(50);
  vi.advanceTimersByTime(17);
  expect(told).toHaveLength(51);
  expect(told.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  batch.add(event(121));
  expect(told.at(-1)?.map(({ seq }) => seq)).toEqual([121]);
});

test('what is due is told while a body computes, and not before', () => {
  const told: (readonly RunEvent[])[] = [];
  const batch = new EventBatch((events) => told.push(events));
  for (let seq = 1; seq <= 60; seq += 1) batch.add(event(seq));
  batch.flushDue();
  expect(told.flat()).toHaveLength(50);
  // The clock goes on, and no timer fires.
  const later = performance.now() + 20;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  batch.flushDue();
  expect(told.flat()).toHaveLength(60);
  vi.restoreAllMocks();
});

test('what is too much for one frame is told as one gap, and the last event stays', () => {
  const told: RunEvent[] = [];
  const batch = new EventBatch((events) => told.push(...events));
  for (let seq = 1; seq <= 2500; seq += 1) batch.add(event(seq));
  batch.flush();
  const gap = told.find((one) => one.type === 'gap') as { from: number; to: number };
  const known = told.filter((one) => one.type !== 'gap').map(({ seq }) => seq);
  const missing = Array.from({ length: gap.to - gap.from + 1 }, (_, index) => gap.from + index);
  expect([...known, ...missing].sort((a, b) => a - b)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  expect(told.length).toBeLessThan(1052);
});
