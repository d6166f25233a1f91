import { expect, test } from 'vitest';
import type { RunEvent } from '#shared/run/event.ts';
import { appendToBacklog, maxBacklog } from './event-backlog.ts';

const at = (seq: number) => ({ run_id: 'r', seq, timestamp: seq });
const piece = (seq: number, content: string, turn = 1, type: 'message' | 'reasoning' = 'message'): RunEvent => ({
  ...at(seq),
  type,
  node: 'A',
  turn,
  content,
});
const log = (seq: number): RunEvent => ({ ...at(seq), type: 'log', node: 'A', level: 'info', values: [] });

function piled(events: readonly RunEvent[]): RunEvent[] {
  const waiting: RunEvent[] = [];
  for (const event of events) appendToBacklog(waiting, event);
  return waiting;
}

test('pieces of one text become one, those of another do not', () => {
  const waiting = piled([
    piece(1, 'a'),
    piece(1, 'b'),
    piece(1, 'c', 2),
    piece(1, 'd', 2, 'reasoning'),
    piece(2, 'e', 2, 'reasoning'),
    log(2),
    piece(2, 'f', 2, 'reasoning'),
  ]);
  expect(waiting.map((event) => ('content' in event ? event.content : event.type))).toEqual(['ab', 'c', 'd', 'e', 'log', 'f']);
});

test('a slow reader receives a gap with the steps to re-read, and the newest events', () => {
  const waiting = piled(Array.from({ length: maxBacklog }, (_, index) => log(index + 1)));
  expect(waiting).toHaveLength(maxBacklog);
  appendToBacklog(waiting, log(maxBacklog + 1));
  expect(waiting[0]).toMatchObject({ type: 'gap', from: 1, to: maxBacklog / 2 + 1 });
  expect(waiting.slice(1).map(({ seq }) => seq)).toEqual(Array.from({ length: maxBacklog / 2 }, (_, index) => maxBacklog / 2 + 2 + index));
});

test('many gaps become one, and nothing between is lost', () => {
  const count = 10 * maxBacklog;
  const waiting = piled(Array.from({ length: count }, (_, index) => log(index + 1)));
  const [gap, ...rest] = waiting;
  expect(waiting.length).toBeLessThanOrEqual(maxBacklog);
  expect(waiting.filter(({ type }) => type === 'gap')).toHaveLength(1);
  expect(gap).toMatchObject({ type: 'gap', from: 1, to: (rest[0]?.seq ?? 0) - 1 });
  expect(rest.at(-1)?.seq).toBe(count);
});
