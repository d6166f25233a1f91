import { describe, expect, it } from 'vitest';
import type { NodeTally } from '#shared/contract/node-tally.ts';
import type { RunDetail } from '#shared/contract/runs.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { foldEvents, viewOf } from './run-fold.ts';
import { marksAt } from './run-marks-at.ts';

const tally = (count: number, change: Partial<NodeTally> = {}): NodeTally => ({ count, turns: 0, tokens: 0, duration_ms: 1, ...change });

const detail: RunDetail = {
  run_id: 'r',
  flow_path: 'f',
  flow_name: 'F',
  flow_text: '',
  status: 'suspended',
  seq: 4,
  created_at: 0,
  updated_at: 40,
  error: null,
  suspensions: [{ reason: 'call', tool_id: 'Draft::write_file', node: 'Draft', tool_call_id: 'c1', value: {}, since: 40 }],
  tokens: 1284,
  forked_from: null,
  read_only: false,
  input: {},
  output: null,
  timeline: { total: 4, from: 5, entries: [] },
  current: {
    seq: 4,
    node: 'Draft',
    states: [{ name: 'Draft', value: { title: 'x' }, written_at: 2, written_by: 'B' }],
    consumed: [],
    next: null,
    tallies: { A: tally(1), B: tally(1), Draft: tally(0, { turns: 1, tokens: 1284 }) },
    items: [],
  },
  titles: {},
  agents: { Draft: { phase: 'act', turn: 1 } },
  conversations: [{ node: 'Draft', since: 3 }],
};

describe('the marks of a run on the canvas', () => {
  it('show what ran, what waits, and where the tokens are', () => {
    const marks = marksAt(viewOf(detail), 'now');
    expect(marks.nodes.A).toEqual({ status: 'ran', count: 1, ran: '1× · 1 ms' });
    expect(marks.nodes.Draft).toEqual({ status: 'waiting', count: 0, badge: 'waiting', detail: 'turn 1 · 1,284 tokens' });
    expect(marks.tokens).toEqual({ Draft: { preview: '{ title: "x" }', fresh: false } });
  });

  it('show the next node while the run is paused', () => {
    const paused = viewOf({ ...detail, status: 'paused', suspensions: [], current: { ...detail.current, next: 'Draft' } });
    expect(marksAt(paused, 'now').nodes.Draft).toMatchObject({ status: 'next', badge: 'turn 1' });
  });

  it('are the same objects for nodes that a step did not touch', () => {
    const running = viewOf({ ...detail, status: 'running', suspensions: [] });
    const exit: RunEvent = {
      run_id: 'r',
      seq: 5,
      timestamp: 50,
      type: 'node_exit',
      node: 'B',
      kind: 'work',
      duration_ms: 1,
      consumed: [],
      produced: [],
    };
    const [before, after] = [marksAt(running, 'now'), marksAt(foldEvents(running, [exit]), 'now')];
    expect(after.nodes.A).toBe(before.nodes.A);
    expect(after.nodes.B).toEqual({ status: 'ran', count: 2, ran: '2× · 2 ms' });
  });

  it('show a step of the past as it was then', () => {
    const states = [{ name: 'B', value: 1, written_at: 1, written_by: 'A' }];
    const state = { seq: 1, node: 'A', states, consumed: [], next: 'B', tallies: { A: tally(1) }, items: [] };
    const marks = marksAt(viewOf(detail), { seq: 1, state });
    expect(marks.nodes).toEqual({ A: { status: 'ran', count: 1, ran: '1× · 1 ms' }, B: { status: 'next', count: 0 } });
    expect(marks.tokens).toEqual({ B: { preview: '1', fresh: true } });
    expect(marksAt(viewOf(detail), { seq: 1, state: null }).tokens).toEqual({});
  });

  it('follow the events of a running run whose values have not loaded yet', () => {
    const running = foldEvents(viewOf({ ...detail, status: 'paused', suspensions: [] }), [
      {
        run_id: 'r',
        seq: 5,
        timestamp: 50,
        type: 'node_exit',
        node: 'Draft',
        kind: 'agent',
        phase: 'act',
        duration_ms: 1,
        consumed: ['Draft'],
        produced: ['Notes'],
      },
      { run_id: 'r', seq: 6, timestamp: 51, type: 'node_enter', node: 'Notes', kind: 'work' },
    ]);
    const marks = marksAt(running, 'now');
    expect(marks.nodes.Draft).toMatchObject({ status: 'ran', count: 1, ran: '1× · 2 ms' });
    expect(marks.nodes.Notes).toMatchObject({ status: 'running', badge: 'running' });
    expect(marks.tokens).toEqual({ Notes: { preview: '', fresh: true } });
  });

  it('point at the node that failed', () => {
    const error = new FlowError('HandlerError', 'x is not defined', { node: 'Draft' }).toJSON();
    const marks = marksAt(viewOf({ ...detail, status: 'error', suspensions: [], error }), 'now');
    expect(marks.nodes.Draft).toMatchObject({ status: 'failed', badge: 'failed' });
  });

  it('show nodes inside an each node on its card, which counts its own runs', () => {
    const suspensions = [
      { ...detail.suspensions[0], tool_id: 'Items[1]::Mid::suspend', node: 'Items[1]::Mid' },
    ] as RunDetail['suspensions'];
    const tallies = { Items: tally(0, { tokens: 50 }) };
    const waiting = viewOf({ ...detail, suspensions, current: { ...detail.current, tallies } });
    expect(marksAt(waiting, 'now').nodes).toEqual({ Items: { status: 'waiting', count: 0, badge: 'waiting' } });
    const exits = [
      { node: 'Items[1]::Mid', kind: 'work', consumed: ['Mid'], produced: ['Item'] },
      { node: 'Items', kind: 'each', consumed: ['Items'], produced: ['R'] },
    ];
    const through = foldEvents(
      waiting,
      exits.map((exit, index) => ({ run_id: 'r', seq: 5 + index, timestamp: 50, type: 'node_exit', duration_ms: 1, ...exit })),
    );
    expect(through.tallies.Items).toEqual({ count: 1, turns: 0, tokens: 50, duration_ms: 3 });
  });

  it('show the progress of a nested flow on its card', () => {
    const states = [{ name: 'Ticket::Draft', value: 1, written_at: 2, written_by: 'Ticket' }];
    const tallies = { Ticket: tally(1), 'Ticket::Found': tally(1, { tokens: 5 }) };
    const state = { seq: 2, node: 'Ticket::Found', states, consumed: [], next: 'Ticket::Draft', tallies, items: [] };
    expect(marksAt(viewOf(detail), { seq: 2, state }).nodes).toEqual({
      Ticket: { status: 'next', count: 1, detail: 'inside: Draft', ran: '1× · 2 ms' },
    });
  });
});
