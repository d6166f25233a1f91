import { expect, test } from 'vitest';
import { Correlation } from './correlation.ts';
import type { RunEvent } from './event.ts';

const common = { run_id: 'r', timestamp: 0, node: 'A' } as const;
const asked: RunEvent = {
  ...common,
  seq: 3,
  type: 'inference_start',
  turn: 1,
  model: 'openai://m',
  message_count: 1,
  tool_defs_count: 1,
  schema_present: true,
  grammar_present: false,
};
const called: RunEvent = {
  ...common,
  seq: 4,
  span_id: 'c',
  type: 'tool_call',
  tool_call_id: 'c',
  tool_name: 't',
  arguments: {},
  args_hash: '',
};
const inside: RunEvent = { ...common, seq: 5, parent_span_id: 'c', type: 'node_enter', kind: 'work' };

test('each event has its request, which is the run unless it says so, and its session', () => {
  const ofRun = new Correlation().add(asked);
  expect(ofRun).toMatchObject({ request_id: 'r', span_id: 'r/3' });
  // In a run, a parent says that an event is of a called flow.
  expect(ofRun).not.toHaveProperty('parent_span_id');
  expect(new Correlation({ request_id: 'q', session_id: 's' }).add(asked)).toMatchObject({
    request_id: 'q',
    session_id: 's',
    span_id: 'q/3',
    parent_span_id: 'q',
  });
});

test('a tool call is caused by the model call that asked for it, and what happens in its flow by the call', () => {
  const correlation = new Correlation();
  correlation.add(asked);
  expect(correlation.add(called)).toMatchObject({ span_id: 'c', parent_span_id: 'r/4', caused_by: 'r/3' });
  expect(correlation.add(inside)).toMatchObject({ parent_span_id: 'c', caused_by: 'c' });
});
