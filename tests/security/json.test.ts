import { expect } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf, quietContext, work } from '#main/engine/testing/flows.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { loadSettings, parseSettings } from '#main/workspace/settings.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';
import { attack, hostileScript } from './testing/attacked-agent.ts';

/* JSON that is legal and means harm: nested without end, larger than a state may be, with names and numbers that JavaScript takes for more. */

const form = abuseClass('huge and deep JSON');

const deepText = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
/** Nested values made without recursion. */
function deep(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

async function answerOf(body: string): Promise<unknown> {
  await using server = await TestServer.start((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', JSON.stringify({ http: { allow_private: ['127.0.0.1'] } }));
  const { answers } = await attack(workspace, [{ tool: 'http_request', input: { url: server.url(), allow_private: true } }]);
  return answers[0];
}

for (const levels of [2_000, 1_000_000]) {
  form(`an answer of ${levels} levels`, async () => {
    expect(await answerOf(deepText(levels))).toMatchObject({ is_error: true });
  });
}
form('an answer with numbers beyond all numbers', async () => {
  expect(await answerOf('{"a": 1e400, "b": -1e400}')).toMatchObject({ is_error: true });
});
form('an answer with half of a sign', async () => {
  expect(await answerOf('{"a": "\\ud800"}')).toMatchObject({ is_error: true });
});
form('an answer with names that JavaScript takes for more', async () => {
  await answerOf('{"__proto__": {"owned": 1}, "constructor": {"prototype": {"owned": 1}}}');
  expect(({} as { owned?: number }).owned).toBeUndefined();
});

form('a flow with a number beyond all numbers', () => {
  const text =
    '{"pravah":1,"name":"N","input":"A","output":"B","schemas":{"A":{"maximum":1e999},"B":{}},"nodes":[{"kind":"work","from":"A","to":"B"}]}';
  expect(parseFlow(text, 'a.flow.json').problems).toMatchObject([{ code: 'format', message: expect.stringContaining('too large') }]);
});
for (const [title, text] of [
  ['a key twice', '{"commands": [], "commands": ["sh"]}'],
  ['the name of every object’s prototype', '{"__proto__": {"commands": ["sh"]}}'],
  ['the same, deeper', '{"http": {"__proto__": {"allow_private": ["127.0.0.1"]}}}'],
  ['a comment that hides', '{/*}*/"commands": ["sh"]}'],
] as const) {
  form(`settings with ${title}`, () => {
    expect(() => parseSettings(text)).toThrow(/pravah\.json/);
  });
}
form('a call with numbers beyond all numbers, and invalid names', async () => {
  await using workspace = await TestWorkspace.make();
  const calls = [
    { tool: 'transform', input: { input_data: '[1e999]', expression: '$' } },
    { tool: '__proto__', input: {} },
    { tool: 'constructor', input: {} },
    { tool: 'transform', input: JSON.parse('{"input_data": 1, "expression": "$", "__proto__": {"owned": 1}}') as JsonObject },
  ];
  const { answers } = await attack(workspace, calls, { agent: { tools: ['transform'] } });
  // The last one arrives without the name that stands for no field.
  expect(answers.map(({ is_error }) => is_error)).toEqual([true, true, true, false]);
  expect(({} as { owned?: number }).owned).toBeUndefined();
});

form('an input nested too deep', () => {
  expect(() => FlowRuntime.new(flowOf([work('A', 'B')]), deep(100_000))).toThrow(/nested|levels/);
});
form('an input that is too large', () => {
  const text = 'x'.repeat(2 ** 20);
  expect(() =>
    FlowRuntime.new(
      flowOf([work('A', 'B')]),
      Array.from({ length: 70 }, () => text),
    ),
  ).toThrow(/64 MiB|large/);
});
form('an input with the name of every object’s prototype', async () => {
  const input = JSON.parse('{"__proto__": {"owned": 1}, "n": 1}') as Json;
  const outcome = await FlowRuntime.new(flowOf([work('A', 'B', { type: 'expr', source: 'n' })]), input)
    .next(quietContext())
    .catch(() => null);
  expect(({} as { owned?: number }).owned).toBeUndefined();
  if (outcome?.type === 'done') expect(outcome.output).toBe(1);
});

form('a call whose input is nested too deep', async () => {
  await using workspace = await TestWorkspace.make();
  const script = `{"turns": [{"tool_calls": [{"tool": "transform", "input": {"expression": "$", "input_data": ${deepText(3_000)}}}]}, {"output": 1}]}`;
  await workspace.write('deep.json', script);
  const run = await attack(workspace, [], { agent: { model: 'script://deep.json', tools: ['transform'] } }).catch(
    (error: unknown) => error,
  );
  expect(JSON.stringify(run instanceof Error ? run.message : (run as { answers: unknown }).answers)).toMatch(/deep|levels|nested/);
});
form('a script of a model nested without end', async () => {
  await using workspace = await TestWorkspace.make();
  await workspace.write('deep.json', deepText(500_000));
  await expect(attack(workspace, [], { agent: { model: 'script://deep.json' } })).rejects.toMatchObject({ variant: 'AgentError' });
});
form('settings nested without end', async () => {
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', `{"commands": ${deepText(500_000)}}`);
  await expect(loadSettings(workspace.folder)).rejects.toThrow(/pravah.json/);
});
form('a snapshot nested without end', async () => {
  await using workspace = await TestWorkspace.make();
  await hostileScript(workspace, []);
  const graph = flowOf([work('A', 'B')]);
  const snapshot = FlowRuntime.new(graph, 1).snapshot();
  const forged = { ...snapshot, states: [{ name: 'A', value: deep(200_000) }] };
  expect(() => FlowRuntime.fromSnapshot(graph, forged)).toThrow(expect.objectContaining({ variant: 'SnapLoadError' }));
});
