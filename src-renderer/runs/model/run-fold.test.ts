import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunDetail, RunSummary, TimelineEntry } from '#shared/contract/runs.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { foldDetail, foldEvents, foldSummary, keptLines, type RunView, rewindLines, viewOf } from './run-fold.ts';

const run_id = 'r1';

/** A run as the journal reports it after `seq` work nodes `S0 → S1 → …`. */
function detailAt(seq: number, change: Partial<RunDetail> = {}): RunDetail {
  return {
    run_id,
    flow_path: 'a.flow.yaml',
    flow_name: 'A',
    flow_text: '',
    status: 'paused',
    seq,
    created_at: 0,
    updated_at: seq * 10,
    error: null,
    suspensions: [],
    tokens: 0,
    forked_from: null,
    read_only: false,
    input: {},
    output: null,
    timeline: { total: seq, from: 1, entries: Array.from({ length: seq }, (_, index) => entryAt(index)) },
    current: {
      seq,
      node: seq === 0 ? null : `S${seq - 1}`,
      states: [{ name: `S${seq}`, value: seq, written_at: seq, written_by: seq === 0 ? '' : `S${seq - 1}` }],
      consumed: [],
      next: `S${seq}`,
      tallies: Object.fromEntries(
        Array.from({ length: seq }, (_, index) => [`S${index}`, { count: 1, turns: 0, tokens: 0, duration_ms: 5 }]),
      ),
      items: [],
    },
    titles: {},
    agents: {},
    conversations: [],
    ...change,
  };
}

function entryAt(index: number): TimelineEntry {
  return {
    seq: index + 1,
    type: 'transition',
    node: `S${index}`,
    kind: 'work',
    consumed: [`S${index}`],
    produced: [`S${index + 1}`],
    started_at: index * 10 + 5,
    duration_ms: 5,
    tokens: 0,
    note: '',
  };
}

const at = (seq: number, timestamp = seq * 10) => ({ run_id, seq, timestamp });

/** The events of step `seq` of that run. */
function stepEvents(seq: number): RunEvent[] {
  const node = `S${seq - 1}`;
  return [
    { ...at(seq, seq * 10 - 5), type: 'node_enter', node, kind: 'work' },
    { ...at(seq), type: 'node_exit', node, kind: 'work', duration_ms: 5, consumed: [node], produced: { [`S${seq}`]: seq } },
  ];
}

const summaryOf = ({ flow_text, input, output, timeline, current, agents, conversations, ...summary }: RunDetail): RunSummary => summary;

describe('the fold of a run', () => {
  it('reaches the same timeline and waiting states by events as by reloading the run', () => {
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), fc.array(fc.nat(20), { maxLength: 5 }), (known, more, cuts) => {
        const events = Array.from({ length: known + more }, (_, index) => stepEvents(index + 1)).flat();
        let view = viewOf(detailAt(known));
        let from = 0;
        for (const cut of [...cuts.map((cut) => Math.min(cut, events.length)).sort((a, b) => a - b), events.length]) {
          view = foldEvents(view, events.slice(from, cut));
          from = Math.max(from, cut);
        }
        const read = viewOf(detailAt(known + more));
        expect(view.timeline).toEqual(read.timeline);
        expect(view.tallies).toEqual(read.tallies);
        expect(view.waiting).toEqual(read.waiting);
        expect(view.seq).toBe(read.seq);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('starts the rows over after skipped records, and keeps a limited number', () => {
    const passed = foldEvents(viewOf(detailAt(3)), stepEvents(9));
    expect(passed.timeline.map(({ seq }) => seq)).toEqual([9]);
    const many = foldEvents(passed, Array.from({ length: 5000 }, (_, index) => stepEvents(index + 10)).flat());
    expect(many.timeline).toHaveLength(1000);
    expect(many.timeline.at(-1)?.seq).toBe(many.seq);
  });

  it('shows the running transition and the text of its model', () => {
    const view = foldEvents(viewOf(detailAt(1)), [
      { ...at(2), type: 'node_enter', node: 'S1', kind: 'agent', phase: 'reason' },
      {
        ...at(2),
        type: 'inference_start',
        node: 'S1',
        turn: 1,
        model: 'm',
        message_count: 1,
        tool_defs_count: 0,
        schema_present: false,
        grammar_present: false,
      },
      { ...at(2), type: 'reasoning', node: 'S1', turn: 1, content: 'Let me ' },
      { ...at(2), type: 'reasoning', node: 'S1', turn: 1, content: 'see' },
      {
        ...at(2),
        type: 'inference_end',
        node: 'S1',
        turn: 1,
        duration_ms: 3,
        tokens_in: 7,
        tokens_out: 5,
        finish_reason: 'tool',
        tool_call_count: 1,
      },
    ]);
    expect(view.status).toBe('running');
    expect(view.activity).toMatchObject({ node: 'S1', phase: 'reason', turn: 1, reasoning: 'Let me see' });
    expect(view.tokens).toBe(12);
    const done = foldEvents(view, [
      { ...at(2), type: 'node_exit', node: 'S1', kind: 'agent', phase: 'reason', duration_ms: 4, consumed: {}, produced: {} },
    ]);
    expect(done.activity).toBeNull();
    expect(done.timeline.at(-1)).toMatchObject({ seq: 2, phase: 'reason', turn: 1, tokens: 12 });
    expect(done.tallies.S1).toEqual({ count: 0, turns: 1, tokens: 12, duration_ms: 4 });
    expect(done.conversations).toEqual([{ node: 'S1', since: 2 }]);
    expect(done.waiting.map(({ name }) => name)).toEqual(['S1']);
  });

  it('asks for a reload after a suspension, a failure, a gap and the end', () => {
    const suspended: RunEvent = {
      ...at(2),
      type: 'suspended',
      reason: 'call',
      tool_id: 'S1::ask',
      node: 'S1',
      tool_call_id: 'c',
      value: {},
    };
    const gap: RunEvent = { ...at(2), type: 'gap', from: 2, to: 9 };
    const end: RunEvent = { ...at(1), type: 'end_stream', status: 'success', states: [], total_duration_ms: 1, tokens_used: 0 };
    for (const event of [suspended, gap, end]) expect(foldEvents(viewOf(detailAt(1)), [event]).stale).toBe(true);
    expect(foldEvents(viewOf(detailAt(1)), stepEvents(2)).stale).toBe(false);
    expect(viewOf(detailAt(2), foldEvents(viewOf(detailAt(1)), [gap])).stale).toBe(false);
  });

  it('never goes back to an older snapshot', () => {
    const ahead = foldEvents(viewOf(detailAt(1)), stepEvents(2));
    expect(foldDetail(ahead, detailAt(1))).toBe(ahead);
    expect(foldDetail(ahead, detailAt(3)).seq).toBe(3);
    expect(foldDetail(ahead, { ...detailAt(3), run_id: 'other' })).toBe(ahead);
    expect(foldSummary(ahead, summaryOf(detailAt(1)))).toBe(ahead);
  });

  it('keeps the settled one of two snapshots of the same moment, in any order', () => {
    const running = detailAt(2, { status: 'running' });
    const settled = detailAt(2, { status: 'suspended' });
    expect(foldDetail(viewOf(settled), running).status).toBe('suspended');
    expect(foldDetail(viewOf(running), settled).status).toBe('suspended');
    expect(foldSummary(viewOf(settled), summaryOf(running)).status).toBe('suspended');
  });

  it('applies the status of a summary at once and reloads the rest', () => {
    const view = viewOf(detailAt(2));
    const waiting = detailAt(3, {
      status: 'suspended',
      suspensions: [{ reason: 'call', tool_id: 't', node: 'S2', tool_call_id: 'c', value: {}, since: 1 }],
    });
    const next = foldSummary(view, summaryOf(waiting));
    expect(next).toMatchObject({ status: 'suspended', stale: true, activity: null });
    expect(next.suspensions).toHaveLength(1);
    expect(foldSummary(view, summaryOf(detailAt(2))).stale).toBe(false);
  });

  it('reloads a settled run that is reported as running, as a refused command leaves it unchanged', () => {
    const view = viewOf(detailAt(2, { status: 'suspended' }));
    expect(foldSummary(view, summaryOf(detailAt(2, { status: 'running', updated_at: 99 })))).toMatchObject({
      status: 'running',
      stale: true,
    });
    const running = viewOf(detailAt(2, { status: 'running' }));
    expect(foldSummary(running, summaryOf(detailAt(3, { status: 'running' }))).stale).toBe(false);
  });

  it('ignores the events of another run', () => {
    const view = viewOf(detailAt(1));
    const foreign = stepEvents(2).map((event): RunEvent => ({ ...event, run_id: 'other' }));
    expect(foldEvents(view, foreign)).toEqual(view);
  });

  it('keeps the last output lines across reloads and restarted streams', () => {
    const log = (seq: number): RunEvent => ({ ...at(seq), type: 'log', node: 'S0', level: 'info', values: [seq] });
    const many = Array.from({ length: keptLines + 3 }, (_, index) => log(index + 1));
    const view: RunView = foldEvents(viewOf(detailAt(0)), many);
    expect(view.lines).toHaveLength(keptLines);
    expect(view.lines[0]?.seq).toBe(4);
    expect(viewOf(detailAt(1), view).lines).toHaveLength(keptLines);
    expect(rewindLines(view, 10).lines.map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('steps that are not the run’s own map’s', () => {
  it('inside an each node do not change the waiting states, and note what they consumed and produced', () => {
    const event: RunEvent = {
      ...at(3),
      type: 'node_exit',
      node: 'S2[0]::Item',
      kind: 'work',
      duration_ms: 1,
      consumed: { Item: 1 },
      produced: { S2: 2 },
    };
    const view = foldEvents(viewOf(detailAt(2)), [event]);
    expect(view.waiting).toEqual([{ name: 'S2', written_at: 2 }]);
    expect(view.timeline.at(-1)).toMatchObject({ node: 'S2[0]::Item', consumed: [], produced: [], note: 'Item → S2' });
    expect(view.seq).toBe(3);
  });

  it('of a flow that a tool call runs add no records, and count their tokens to the call', () => {
    const [enter, exit] = stepEvents(3) as [RunEvent, RunEvent];
    const inside = (event: RunEvent): RunEvent => ({ ...event, parent_span_id: 'call_3' });
    const used: RunEvent = {
      ...at(3),
      type: 'inference_end',
      node: 'S9',
      turn: 1,
      duration_ms: 1,
      tokens_in: 3,
      tokens_out: 4,
      finish_reason: 'stop',
      tool_call_count: 0,
    };
    const during = foldEvents(viewOf(detailAt(2)), [enter, inside(enter), inside(used), inside(exit)]);
    expect(during).toMatchObject({ seq: 2, tokens: 7, activity: { node: 'S2' } });
    expect(foldEvents(during, [exit]).timeline.at(-1)).toMatchObject({ seq: 3, node: 'S2', tokens: 7 });
  });
});
