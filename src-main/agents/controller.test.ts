import { expect, it } from 'vitest';
import { type Answer, Asked, agent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { messageText } from '#main/models/message-text.ts';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { jsonSchema, state } from '#main/sdk/builder/state.ts';
import { loadFlowText } from '#main/workspace/flow-loader.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { LoopState } from '#shared/run/loop-state.ts';
import type { MessagePart } from '#shared/run/message.ts';

const any = jsonSchema<Json>({});
let made: string[] = [];
const tool = (name: string) =>
  defineTool({
    name,
    description: 'Searches.',
    input: jsonSchema<{ n?: number }>({ type: 'object', properties: { n: { type: 'integer' } } }),
    output: any,
    effect: 'none',
    call: async () => {
      made.push(name);
      return 'found';
    },
  });
const tools = new Map(['search', 'read'].map((name) => [name, tool(name)]));

let ids = 0;
const call = (name: string, input: Json = {}): MessagePart => {
  ids += 1;
  return { type: 'tool_call', tool_call_id: `c${ids}`, tool: name, input };
};
const submit = (): MessagePart => call('submit', { output: 'known' });

function asked(...answers: Answer[]): Asked {
  made = [];
  return new Asked(answers, { tools });
}

function start(control: AgentSettings['control'], more: Partial<AgentSettings> = {}, recorder = new MemoryRecorder()): FlowRuntime {
  const settings: AgentSettings = { model: 'test://m', prompt: 'go', tools: ['search', 'read'], ...(control && { control }), ...more };
  return FlowRuntime.new<unknown>(flowOf([agent('A', 'Z', settings)], { schemas: { Z: { type: 'string' } } }), {}, { recorder });
}

const advertised = (model: Asked, index: number) => model.requests[index]?.tools.map(({ name }) => name);

it('concludes an agent that repeats itself, as an expression decides', async () => {
  const model = asked([call('search')], [call('search')], [call('search')], [submit()]);
  const run = start({ expr: "point == 'after_tools' && repeats.results >= 2 ? 'conclude' : 'continue'" });
  expect(await goOn(run, model.context)).toEqual({ type: 'done', output: 'known' });
  expect(model.requests).toHaveLength(4);
  expect(advertised(model, 3)).toEqual(['submit']);
});

it('makes no redirected call, tells the guidance as its result, and holds tools back from then on', async () => {
  const control = {
    run: "(loop) => loop.point === 'before_tools' && loop.pending[0].tool === 'search' && (loop.calls.search ?? 0) >= 1 ? { do: 'redirect', guidance: 'Read instead.', tools: ['read'] } : 'continue'",
  };
  const model = asked([call('search')], [call('search')], [call('read')], [submit()]);
  const recorder = new MemoryRecorder();
  expect(await goOn(start(control, {}, recorder), model.context)).toEqual({ type: 'done', output: 'known' });
  expect(made).toEqual(['search', 'read']);
  expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('Read instead.');
  expect(advertised(model, 2)).toEqual(['read', 'submit']);
  const decided = recorder.records.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'control' && event.do !== 'continue' ? [event] : [])),
  );
  expect(decided).toMatchObject([{ point: 'before_tools', do: 'redirect', guidance: 'Read instead.', tools: ['read'] }]);
});

it('tells guidance in the next request alone', async () => {
  const control = { expr: "point == 'before_model' && turn == 1 ? {do: 'redirect', guidance: 'Hurry.'} : 'continue'" };
  const model = asked([call('search')], [call('search')], [submit()]);
  await goOn(start(control), model.context);
  const told = model.requests.map(({ messages }) => messages.some((message) => messageText(message) === 'Hurry.'));
  expect(told).toEqual([false, true, false]);
});

it('waits for an answer, and is asked again at the same point with it', async () => {
  const control = {
    run: "(loop) => loop.point !== 'before_tools' ? 'continue' : loop.answer === undefined ? { do: 'suspend', value: { may: loop.pending[0].tool } } : loop.answer.yes ? 'continue' : { do: 'abort', reason: 'refused' }",
  };
  const model = asked([call('search')], [submit()]);
  const run = start(control);
  expect(await goOn(run, model.context)).toMatchObject({ type: 'suspend', tool_id: 'A::control', value: { may: 'search' } });
  expect(made).toEqual([]);
  await run.resume(model.context, 'A::control', { yes: true });
  expect(await goOn(run, model.context)).toMatchObject({ type: 'done' });
  expect(made).toEqual(['search']);
  const other = asked([call('search')]);
  const refused = start(control);
  await goOn(refused, other.context);
  expect(await failureFrom(refused.resume(other.context, 'A::control', { yes: false }))).toMatchObject({
    code: 'ORCHESTRATION_ABORTED',
    message: 'The controller of A stopped it: refused',
  });
});

it('waits after calls without making them again', async () => {
  const model = asked([call('search')], [submit()]);
  const run = start({
    run: "(loop) => loop.point === 'after_tools' && loop.answer === undefined ? { do: 'suspend', value: loop.results } : 'continue'",
  });
  expect(await goOn(run, model.context)).toMatchObject({ type: 'suspend', value: [{ tool: 'search', result: 'found', is_error: false }] });
  await run.resume(model.context, 'A::control', 'go on');
  expect(await goOn(run, model.context)).toMatchObject({ type: 'done' });
  expect(made).toEqual(['search']);
});

it('keeps its state in the snapshot, up to 64 KiB', async () => {
  const control = { run: "(loop) => ({ do: 'continue', state: { asked: (loop.state?.asked ?? 0) + 1 } })" };
  const model = asked([call('search')], [submit()]);
  const run = start(control);
  await run.next(model.context);
  const restored = JSON.parse(JSON.stringify(run.snapshot())) as ReturnType<FlowRuntime['snapshot']>;
  expect(restored.control.agents.A?.control?.state).toEqual({ asked: 1 });
  await run.next(model.context);
  expect(run.snapshot().control.agents.A?.control?.state).toEqual({ asked: 3 });
  const large = start({ run: "() => ({ do: 'continue', state: 'x'.repeat(70000) })" });
  expect(await failureFrom(goOn(large, asked().context))).toMatchObject({
    variant: 'HandlerError',
    message: expect.stringContaining('65,536'),
  });
});

it('can neither raise a limit nor name a tool that the agent does not have', async () => {
  const model = asked([call('search')], [call('search')], [submit()]);
  const run = start({ expr: "point == 'after_tools' && turns_left == 0 ? 'conclude' : 'continue'" }, { limits: { turns: 2 } });
  expect(await failureFrom(goOn(run, model.context))).toMatchObject({ code: 'ORCHESTRATION_ITERATION_LIMIT' });
  expect(model.requests).toHaveLength(2);
  const other = start({ expr: "{do: 'redirect', tools: ['delete']}" });
  expect(await failureFrom(goOn(other, asked().context))).toMatchObject({ message: expect.stringContaining('names the tool "delete"') });
});

it('is a function in code, whose decisions are on record and not asked for again', async () => {
  const seen: LoopState['point'][] = [];
  const [A, Z] = [state('A', any), state('Z', jsonSchema<string>({ type: 'string' }))];
  const flow = defineFlow({ input: A, output: Z, tools: ['search', 'read'] })
    .agent(A, Z, {
      model: 'openai://m',
      prompt: 'go',
      tools: ['search'],
      control: (loop) => {
        seen.push(loop.point);
        return 'continue';
      },
    })
    .build();
  const model = asked([call('search')], [submit()]);
  const recorder = new MemoryRecorder();
  // The model's first call is lost after the controller has decided.
  recorder.crashAt = (where, effect) => where === 'in' && effect.kind === 'model';
  const run = FlowRuntime.new<unknown>(flow, {}, { recorder });
  await failureFrom(run.next(model.context));
  recorder.crashAt = () => false;
  const again = FlowRuntime.fromSnapshot(flow, run.snapshot(), { recorder });
  expect(await goOn(again, model.context)).toEqual({ type: 'done', output: 'known' });
  expect(seen).toEqual(['before_model', 'before_tools', 'after_tools', 'before_model']);
});

it('may be a file of the sandbox or a module of a trusted folder, which is asked within an effect at each point', async () => {
  using space = new TestWorkspace();
  space.write('steer.ts', "export default (loop: { point: string }) => (loop.point === 'after_tools' ? 'conclude' : 'continue');");
  space.write('sandboxed.ts', "(loop: { point: string }) => (loop.point === 'after_tools' ? 'conclude' : 'continue')");
  space.write(
    'agent.json',
    JSON.stringify({ turns: [{ tool_calls: [{ tool: 'read_file', input: { path: 'a.txt' } }] }, { output: 'known' }] }),
  );
  space.write('a.txt', 'text');
  for (const control of [{ run_file: './sandboxed.ts' }, { module: './steer.ts' }]) {
    const agent = { model: 'script://agent.json', prompt: 'go', tools: ['read_file'], control };
    const document = {
      pravah: 1,
      name: 'S',
      input: 'A',
      output: 'Z',
      schemas: { A: true, Z: { type: 'string' } },
      nodes: [{ kind: 'agent', from: 'A', to: 'Z', agent }],
    };
    const { graph, problems } = loadFlowText(JSON.stringify(document), 'main.flow.json', {
      folder: space.folder,
      trusted: true,
      settings: defaultSettings,
    });
    expect(problems).toEqual([]);
    space.events.length = 0;
    expect(await goOn(FlowRuntime.new(graph as FlowGraph, {}, { recorder: new MemoryRecorder() }), space.context)).toEqual({
      type: 'done',
      output: 'known',
    });
    expect(space.events.flatMap((event) => (event.type === 'control' ? [`${event.point} ${event.do}`] : []))).toEqual([
      ...['before_model continue', 'before_tools continue', 'after_tools conclude', 'before_model continue'],
    ]);
  }
});
