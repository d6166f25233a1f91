import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunEvent } from '#shared/run/event.ts';
import { EventBatch } from './event-batch.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const event = (seq: number): RunEvent => ({ type: 'node_enter', run_id: 'r', seq, timestamp: 1, node: 'A', kind: 'work' });

test('emits few events immediately and many in batches, in order', () => {
  const emitted: (readonly RunEvent[])[] = [];
  const batch = new EventBatch((events) => emitted.push(events));
  for (let seq = 1; seq <= 120; seq += 1) batch.add(event(seq));
  expect(emitted).toHaveLength(50);
  vi.advanceTimersByTime(17);
  expect(emitted).toHaveLength(51);
  expect(emitted.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  batch.add(event(121));
  expect(emitted.at(-1)?.map(({ seq }) => seq)).toEqual([121]);
});

test('emits due events while a body computes, and not before', () => {
  const emitted: (readonly RunEvent[])[] = [];
  const batch = new EventBatch((events) => emitted.push(events));
  for (let seq = 1; seq <= 60; seq += 1) batch.add(event(seq));
  batch.flushDue();
  expect(emitted.flat()).toHaveLength(50);
  // The clock goes on, and no timer fires.
  const later = performance.now() + 20;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  batch.flushDue();
  expect(emitted.flat()).toHaveLength(60);
  vi.restoreAllMocks();
});

test('replaces excess events of a frame with one gap and keeps the last event', () => {
  const emitted: RunEvent[] = [];
  const batch = new EventBatch((events) => emitted.push(...events));
  for (let seq = 1; seq <= 2500; seq += 1) batch.add(event(seq));
  batch.flush();
  const gap = emitted.find((one) => one.type === 'gap') as { from: number; to: number };
  const known = emitted.filter((one) => one.type !== 'gap').map(({ seq }) => seq);
  const missing = Array.from({ length: gap.to - gap.from + 1 }, (_, index) => gap.from + index);
  expect([...known, ...missing].sort((a, b) => a - b)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  expect(emitted.length).toBeLessThan(1052);
});
