import { describe, expect, it } from 'vitest';
import { Asked, agent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import { settingsOfGraph } from '#shared/flow/settings-by-input.ts';
import type { Json, JsonObject } from '#shared/json.ts';

const written = {
  mode: 'chat',
  model: { by: 'customer.tier', cheap: 'test://small', best: 'test://large', else: 'cheap' },
  prompt: 'Hi',
  params: { temperature: '{creativity}', max_tokens: 50, options: { style: '{as written}' } },
  limits: { turns: '{turns}', seconds: 60 },
  memory: 'Since {since}',
};
const flow = flowOf([agent('A', 'Z', settingsOfGraph(written))]);
const input = { customer: { tier: 'best' }, creativity: 0.3, turns: 4, since: 2019 };

/** Runs the flow, and says which models were asked. */
async function asked(value: JsonObject) {
  const models: string[] = [];
  const model = new Asked(['done']);
  const clients = (url: string) => {
    models.push(url);
    return model.context.models(url);
  };
  const context = { ...model.context, models: clients };
  const runtime = FlowRuntime.new(flow, value);
  return { models, model, runtime, context };
}

describe('settings that the input gives', () => {
  it('choose the model by name, and keep the type of a value', async () => {
    const { models, model, runtime, context } = await asked(input);
    expect(await goOn(runtime, context)).toMatchObject({ type: 'done' });
    expect(models).toEqual(['test://large']);
    expect(model.requests[0]?.params).toEqual({ temperature: 0.3, max_tokens: 50, options: { style: '{as written}' } });
    expect(model.said(0)[0]).toBe('system: Since 2019');
  });

  it.each<Json>(['gold', 7, null])('take the model named by else where the field is %j', async (tier) => {
    const { models, runtime, context } = await asked({ ...input, customer: { tier } });
    await goOn(runtime, context);
    expect(models).toEqual(['test://small']);
  });

  it('fail before the model is asked where a setting does not take the value', async () => {
    const { models, runtime, context } = await asked({ ...input, turns: 'many' });
    expect(await failureFrom(runtime.next(context))).toMatchObject({
      code: 'CONFIG_SETTINGS_INVALID',
      node: 'A',
      message: 'limits.turns of A is "many" for this input, and has to be a whole number of at least 1.',
    });
    expect(models).toEqual([]);
  });

  const planned = { name: 'a', instruction: 'Do it.' };
  it.each([
    ['plan', {}, [JSON.stringify({ rationale: '', steps: [planned] }), 'did it', '"done"']],
    ['plan', { plan: { fixed: [{ name: 'a', input: 'x' }] } }, ['did it', '"done"']],
    ['redundant', { redundant: { replicas: 2 } }, ['"done"', '"done"']],
    ['redundant', { redundant: { replicas: 2, vote: 'judge' } }, ['"a"', '"done"', '{"choice":2,"confidence":1,"reason":""}']],
  ])('hold for all agents inside one of mode %s with %j', async (mode, more, answers) => {
    const settings = settingsOfGraph({ ...written, mode, ...more } as JsonObject);
    const graph = expandAgents(flowOf([agent('A', 'Z', settings)], { schemas: { Z: { type: 'string' } } }));
    const model = new Asked(answers);
    const urls: string[] = [];
    const models = (url: string) => {
      urls.push(url);
      return model.context.models(url);
    };
    expect(await goOn(FlowRuntime.new<unknown>(graph, input), { ...model.context, models })).toEqual({ type: 'done', output: 'done' });
    expect(urls).toEqual(answers.map(() => 'test://large'));
    const asksJudge = answers.at(-1)?.includes('choice');
    expect(model.requests.map(({ params }) => params.temperature)).toEqual(
      answers.map((_, index) => (asksJudge && index === 2 ? undefined : 0.3)),
    );
  });

  it('are the same after a restart in the middle of a visit', async () => {
    const model = new Asked([[{ type: 'tool_call', tool_call_id: 'c', tool: 'none', input: {} }], 'done']);
    const runtime = FlowRuntime.new(flow, { ...input, turns: 2 });
    await runtime.next(model.context);
    const again = FlowRuntime.fromSnapshot(flow, JSON.parse(JSON.stringify(runtime.snapshot()))).withHistory(runtime.history());
    await goOn(again, model.context);
    expect(model.requests.map(({ params }) => params.temperature)).toEqual([0.3, 0.3]);
  });
});
