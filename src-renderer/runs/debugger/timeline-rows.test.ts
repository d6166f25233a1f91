import { describe, expect, it } from 'vitest';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { TimelineEntry } from '#shared/contract/runs.ts';
import { FlowError } from '#shared/run/error.ts';
import { rowCount, rowAt as rowOf } from './timeline-rows.ts';

function entry(seq: number, change: Partial<TimelineEntry>): TimelineEntry {
  return {
    seq,
    type: 'transition',
    node: 'A',
    kind: 'work',
    consumed: ['A'],
    produced: ['B'],
    started_at: 0,
    duration_ms: 1,
    tokens: 0,
    note: '',
    ...change,
  };
}

function view(timeline: TimelineEntry[], change: Partial<RunView> = {}): RunView {
  return {
    status: 'paused',
    seq: timeline.length,
    timeline,
    waiting: [{ name: 'A', written_at: 0 }],
    activity: null,
    error: null,
    ...change,
  } as RunView;
}

const titles = (id: string) => `«${id}»`;
const rowAt = (run: RunView, seq: number, named: typeof titles) => rowOf(run, seq, (wanted) => run.timeline[wanted - 1] ?? null, named);

describe('the rows of the timeline', () => {
  it('begin with the input', () => {
    expect(rowAt(view([]), 0, titles)).toMatchObject({ seq: 0, title: 'Input', produced: 'A' });
    expect(rowAt(view([entry(1, {})]), 0, titles)).toMatchObject({ produced: 'A' });
  });

  it('name the turn of an agent’s transition', () => {
    const agent = { node: 'D', kind: 'agent', produced: [] };
    const run = view([
      entry(1, { ...agent, turn: 1, phase: 'reason', note: '2 calls', tokens: 1284, duration_ms: 1400 }),
      entry(2, { ...agent, turn: 1, phase: 'act' }),
      entry(3, { ...agent, turn: 2, phase: 'reason' }),
      entry(4, { ...agent, turn: 2, phase: 'act', produced: ['E'] }),
      entry(5, { ...agent, turn: 1, phase: 'reason' }),
    ]);
    expect([1, 2, 3, 4, 5].map((index) => rowAt(run, index, titles).part)).toEqual(['turn 1', 'tools', 'turn 2', 'tools', 'turn 1']);
    expect(rowAt(run, 1, titles)).toMatchObject({ produced: '2 calls', duration: '1.4 s', tokens: '1,284' });
  });

  it('mark the waiting step, only while it waits', () => {
    const timeline = [entry(1, {}), entry(2, { type: 'suspended', produced: [], note: 'write_file waits' })];
    expect(rowAt(view(timeline, { status: 'suspended' }), 2, titles)).toMatchObject({
      waiting: true,
      produced: 'write_file waits',
      duration: '–',
    });
    expect(rowAt(view(timeline), 2, titles).waiting).toBe(false);
  });

  it('end with the running or failed step', () => {
    const activity = { node: 'B', kind: 'agent', turn: 2, started_at: 0, reasoning: '', text: '' };
    const running = view([entry(1, {})], { status: 'running', activity });
    expect(rowCount(running)).toBe(3);
    expect(rowAt(running, 2, titles)).toMatchObject({ seq: 2, type: 'running', title: '«B»', part: 'turn 2' });
    const failed = view([entry(1, {})], { status: 'error', error: new FlowError('HandlerError', 'no', { node: 'B' }).toJSON() });
    expect(rowAt(failed, 2, titles)).toMatchObject({ seq: 2, type: 'failed', title: '«B»' });
    expect(rowCount(view([entry(1, {})]))).toBe(2);
  });

  it('reserve a row for a record that has not loaded', () => {
    const run = view([], { seq: 40 });
    expect(rowCount(run)).toBe(41);
    expect(rowAt(run, 17, titles)).toMatchObject({ seq: 17, type: 'unread', title: '' });
  });
});
