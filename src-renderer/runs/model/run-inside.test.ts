import { describe, expect, it } from 'vitest';
import type { StateAt, TimelineEntry } from '#shared/contract/runs.ts';
import type { RunView } from './run-fold.ts';
import { marksInside, missingRecord, nodeInRun, shownItems, wayInto } from './run-inside.ts';
import { marksAt } from './run-marks-at.ts';
import type { OuterStep, RunSubject } from './run-subject.ts';

const flow = (path: string) => ({ path, text: '', errors: 0 });
const step = (path: string, kind: OuterStep['kind'], node: string, input: string, output: string): OuterStep => ({
  flow: flow(path),
  kind,
  node,
  input,
  output,
});
const ticket = step('outer', 'flow', 'Ticket', 'Ticket', 'Answer');
const mails = step('outer', 'each', 'Mails', 'Mail', 'Reply');

const tally = { count: 1, turns: 0, tokens: 0, duration_ms: 1 };
const state = (change: Partial<StateAt>): StateAt => ({
  seq: 3,
  node: null,
  states: [],
  consumed: [],
  next: null,
  tallies: {},
  items: [],
  ...change,
});
const row = (seq: number, node: string): TimelineEntry => ({
  seq,
  type: 'transition',
  node,
  kind: 'work',
  consumed: [],
  produced: [],
  started_at: 0,
  duration_ms: 1,
  tokens: 0,
  note: '',
});

function viewOf(change: Partial<RunView>): RunView {
  const current = change.current ?? state({});
  return {
    run_id: 'r',
    flow_path: 'outer',
    status: 'paused',
    seq: 3,
    error: null,
    suspensions: [],
    timeline: [],
    known: [],
    tallies: current.tallies,
    current,
    waiting: current.states.map(({ name, written_at }) => ({ name, written_at })),
    activity: null,
    ahead: {},
    ...change,
  } as RunView;
}

describe('inside a nested flow', () => {
  const states = [{ name: 'Ticket::Draft', value: 'x', written_at: 3, written_by: 'Ticket' }];
  const current = state({ states, next: 'Ticket::Draft', tallies: { First: tally, Ticket: tally, 'Ticket::Deep::Seen': tally } });

  it('the marks are those of its own nodes, by their own names', () => {
    const marks = marksInside(viewOf({ current }), 'now', [ticket]);
    expect(marks.nodes).toEqual({
      Ticket: { status: 'ran', count: 1, ran: '1× · 1 ms' },
      Deep: { status: 'ran', count: 0 },
      Draft: { status: 'next', count: 0 },
    });
    expect(marks.tokens).toEqual({ Draft: { preview: '"x"', fresh: true } });
  });

  it('what waits, runs or has failed elsewhere is not shown', () => {
    const suspensions = ['Ticket::Ask', 'Other'].map((node) => ({ node })) as RunView['suspensions'];
    const { nodes } = marksInside(viewOf({ current, suspensions, status: 'suspended' }), 'now', [ticket]);
    expect(nodes.Ask?.status).toBe('waiting');
    expect(nodes).not.toHaveProperty('Other');
  });

  it('a flow inside it has both on its path', () => {
    const deep = step('middle', 'flow', 'Deep', 'Deep', 'Seen');
    const inner = state({ next: 'Ticket::Deep::Look', tallies: { Ticket: tally } });
    expect(marksInside(viewOf({ current: inner }), 'now', [ticket, deep]).nodes).toEqual({ Look: { status: 'next', count: 0 } });
  });
});

describe('inside an each node', () => {
  const items = [{ node: 'Mails', index: 1, of: 3, states: [{ name: 'Draft', value: 'y' }], next: 'Mails[1]::Draft' }];
  const timeline = [row(1, 'Found'), row(2, 'Mails[0]::Mail'), row(3, 'Mails[0]::Draft'), row(4, 'Mails[1]::Mail')];
  const view = viewOf({ seq: 4, timeline, current: state({ seq: 4, items }) });

  it('the marks are those of the item in progress', () => {
    const marks = marksInside(view, 'now', [mails]);
    expect(marks.nodes).toEqual({ Mail: { status: 'ran', count: 1, ran: '1× · 1 ms' }, Draft: { status: 'next', count: 0 } });
    expect(marks.tokens).toEqual({ Draft: { preview: '"y"', fresh: true } });
    expect(shownItems(view, 'now', [mails])).toMatchObject([{ each: 'Mails', input: 'Mail', number: 2, of: 3 }]);
  });

  it('a step of the past shows its own item', () => {
    const past = state({ seq: 2, items: [{ node: 'Mails', index: 0, of: 3, states: [], next: 'Mails[0]::Draft' }] });
    expect(marksInside(view, { seq: 2, state: past }, [mails]).nodes).toEqual({
      Mail: { status: 'ran', count: 1, ran: '1× · 1 ms' },
      Draft: { status: 'next', count: 0 },
    });
  });

  it('the last item stays when all are done', () => {
    const done = { ...view, current: state({ seq: 4 }), status: 'success' as const };
    expect(marksInside(done, 'now', [mails]).nodes).toEqual({ Mail: { status: 'ran', count: 1, ran: '1× · 1 ms' } });
    expect(shownItems(done, 'now', [mails])).toMatchObject([{ number: 2, of: 2 }]);
  });
});

describe('an item of which no row is loaded', () => {
  const done = viewOf({ seq: 900, timeline: [row(900, 'Other')], current: state({ seq: 900 }), status: 'success' });

  it('is asked for, and shown once its last record is known', () => {
    expect(missingRecord(done, 'now', [mails])).toEqual({ begins_with: 'Mails[', to_seq: 900 });
    const known = { begins_with: 'Mails[', to_seq: 900, record: { seq: 300, node: 'Mails[4]::Draft' } };
    const view = { ...done, known: [known] };
    expect(missingRecord(view, 'now', [mails])).toBeNull();
    expect(shownItems(view, 'now', [mails])).toMatchObject([{ number: 5, of: 5 }]);
    // It is the last one at every step from its own on; before it, another one may be.
    expect(missingRecord(view, { seq: 300, state: state({ seq: 300 }) }, [mails])).toBeNull();
    expect(missingRecord(view, { seq: 299, state: state({ seq: 299 }) }, [mails])).toEqual({ begins_with: 'Mails[', to_seq: 299 });
  });

  it('has the statistics that were counted for it', () => {
    const known = { begins_with: 'Mails[', to_seq: 900, record: { seq: 300, node: 'Mails[4]::Draft' } };
    const counted = { 'Mails[4]::Draft': { ...tally, count: 7 }, 'Mails[3]::Draft': tally };
    const { nodes } = marksInside({ ...done, known: [known] }, 'now', [mails], counted);
    expect(nodes).toEqual({ Draft: { status: 'ran', count: 7, ran: '7× · 1 ms' } });
  });
});

describe('inside a flow that an agent calls', () => {
  const look = { ...step('outer', 'call', 'Ask', 'Query', 'Answer'), tool: 'flow:./look-up.flow.yaml' };
  const frame = (call: string) => `Ask::flow:./look-up.flow.yaml[${call}]`;
  const open = (call: string, index: number) => ({
    node: frame(call),
    index,
    of: 1,
    call: { id: call, tool: look.tool },
    states: index === 0 ? [{ name: 'Found', value: call }] : [],
    next: index === 0 ? `${frame(call)}::Found` : null,
  });
  const timeline = [row(1, 'Ask'), row(2, `${frame('one')}::Query`), row(3, `${frame('one')}::Found`), row(4, `${frame('two')}::Query`)];
  const view = viewOf({ seq: 4, timeline, current: state({ seq: 4, items: [open('one', 1), open('two', 0)] }) });

  it('the marks are those of the call in progress, and its agent says so', () => {
    const { nodes, tokens } = marksInside(view, 'now', [look]);
    expect(nodes).toEqual({ Query: { status: 'ran', count: 1, ran: '1× · 1 ms' }, Found: { status: 'next', count: 0 } });
    expect(tokens).toEqual({ Found: { preview: '"two"', fresh: true } });
    const around = marksAt({ ...view, current: state({ ...view.current, next: `${frame('two')}::Found` }) }, 'now');
    expect(around.nodes.Ask).toMatchObject({ status: 'next', detail: 'in look-up' });
  });

  it('a step of the past shows its own call, also the one that ended it', () => {
    const past = state({ seq: 3, node: `${frame('one')}::Found`, items: [open('one', 1), open('two', 0)] });
    expect(Object.keys(marksInside(view, { seq: 3, state: past }, [look]).nodes)).toEqual(['Query', 'Found']);
    expect(nodeInRun(view, { seq: 3, state: past }, [look], 'Query')).toBe(`${frame('one')}::Query`);
  });

  it('the last call stays when all are done', () => {
    expect(nodeInRun(viewOf({ seq: 5, timeline }), 'now', [look], 'Query')).toBe(`${frame('two')}::Query`);
  });
});

describe('the id in the run of a node of the shown flow', () => {
  it('has the input of the nested flow as prefix, for both states of a join', () => {
    const id = (node: string) => nodeInRun(viewOf({}), 'now', [ticket], node);
    expect([id('Draft'), id('Ticket'), id('A+B')]).toEqual(['Ticket::Draft', 'Ticket', 'Ticket::A+Ticket::B']);
    expect(nodeInRun(viewOf({}), 'now', [], 'Draft')).toBe('Draft');
  });

  it('names the item in progress once', () => {
    const items = [{ node: 'Mails', index: 1, of: 3, states: [], next: null }];
    const view = viewOf({ current: state({ items }) });
    expect(nodeInRun(view, 'now', [mails], 'A+B')).toBe('Mails[1]::A+B');
    expect(nodeInRun(view, 'now', [mails, step('inner', 'flow', 'In', 'In', 'Out')], 'A+B')).toBe('Mails[1]::In::A+In::B');
  });
});

describe('the way into the shown flow', () => {
  const subject: RunSubject = { ...flow('inner'), within: [step('top', 'flow', 'A', 'A', 'B'), ticket] };

  it('starts at the flow of the run', () => {
    expect(wayInto({ flow_path: 'inner' }, subject)).toEqual([]);
    expect(wayInto({ flow_path: 'outer' }, subject)).toEqual([ticket]);
    expect(wayInto({ flow_path: 'elsewhere' }, subject)).toBeNull();
  });
});
