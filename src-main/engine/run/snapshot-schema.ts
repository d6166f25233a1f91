import type { JsonSchema } from '#shared/json.ts';

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const seconds: JsonSchema = { type: 'number', minimum: 0 };

function object(properties: Readonly<Record<string, JsonSchema>>, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

function byNode(value: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: value };
}

const namedState = object({ name: text, value: true });

const pendingCall = object(
  { tool_call_id: text, tool: text, input: true },
  {
    approved_input: true,
    edited_by: { const: 'person' },
    answer: object({ payload: true }),
    // The root: the snapshot of a run that a call makes.
    flow: object({ snapshot: { $ref: '#' }, history: { type: 'object' }, now: { type: 'number' } }),
    frame: text,
    result: object({ value: true, is_error: { type: 'boolean' } }, { error: { type: 'object' } }),
  },
);

const agentState = object(
  {
    phase: { enum: ['reason', 'act'] },
    turn: count,
    attempts: count,
    pending: list(pendingCall),
    seconds,
    tainted: { type: 'boolean' },
    history_start: count,
  },
  {
    writes: { type: 'object' },
    calls: byNode(count),
    tokens: count,
    cost: seconds,
    guard: object({ next: count, checks: list({ type: 'object' }) }, { output: { type: 'object' }, failed: { type: 'object' } }),
    concluding: count,
    stall: object({ print: text, repeats: count }),
    control: { type: 'object' },
    settings: { type: 'object' },
    measured: object({ characters: count, tokens: count }),
    conversation: object({ id: text, base: count, from: count, exchange: text }),
  },
);

const suspension = object(
  { reason: { enum: ['call', 'approval', 'suspend_node', 'unknown_outcome'] }, tool_id: text, node: text, tool_call_id: text, value: true },
  { payload_schema: { type: ['object', 'boolean'] }, inner_tool_id: text },
);

const calledFlow = object(
  { flow: text, tool: text, tool_call_id: text, tainted: { type: 'boolean' }, seconds },
  { error: { type: 'object' } },
);

const control = object({
  agents: byNode(agentState),
  frames: byNode(object({ index: count, states: list(namedState), results: list(list(true)) }, { call: calledFlow, made: count })),
  handlers: byNode(object({ now: { type: 'number' }, seed: { type: 'number' }, calls: list(pendingCall) }, { since: count })),
  suspensions: list(suspension),
  answers: { type: 'array', items: object({ suspension, payload: true }), maxItems: 1 },
  counters: object({ steps: count, seconds, model_calls: count, tokens: count }, { cost: seconds }),
  script_positions: byNode(count),
});

/** JSON Schema of a `Snapshot` (`src-shared/run/snapshot.ts`). */
export const snapshotSchema: JsonSchema = object(
  {
    pravah: { const: 1 },
    run_id: text,
    seq: count,
    flow: object({ name: text, hash: text }),
    states: list(namedState),
    control,
  },
  { written: list(count), ahead: list(object({ ready: text, node: text, phase: text, key: text, outcome: { type: 'object' } })) },
);
