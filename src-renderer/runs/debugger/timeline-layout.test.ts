import { expect, test } from 'vitest';
import { foldAt, growingRounds, type OpenRounds, type TimelineFold, TimelineLayout } from './timeline-layout.ts';

const fold: TimelineFold = { kind: 'loop', node: 'Count', from_seq: 2, to_seq: 8, rounds: 4 };
const roundOf = (seq: number) => () => Math.min(4, seq >> 1);

function lines(layout: TimelineLayout): string[] {
  return Array.from({ length: layout.count }, (_, position) => {
    const line = layout.lineAt(position);
    return line.type === 'step'
      ? ' '.repeat(line.depth) + line.seq
      : `${' '.repeat(line.depth)}round ${line.index}${line.open ? ' open' : ''}`;
  });
}

test('without folds each record has its line', () => {
  const layout = new TimelineLayout(4, [], {});
  expect(lines(layout)).toEqual(['0', '1', '2', '3']);
  expect(layout.positionOf(2, roundOf(2))).toBe(2);
  expect(layout.positionOf(9, roundOf(9))).toBe(3);
});

test('each round of a loop is one line, and an open one has its steps below', () => {
  expect(lines(new TimelineLayout(10, [fold], {}))).toEqual(['0', '1', 'round 1', 'round 2', 'round 3', 'round 4', '9']);
  const open: OpenRounds = { Count: [{ index: 2, from_seq: 4, to_seq: 5, folds: [] }] };
  const layout = new TimelineLayout(10, [fold], open);
  expect(lines(layout)).toEqual(['0', '1', 'round 1', 'round 2 open', ' 4', ' 5', 'round 3', 'round 4', '9']);
  expect([1, 2, 4, 5, 6, 8, 9].map((seq) => layout.positionOf(seq, roundOf(seq)))).toEqual([1, 2, 4, 5, 6, 7, 8]);
});

test('a hundred thousand rounds take no longer to lay out than four', () => {
  const long = { ...fold, to_seq: 200_001, rounds: 100_000 };
  const layout = new TimelineLayout(200_003, [long], {});
  expect(layout.count).toBe(100_003);
  expect(layout.lineAt(50_001)).toMatchObject({ type: 'round', index: 50_000 });
  expect(layout.positionOf(150_000, () => 75_000)).toBe(75_001);
});

test('a loop inside a round that is open is folded itself, and opens by itself', () => {
  const outer: TimelineFold = { kind: 'each', node: 'All', from_seq: 1, to_seq: 12, rounds: 2 };
  const within = [{ node: 'All', index: 2 }];
  const inner: TimelineFold = { kind: 'loop', node: 'All[1]::Count', from_seq: 8, to_seq: 11, rounds: 2, within };
  const open: OpenRounds = { All: [{ index: 2, from_seq: 7, to_seq: 12, folds: [inner] }] };
  const layout = new TimelineLayout(13, [outer], open);
  expect(lines(layout)).toEqual(['0', 'round 1', 'round 2 open', ' 7', ' round 1', ' round 2', ' 12']);
  expect([3, 7, 9, 10].map((seq) => layout.positionOf(seq, ({ node }) => (node === 'All' ? 1 : seq < 10 ? 1 : 2)))).toEqual([1, 3, 4, 5]);
  expect([3, 7, 9].map((seq) => foldAt([outer], open, seq)?.fold.node)).toEqual(['All', 'All', 'All[1]::Count']);
  const both: OpenRounds = { ...open, 'All 2\nAll[1]::Count': [{ index: 1, from_seq: 8, to_seq: 9, folds: [] }] };
  expect(lines(new TimelineLayout(13, [outer], both))).toEqual([
    '0',
    'round 1',
    'round 2 open',
    ' 7',
    ' round 1 open',
    '  8',
    '  9',
    ' round 2',
    ' 12',
  ]);
});

test('the last round of a loop that goes on shows the steps that follow while it is open', () => {
  const open: OpenRounds = { Count: [{ index: 4, from_seq: 8, to_seq: 8, last: true, folds: [] }] };
  const grown = { ...fold, to_seq: 10 };
  const layout = new TimelineLayout(11, [grown], open);
  expect(lines(layout).slice(-4)).toEqual(['round 4 open', ' 8', ' 9', ' 10']);
  expect([9, 10].map((seq) => layout.positionOf(seq, roundOf(seq)))).toEqual([7, 8]);
  expect(foldAt([grown], open, 10)?.round?.index).toBe(4);
  expect(growingRounds([grown], open)).toEqual([{ fold: grown, index: 4 }]);
  const read: OpenRounds = { Count: [{ index: 4, from_seq: 8, to_seq: 9, last: false, folds: [] }] };
  expect(growingRounds([{ ...grown, rounds: 5 }], read)).toEqual([]);
});
