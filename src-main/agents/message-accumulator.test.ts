import { expect, test } from 'vitest';
import { Asked, agent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { jsonSchema } from '#main/sdk/builder/state.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { MessageAccumulator } from '#shared/run/message-accumulator.ts';
import { toPraxis } from '#shared/run/praxis-event.ts';

const input = jsonSchema<Json>({ type: 'object', properties: { at: { type: 'string' } } });
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input,
  output: jsonSchema<Json>({}),
  effect: 'none',
  call: async () => 'seen',
});

/** The events of a run that thinks, calls a tool and answers, as a host streams them. */
async function streamed(): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const call = [
    { type: 'reasoning' as const, text: 'Hm.' },
    { type: 'tool_call' as const, tool_call_id: 'c1', tool: 'look', input: { at: 'sky' } },
  ];
  const asked = new Asked([call, 'Blue.'], { tools: new Map([['look', look]]), onEvent: (event) => events.push(event) });
  const graph = flowOf([agent('A', 'Z', { model: 'test://m', mode: 'chat', tools: ['look'] })]);
  const runtime = FlowRuntime.new(graph, {});
  await goOn(runtime, asked.context);
  const common = { run_id: runtime.runId, seq: 3, timestamp: 99 };
  const start: RunEvent = { ...common, seq: 0, type: 'init_stream', flow: 'f', flow_hash: 'h' };
  const end: RunEvent = { ...common, type: 'end_stream', status: 'success', states: [], total_duration_ms: 7, tokens_used: 30 };
  return [start, ...events, end];
}

test('an accumulator puts the events of a run together to one message with a flat list of items', async () => {
  const events = await streamed();
  const accumulator = new MessageAccumulator('customer/42');
  expect(accumulator.message).toBe(null);
  for (const event of events.slice(0, -1)) accumulator.add(event);
  expect(accumulator.message).toMatchObject({ incomplete: true, completed_at: null, tokens_used: 30 });
  accumulator.add(events.at(-1) as RunEvent);
  expect(accumulator.message).toMatchObject({
    conversation_id: 'customer/42',
    run_id: events[0]?.run_id,
    completed_at: 99,
    incomplete: false,
    content_items: [
      { sequence: 1, type: 'reasoning', content: 'Hm.' },
      { sequence: 2, type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'sky' } },
      { sequence: 3, type: 'tool_result', id: 'c1', result: 'seen', is_error: false },
      { sequence: 4, type: 'message', content: 'Blue.' },
    ],
  });
});

test('pieces of one text are one item, with the time from its first piece to its last', () => {
  const accumulator = new MessageAccumulator();
  const piece = (content: string, timestamp: number, turn = 1): RunEvent => ({
    type: 'message',
    run_id: 'r',
    seq: 1,
    timestamp,
    node: 'A',
    turn,
    content,
  });
  for (const event of [piece('Hel', 10), piece('lo', 25), piece('Again', 40, 2)]) accumulator.add(event);
  expect(accumulator.message?.content_items).toEqual([
    { sequence: 1, type: 'message', content: 'Hello', timestamp: 10, duration_ms: 15 },
    { sequence: 2, type: 'message', content: 'Again', timestamp: 40, duration_ms: 0 },
  ]);
});

test('events have the names of Praxis, and those that it does not know are left out', async () => {
  const named = (await streamed()).flatMap((event) => toPraxis(event, 'customer/42') ?? []);
  expect(named.map(({ type }) => type)).toEqual([
    ...['init_stream', 'node_enter', 'reasoning', 'node_exit', 'node_enter', 'tool_call', 'tool_result', 'node_exit'],
    ...['node_enter', 'message', 'node_exit', 'end_stream'],
  ]);
  expect(named[0]).toEqual({ type: 'init_stream', run_id: expect.any(String), conversation_id: 'customer/42', timestamp: 99 });
  expect(named[5]).toEqual({ type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'sky' }, timestamp: expect.any(Number) });
  expect(named.at(-1)).toEqual({ type: 'end_stream', status: 'success', total_duration_ms: 7, tokens_used: 30 });
});
