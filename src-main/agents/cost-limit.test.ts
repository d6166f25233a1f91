import { expect, it } from 'vitest';
import { Asked, agent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { jsonSchema } from '#main/sdk/builder/state.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Limits } from '#shared/flow/limits.ts';
import type { Json } from '#shared/json.ts';
import type { MessagePart } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

const any = jsonSchema<Json>({});
const nothing = jsonSchema<Json>({ type: 'object' });
const look = defineTool({ name: 'look', description: 'Looks.', input: nothing, output: any, effect: 'none', call: async () => 'seen' });
const prices = { 'test://m': { input: 3, output: 12, cached_input: 0.3, currency: 'EUR' } };
const usages: readonly TokenUsage[] = [
  { tokens_in: 1000, tokens_out: 100 },
  { tokens_in: 1500, tokens_out: 50, tokens_cached: 900 },
  { tokens_in: 2000, tokens_out: 70, tokens_cached: 1500 },
];

/** A model that asks for a tool as long as it has one, and reports these tokens one after the other. */
function counting() {
  let calls = 0;
  const client: ModelClient = {
    complete: async ({ tools, tool_choice }) => {
      const usage = usages[calls % usages.length] as TokenUsage;
      calls += 1;
      const looks = tool_choice !== 'none' && tools.some(({ name }) => name === 'look');
      const part: MessagePart = looks
        ? { type: 'tool_call', tool_call_id: `c${calls}`, tool: 'look', input: {} }
        : { type: 'text', text: 'done' };
      return { message: { role: 'assistant', content: [part] }, finish_reason: looks ? 'tool' : 'stop', usage };
    },
  };
  const { context } = new Asked([], { models: () => client, tools: new Map([['look', look]]), prices: () => prices });
  return { context, calls: () => calls };
}

const flow = (settings: Partial<AgentSettings> = {}, limits: Partial<Limits> = {}): FlowGraph =>
  flowOf([agent('A', 'Z', { model: 'test://m', mode: 'chat', prompt: 'go', tools: ['look'], ...settings })], { limits });

/** What the calls of `usages` cost, summed by hand. */
const costs = [(1000 * 3 + 100 * 12) / 1e6, (600 * 3 + 900 * 0.3 + 50 * 12) / 1e6, (500 * 3 + 1500 * 0.3 + 70 * 12) / 1e6] as const;

it('counts what the calls of a visit cost at the prices of the workspace, cached tokens at theirs', async () => {
  const model = counting();
  const runtime = FlowRuntime.new(flow({ limits: { cost: 1 } }), {});
  let sum = 0;
  for (const cost of costs) {
    await runtime.next(model.context);
    sum += cost;
    expect(Math.abs((runtime.snapshot().control.agents.A?.cost ?? 0) - sum)).toBeLessThan(1e-9);
    await runtime.next(model.context);
  }
});

it('refuses the next call once the cost of a visit is reached, also in a restored run, or concludes', async () => {
  const model = counting();
  const graph = flow({ limits: { cost: costs[0] + costs[1] } });
  const runtime = FlowRuntime.new(graph, {});
  await runtime.next(model.context);
  const restored = FlowRuntime.fromSnapshot(graph, JSON.parse(JSON.stringify(runtime.snapshot()))).withHistory(runtime.history());
  const failure = await failureFrom(goOn(restored, model.context));
  expect(failure).toMatchObject({ code: 'ORCHESTRATION_ITERATION_LIMIT' });
  expect(failure.message).toContain('Raise limits.cost');
  expect(model.calls()).toBe(2);
  const concluding = counting();
  const done = await goOn(FlowRuntime.new(flow({ limits: { cost: costs[0], conclude: true } }), {}), concluding.context);
  expect(done).toEqual({ type: 'done', output: 'done' });
  expect(concluding.calls()).toBe(2);
});

it('counts replicas and called flows in the limit of the run', async () => {
  const replicas = counting();
  const plain = flow({ mode: 'redundant', tools: [], redundant: { replicas: 3 } }, { cost: costs[0] + costs[1] });
  const redundant = expandAgents({ ...plain, schemas: { ...plain.schemas, Z: { type: 'string' } } });
  expect(await failureFrom(goOn(FlowRuntime.new(redundant, {}), replicas.context))).toMatchObject({
    variant: 'LimitExceeded',
    details: { limit: 'cost' },
  });
  expect(replicas.calls()).toBe(2);
  const called = counting();
  const inner = flowOf([agent('I', 'O', { model: 'test://m', mode: 'chat', tools: [] })]);
  const use: MessagePart = { type: 'tool_call', tool_call_id: 'f', tool: 'flow:./inner.flow.yaml', input: {} };
  let asked = 0;
  const calling: ModelClient = {
    complete: async (request) => {
      asked += 1;
      const answer = await (await called.context.models('test://m')).complete(request);
      return asked === 1 ? { ...answer, message: { role: 'assistant', content: [use] }, finish_reason: 'tool' } : answer;
    },
  };
  const outer = flowOf([agent('A', 'Z', { model: 'test://m', mode: 'chat', tools: ['flow:./inner.flow.yaml'] })], {
    tools: { 'flow:./inner.flow.yaml': inner },
    limits: { cost: 1 },
  });
  const runtime = FlowRuntime.new(outer, {});
  await goOn(runtime, { ...called.context, models: () => calling });
  expect(runtime.snapshot().control.counters.cost).toBeCloseTo(costs[0] + costs[1] + costs[2], 9);
});

it('fails before the first call where the model has no price, and asks for no price without a limit', async () => {
  const model = counting();
  const unpriced = { ...model.context, prices: () => ({}) };
  for (const graph of [flow({ limits: { cost: 1 } }), flow({}, { cost: 1 })]) {
    expect(await failureFrom(goOn(FlowRuntime.new(graph, {}), unpriced))).toMatchObject({
      variant: 'AgentError',
      code: 'CONFIG_PRICE_UNKNOWN',
      retryable: false,
      details: { model: 'test://m' },
    });
  }
  expect(model.calls()).toBe(0);
  const free = FlowRuntime.new(flow({ tools: [] }), {});
  expect(await goOn(free, unpriced)).toMatchObject({ type: 'done' });
  expect(free.snapshot().control.counters).not.toHaveProperty('cost');
});
