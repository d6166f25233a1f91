import { expect, test } from 'vitest';
import { Asked } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import type { GuardsInCode } from '#main/sdk/builder/agent-functions.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import type { AgentOptions } from '#main/sdk/builder/flow-tool.ts';
import { jsonSchema, state } from '#main/sdk/builder/state.ts';
import type { Json } from '#shared/json.ts';

const Question = state('Question', jsonSchema<Json>({}));
const Answer = state('Answer', jsonSchema<string>({ type: 'string' }));

function flowWith(guards: GuardsInCode, more: Partial<AgentOptions> = {}) {
  return defineFlow({ input: Question, output: Answer })
    .agent(Question, Answer, { model: 'openai://m', mode: 'chat', prompt: 'Go', guards, ...more })
    .build();
}

const short = async (value: Json) => ({ pass: String(value).length <= 5, reason: `it has ${String(value).length} letters` });

test('a check in code tells the model why an output is not accepted, and takes the next one', async () => {
  const model = new Asked(['far too long', 'brief']);
  expect(await goOn(FlowRuntime.new<unknown>(flowWith({ output: [short] }), {}), model.context)).toEqual({ type: 'done', output: 'brief' });
  expect(model.said(1).at(-1)).toContain('the check "short" failed: it has 12 letters');
});

test('a check in code fails with its name, before the model is asked where it checks the input', async () => {
  const model = new Asked(['brief']);
  const guards: GuardsInCode = { input: [{ name: 'no secrets', check: (value) => ({ pass: value === 'ok', reason: 'a secret' }) }] };
  expect(await failureFrom(goOn(FlowRuntime.new<unknown>(flowWith(guards), 'x'), model.context))).toMatchObject({
    code: 'VALIDATION_RULE_FAILED',
    details: { name: 'no secrets', reason: 'a secret' },
  });
  expect(model.requests).toEqual([]);
});

test('a check in code holds for each replica of a vote, and for the result of a plan', async () => {
  const voting = flowWith({ output: [short] }, { mode: 'redundant', redundant: { replicas: 2 } });
  const model = new Asked(['"far too long"', '"brief"', '"brief"']);
  expect(await goOn(FlowRuntime.new<unknown>(voting, {}), model.context)).toMatchObject({ output: 'brief' });
  const planning = flowWith({ output: [short] }, { mode: 'plan', plan: { fixed: [{ name: 'a', input: 'x' }] } });
  const other = new Asked(['done', '"far too long"', '"brief"']);
  expect(await goOn(FlowRuntime.new<unknown>(planning, {}), other.context)).toMatchObject({ output: 'brief' });
});

test('a verdict is on record: it is not asked for again after a crash', async () => {
  let asked = 0;
  const counted = (value: Json) => {
    asked += 1;
    return short(value);
  };
  const flow = flowWith({ input: [() => ({ pass: true })], output: [counted] });
  const recorder = new MemoryRecorder();
  const model = new Asked(['brief', 'other']);
  recorder.crashAt = (where, effect) => where === 'after' && effect.key === 'guard output/0';
  const run = FlowRuntime.new<unknown>(flow, {}, { recorder });
  await failureFrom(run.next(model.context));
  recorder.crashAt = () => false;
  expect(await goOn(FlowRuntime.fromSnapshot(flow, run.snapshot(), { recorder }), model.context)).toMatchObject({ output: 'brief' });
  expect([asked, model.requests.length]).toEqual([1, 1]);
});

test('a check that gives no verdict fails the step, and says what it has to give', async () => {
  const wrong = { output: [() => 'fine' as never] };
  expect(await failureFrom(goOn(FlowRuntime.new<unknown>(flowWith(wrong), {}), new Asked(['x']).context))).toMatchObject({
    variant: 'HandlerError',
    message: 'The check output/0 of Question has to return { pass, reason }: true or false, and a text.',
  });
});
