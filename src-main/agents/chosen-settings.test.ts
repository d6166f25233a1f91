import { expect, test } from 'vitest';
import { Asked } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import type { SettingsForInput, SettingsFunction } from '#main/sdk/builder/agent-functions.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { jsonSchema, state } from '#main/sdk/builder/state.ts';
import { capabilityScope } from '#main/workspace/capabilities/capability-scope.ts';
import { parseSettings } from '#main/workspace/settings.ts';
import { capabilitiesOf } from '#shared/flow/capabilities/capabilities-of.ts';
import type { JsonObject } from '#shared/json.ts';

const Question = state('Question', jsonSchema<JsonObject>({}));
const Answer = state('Answer', jsonSchema<string>({ type: 'string' }));
const tools = ['look', 'tell'].map((name) =>
  defineTool({ name, description: name, input: jsonSchema<object>({ type: 'object' }), effect: 'read', call: async () => 'seen' }),
);

function flowWith(settings: SettingsFunction) {
  return defineFlow({ input: Question, output: Answer, tools })
    .agent(Question, Answer, {
      model: 'openai://small',
      models: ['openai://large'],
      tools: ['look', 'tell'],
      prompt: 'As written',
      limits: { turns: 5 },
      settings,
    })
    .build();
}

const submit = { type: 'tool_call', tool_call_id: 's', tool: 'submit', input: { output: 'done' } } as const;
const look = { type: 'tool_call', tool_call_id: 'l', tool: 'look', input: {} } as const;
const context = (...answers: ConstructorParameters<typeof Asked>[0]) =>
  new Asked(answers, { tools: new Map(tools.map((tool) => [tool.name, tool])) });

test('a function gives an agent its settings for an input, once a visit', async () => {
  const inputs: unknown[] = [];
  const flow = flowWith((input) => {
    inputs.push(input);
    return {
      model: 'openai://large',
      params: { temperature: 0.5 },
      prompt: 'Say {this}',
      memory: 'Known',
      tools: ['look'],
      limits: { turns: 3 },
    };
  });
  const model = context([look], [submit]);
  const urls: string[] = [];
  const models = (url: string) => {
    urls.push(url);
    return model.context.models(url);
  };
  const recorder = new MemoryRecorder();
  const run = FlowRuntime.new(flow, { n: 1 }, { recorder });
  await run.next({ ...model.context, models });
  expect(recorder.records[0]?.control.agents.Question?.settings).toMatchObject({ model: 'openai://large', prompt: 'Say {this}' });
  const again = FlowRuntime.fromSnapshot(flow, JSON.parse(JSON.stringify(run.snapshot()))).withHistory(run.history());
  expect(await goOn(again, { ...model.context, models })).toEqual({ type: 'done', output: 'done' });
  expect(inputs).toEqual([{ n: 1 }]);
  expect(urls).toEqual(['openai://large', 'openai://large']);
  expect(model.said(1).slice(0, 2)).toEqual(['system: Known', 'user: Say {this}']);
  expect(model.requests.map(({ tools: offered, params }) => [offered.map(({ name }) => name), params.temperature])).toEqual([
    [['look', 'submit'], 0.5],
    [['look', 'submit'], 0.5],
  ]);
});

test('settings are on record before the model is asked: they are not asked for again after a crash', async () => {
  let asked = 0;
  const flow = flowWith(() => {
    asked += 1;
    return {};
  });
  const model = context([submit]);
  const recorder = new MemoryRecorder();
  recorder.crashAt = (where, effect) => where === 'in' && effect.kind === 'model';
  const run = FlowRuntime.new(flow, {}, { recorder });
  await failureFrom(run.next(model.context));
  recorder.crashAt = () => false;
  expect(await goOn(FlowRuntime.fromSnapshot(flow, run.snapshot(), { recorder }), model.context)).toMatchObject({ output: 'done' });
  expect(asked).toBe(1);
});

test.each<[string, SettingsForInput | { readonly mode: string }, string]>([
  ['a model that is not named', { model: 'openai://other' }, 'the model "openai://other", which is not one of "models"'],
  ['a tool that the agent does not have', { tools: ['write_file'] }, 'the tool "write_file", which the agent does not have'],
  ['a limit of the wrong kind', { limits: { turns: 0.5 } }, '0.5 as limits.turns, which has to be a whole number of at least 1'],
  ['an unknown setting', { mode: 'chat' }, '"mode"; it can return params, limits, memory, preamble, prompt, tools, model'],
])('a function that returns %s fails the step before the model is asked', async (_, settings, why) => {
  const model = context([submit]);
  const failure = await failureFrom(
    goOn(
      FlowRuntime.new(
        flowWith(() => settings as SettingsForInput),
        {},
      ),
      model.context,
    ),
  );
  expect(failure).toMatchObject({ code: 'CONFIG_SETTINGS_INVALID', message: `The settings function of Question returns ${why}.` });
  expect(model.requests).toEqual([]);
});

test('all models that a function can choose are capabilities of the flow', () => {
  const listed = capabilitiesOf(
    flowWith(() => ({})),
    capabilityScope(parseSettings('{}'), true),
  );
  expect(listed.flatMap(({ kind, name }) => (kind === 'model' ? [name] : []))).toEqual(['openai://large', 'openai://small']);
});
