import { expect, it } from 'vitest';
import { type Answer, Asked, agent, chat } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';

type Guards = NonNullable<AgentSettings['guards']>;

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const short = { name: 'short', expr: 'len(text) <= 10' } as const;
const grounded = { name: 'grounded', judge: { model: 'test://judge', question: 'Is every claim supported?', min: 0.7 } } as const;
const verdict = (pass: boolean, confidence: number, reason = 'It says so.') => JSON.stringify({ pass, confidence, reason });

/** A run of an agent with these checks, whose models give these answers. */
function checked(guards: Guards, answers: readonly Answer[], more: Partial<AgentSettings> = {}) {
  const events: RunEvent[] = [];
  const asked = new Asked(answers, { onEvent: (event) => events.push(event) });
  const graph = flowOf([agent('A', 'Z', { model: 'test://m', prompt: '{question}', guards, ...more })], { schemas: { Z: schema } });
  const runtime = FlowRuntime.new(graph, { question: 'Why?' });
  const of = <T extends RunEvent['type']>(type: T) => events.filter((event): event is RunEventOf<T> => event.type === type);
  return { runtime, asked, graph, of, end: () => goOn(runtime, asked.context) };
}

it('tells the model what is wrong with an output that misses a rule, and takes the next one', async () => {
  const { end, asked, of } = checked({ output: [short] }, ['{"text": "far too long"}', '{"text": "brief"}']);
  expect(await end()).toEqual({ type: 'done', output: { text: 'brief' } });
  expect(asked.said(1).at(-1)).toContain('the check "short" failed: len(text) <= 10 is not true');
  expect(of('guard').map(({ name, stage, kind, pass }) => [name, stage, kind, pass])).toEqual([
    ['short', 'output', 'rule', false],
    ['short', 'output', 'rule', true],
  ]);
  expect(of('validation')).toMatchObject([{ valid: true, attempts: 2, checks: [{ pass: false }, { pass: true }] }]);
});

it('fails with VALIDATION_RULE_FAILED once the attempts are used up, and at once where it is to fail', async () => {
  const long = '{"text": "far too long"}';
  const stubborn = checked({ output: [short] }, [long, long], { output: { attempts: 1 } });
  expect(await failureFrom(stubborn.end())).toMatchObject({
    variant: 'AgentError',
    code: 'VALIDATION_RULE_FAILED',
    category: 'validation',
    details: { name: 'short', reason: 'len(text) <= 10 is not true' },
  });
  expect(stubborn.asked.requests).toHaveLength(2);
  const strict = checked({ output: [{ ...short, on_fail: 'fail' }] }, [long, long]);
  expect(await failureFrom(strict.end())).toMatchObject({ code: 'VALIDATION_RULE_FAILED' });
  expect(strict.asked.requests).toHaveLength(1);
});

it('checks the input before anything is asked', async () => {
  const { end, asked } = checked({ input: [{ name: 'no questions', expr: "question != 'Why?'" }] }, []);
  expect(await failureFrom(end())).toMatchObject({ code: 'VALIDATION_RULE_FAILED', details: { name: 'no questions' } });
  expect(asked.requests).toEqual([]);
});

it('asks a judge in a step of its own, which counts in the limits, and takes an answer of which it is sure enough', async () => {
  const unsure = verdict(true, 0.4);
  const { end, asked, of, runtime } = checked({ output: [grounded] }, ['{"text": "a"}', unsure, '{"text": "b"}', verdict(true, 0.9)]);
  expect(await end()).toEqual({ type: 'done', output: { text: 'b' } });
  expect(asked.said(1)).toEqual([
    expect.stringContaining('You check the work'),
    'user: Is every claim supported?\n\n{"input":{"question":"Why?"},"output":{"text":"a"}}',
  ]);
  expect(asked.said(2).at(-1)).toContain('It says so. (confidence 0.4, at least 0.7 is asked for)');
  expect(of('node_exit').map(({ phase }) => phase)).toEqual(['reason', 'guard', 'reason', 'guard']);
  expect(runtime.snapshot().control.counters).toMatchObject({ model_calls: 4, tokens: 60 });
  expect(runtime.history().A?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

it('fails with VALIDATION_SEMANTIC_FAILED and the confidence of the judge', async () => {
  const { end } = checked({ output: [{ ...grounded, on_fail: 'fail' }] }, ['{"text": "a"}', verdict(false, 0.8, 'No source.')]);
  expect(await failureFrom(end())).toMatchObject({
    code: 'VALIDATION_SEMANTIC_FAILED',
    details: { name: 'grounded', reason: 'No source.', confidence: 0.8 },
  });
});

it('judges the input before the first turn', async () => {
  const guards: Guards = { input: [{ ...grounded, on_fail: 'fail' }] };
  const fine = checked(guards, [verdict(true, 1), '{"text": "a"}']);
  expect(await fine.end()).toMatchObject({ type: 'done' });
  expect(fine.of('node_exit').map(({ phase }) => phase)).toEqual(['guard', 'reason']);
  expect(await failureFrom(checked(guards, [verdict(false, 1)]).end())).toMatchObject({ code: 'VALIDATION_SEMANTIC_FAILED' });
});

it('lets a person pass, edit or refuse what a check has stopped, also in a restored run', async () => {
  const guards: Guards = { output: [{ ...short, on_fail: 'suspend' }, grounded] };
  const answers = ['{"text": "far too long"}', verdict(true, 1)];
  for (const [payload, output] of [
    [{ do: 'pass' }, { text: 'far too long' }],
    [{ do: 'edit', output: { text: 'mine' } }, { text: 'mine' }],
  ] as const) {
    const { end, asked, runtime, graph } = checked(guards, answers);
    const waiting = await end();
    expect(waiting).toMatchObject({ type: 'suspend', tool_id: 'A::guard', value: { kind: 'guard', value: { text: 'far too long' } } });
    const restored = FlowRuntime.fromSnapshot(graph, JSON.parse(JSON.stringify(runtime.snapshot()))).withHistory(runtime.history());
    expect(await failureFrom(restored.resume(asked.context, 'A::guard', { do: 'edit', output: { text: 3 } }))).toMatchObject({
      variant: 'DeserializeError',
    });
    await restored.resume(asked.context, 'A::guard', payload);
    expect(await goOn(restored, asked.context)).toEqual({ type: 'done', output });
  }
  const refused = checked(guards, answers);
  await refused.end();
  expect(await failureFrom(refused.runtime.resume(refused.asked.context, 'A::guard', { do: 'refuse', reason: 'Too long.' }))).toMatchObject(
    {
      code: 'VALIDATION_RULE_FAILED',
      details: { reason: 'Too long.' },
    },
  );
});

it('keeps an answer in the conversation once it is judged, and sends a later visit what was accepted', async () => {
  const asked = new Asked(['first', verdict(false, 1, 'Rude.'), 'second', verdict(true, 1), 'later']);
  const settings = chat({ guards: { output: [grounded] } });
  const graph = flowOf([agent('A', 'Z', settings)]);
  await goOn(FlowRuntime.new(graph, { id: 1, text: 'Hi' }), asked.context);
  await goOn(FlowRuntime.new(flowOf([agent('A', 'Z', chat())]), { id: 1, text: 'And?' }), asked.context);
  expect(asked.said(4)).toEqual(['user: Hi', 'assistant: first', expect.stringContaining('Rude.'), 'assistant: second', 'user: And?']);
});

it('checks a submitted result, too', async () => {
  const submit = (id: string, text: string) => [{ type: 'tool_call' as const, tool_call_id: id, tool: 'submit', input: { text } }];
  const inner = flowOf([agent('I', 'O', { model: 'test://m' })]);
  const asked = new Asked([submit('s1', 'far too long'), submit('s2', 'brief')]);
  const settings = { model: 'test://m', prompt: 'go', tools: ['flow:./x'], guards: { output: [short] } };
  const graph = flowOf([agent('A', 'Z', settings)], { schemas: { Z: schema }, tools: { 'flow:./x': inner } });
  expect(await goOn(FlowRuntime.new(graph, {}), asked.context)).toEqual({ type: 'done', output: { text: 'brief' } });
});
