import { expect, it } from 'vitest';
import { type Answer, Asked, agent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { messageText } from '#main/models/message-text.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { jsonSchema } from '#main/sdk/builder/state.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { Json } from '#shared/json.ts';
import type { MessagePart } from '#shared/run/message.ts';

const any = jsonSchema<Json>({});
let made = 0;
const search = defineTool({
  name: 'search',
  description: 'Searches.',
  input: jsonSchema<{ n?: number }>({ type: 'object', properties: { n: { type: 'integer' } } }),
  output: any,
  effect: 'none',
  call: async () => {
    made += 1;
    return 'found';
  },
});

let calls = 0;
const call = (tool: string, input: Json = {}): MessagePart => {
  calls += 1;
  return { type: 'tool_call', tool_call_id: `c${calls}`, tool, input };
};
const submit = (): MessagePart => call('submit', { output: 'known' });

function asked(...answers: Answer[]): Asked {
  made = 0;
  return new Asked(answers, { tools: new Map([['search', search]]) });
}

const start = (settings: Partial<AgentSettings>, input: Json = {}): FlowRuntime =>
  FlowRuntime.new(
    flowOf([agent('A', 'Z', { model: 'test://m', prompt: 'go', tools: ['search'], ...settings })], { schemas: { Z: { type: 'string' } } }),
    input,
  );

const advertised = (model: Asked, index: number) => model.requests[index]?.tools.map(({ name }) => name);

it('makes the calls of the last turn and then asks for the result with no tool but submit', async () => {
  const model = asked([call('search', { n: 1 })], [call('search', { n: 2 })], [submit()]);
  expect(await goOn(start({ limits: { turns: 2, conclude: true } }), model.context)).toEqual({ type: 'done', output: 'known' });
  expect(model.requests).toHaveLength(3);
  expect(made).toBe(2);
  expect(advertised(model, 2)).toEqual(['submit']);
  expect(model.requests[2]?.tool_choice).toBe('required');
  expect(messageText(model.requests[2]?.messages.at(-1) as never)).toContain('The budget of this task is used up');
  expect(model.requests[1]?.tool_choice).toBe(undefined);
});

it('concludes a chat with its tools shown but not to be called', async () => {
  const model = asked([call('search', { n: 1 })], 'That is all I know.');
  const graph = flowOf([
    agent('A', 'Z', { model: 'test://m', mode: 'chat', prompt: 'go', tools: ['search'], limits: { turns: 1, conclude: true } }),
  ]);
  expect(await goOn(FlowRuntime.new(graph, {}), model.context)).toMatchObject({ type: 'done' });
  expect(advertised(model, 1)).toEqual(['search']);
  expect(model.requests[1]?.tool_choice).toBe('none');
});

it('makes no call that a model asks for in its conclusion, and gives up after its attempts', async () => {
  const model = asked(...Array.from({ length: 9 }, () => [call('search')]));
  const failing = start({ limits: { turns: 1, conclude: true }, output: { attempts: 2 } });
  expect(await failureFrom(goOn(failing, model.context))).toMatchObject({ code: 'ORCHESTRATION_ITERATION_LIMIT' });
  expect(model.requests).toHaveLength(4);
  expect(made).toBe(1);
});

it('ends at its turns as before without conclude', async () => {
  const model = asked([call('search')], [call('search')]);
  expect(await failureFrom(goOn(start({ limits: { turns: 2 } }), model.context))).toMatchObject({
    code: 'ORCHESTRATION_ITERATION_LIMIT',
    message: 'Agent A reached its limit of 2 turns without a result. Raise limits.turns, or fix its prompt.',
  });
});

it('makes the first calls of a turn that are left, refuses the others in call order, and no longer shows the tool', async () => {
  const model = asked(
    Array.from({ length: 5 }, (_, index) => call('search', { n: index })),
    [submit()],
  );
  const runtime = start({ tools: [{ use: 'search', calls: 3 }] });
  let outcome = await runtime.next(model.context);
  const restored = FlowRuntime.fromSnapshot(
    flowOf([agent('A', 'Z', { model: 'test://m', prompt: 'go', tools: [{ use: 'search', calls: 3 }] })], {
      schemas: { Z: { type: 'string' } },
    }),
    JSON.parse(JSON.stringify(runtime.snapshot())),
  ).withHistory(runtime.history());
  outcome = await goOn(restored, model.context);
  expect(outcome).toEqual({ type: 'done', output: 'known' });
  expect(made).toBe(3);
  const results = model.requests[1]?.messages.at(-1)?.content.map((part) => part.type === 'tool_result' && part.is_error);
  expect(results).toEqual([false, false, false, true, true]);
  expect(advertised(model, 1)).toEqual(['submit']);
});

it('counts all calls of a visit together, and those of unknown tools not at all', async () => {
  const model = asked([call('nothing'), call('search')], [call('search')], [submit()]);
  await goOn(start({ limits: { tool_calls: 2 } }), model.context);
  expect(made).toBe(2);
  expect([0, 1, 2].map((index) => advertised(model, index))).toEqual([['search', 'submit'], ['search', 'submit'], ['submit']]);
});

it('has a tool only for the inputs of its condition', async () => {
  const tools = [{ use: 'search', when: "tier == 'gold'" }];
  for (const [tier, shown] of [
    ['gold', ['search', 'submit']],
    ['tin', ['submit']],
  ] as const) {
    const model = asked([call('search')], [submit()]);
    await goOn(start({ tools }, { tier }), model.context);
    expect(advertised(model, 0)).toEqual(shown);
    expect(made).toBe(tier === 'gold' ? 1 : 0);
  }
});

it('makes no further call to the model once its tokens are used up', async () => {
  const model = asked([call('search')], [call('search')], [call('search')]);
  expect(await failureFrom(goOn(start({ limits: { tokens: 30 } }), model.context))).toMatchObject({
    code: 'ORCHESTRATION_ITERATION_LIMIT',
    message: 'Agent A reached its limit of 30 tokens without a result. Raise limits.tokens, or fix its prompt.',
  });
  expect(model.requests).toHaveLength(2);
});

it.each(['guide', 'conclude', 'fail'] as const)('notices turns that repeat themselves: %s', async (then) => {
  const model = asked([call('search', { n: 1 })], [call('search', { n: 1 })], [call('search', { n: 1 })], [submit()]);
  const runtime = start({ stall: { repeats: 2, then } });
  if (then === 'fail') {
    expect(await failureFrom(goOn(runtime, model.context))).toMatchObject({ code: 'ORCHESTRATION_NO_PROGRESS', details: { repeats: 2 } });
    return;
  }
  expect(await goOn(runtime, model.context)).toMatchObject({ type: 'done' });
  expect(messageText(model.requests[3]?.messages.at(-1) as never)).toContain(
    then === 'guide' ? 'The last 3 turns made the same calls' : 'The budget',
  );
  expect(advertised(model, 3)).toEqual(then === 'guide' ? ['search', 'submit'] : ['submit']);
});
