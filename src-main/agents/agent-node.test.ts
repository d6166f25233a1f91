import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { type FlowSketch, flowOf, type NodeSketch } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { Json } from '#shared/json.ts';

const reply: FlowSketch['schemas'] = {
  Z: { type: 'object', properties: { answer: { type: 'string' }, score: { type: 'integer' } }, required: ['answer', 'score'] },
};
const good = { answer: 'yes', score: 1 };

function agent(settings: AgentSettings): NodeSketch {
  return { kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: settings } };
}

function start(settings: AgentSettings, input: Json = { question: 'why' }, sketch: FlowSketch = { schemas: reply }): FlowRuntime {
  return FlowRuntime.new(flowOf([agent(settings)], sketch), input);
}

describe('an agent without tools', () => {
  it('gets its preamble and prompt, and answers with the output itself', async () => {
    using space = new TestWorkspace();
    const model = space.script({ expect: { contains: 'Question: why?' }, output: good });
    const runtime = start({ model, preamble: 'Be brief about {question}.', prompt: 'Question: {question}?' });
    expect(await runtime.next(space.context)).toEqual({ type: 'done', output: good });
    expect(runtime.history()).toEqual({
      A: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief about why.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Question: why?' }] },
        { role: 'assistant', content: [{ type: 'text', text: JSON.stringify(good) }] },
      ],
    });
    expect(space.events.map(({ type }) => type)).toEqual(['node_enter', 'inference_start', 'message', 'inference_end', 'node_exit']);
  });

  it('gets its input as JSON where there is no prompt', async () => {
    using space = new TestWorkspace();
    await goOn(start({ model: space.script({ expect: { contains: '{"question":"why"}' }, output: good }) }), space.context);
  });

  it('is asked again with what is wrong, and each time is a step', async () => {
    using space = new TestWorkspace();
    const model = space.script(
      { output: { answer: 'yes' } },
      { expect: { contains: '/score is missing' }, text: 'no JSON at all' },
      { output: good },
    );
    const runtime = start({ model });
    expect(await runtime.next(space.context)).toEqual({ type: 'continue' });
    expect(runtime.snapshot()).toMatchObject({
      states: [{ name: 'A' }],
      control: { agents: { A: { phase: 'reason', turn: 1, attempts: 1 } } },
    });
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: good });
    expect(runtime.snapshot()).toMatchObject({ seq: 3, control: { agents: {}, counters: { steps: 3, model_calls: 3 } } });
  });

  it('hears of everything that is wrong at once', async () => {
    using space = new TestWorkspace();
    const model = space.script(
      { output: { answer: 7 } },
      { expect: { contains: 'schema: /score is missing; /answer must be string. Answer' }, output: good },
    );
    expect(await goOn(start({ model }), space.context)).toEqual({ type: 'done', output: good });
  });

  it('fails with CONSTRAINT_SCHEMA_INVALID after its attempts, and can be tried again', async () => {
    using space = new TestWorkspace();
    const model = space.script({ output: 1 }, { output: 2 }, { output: 3 });
    const runtime = start({ model, output: { attempts: 2 } });
    const error = await failureFrom(goOn(runtime, space.context));
    expect(error).toMatchObject({ variant: 'AgentError', code: 'CONSTRAINT_SCHEMA_INVALID', category: 'constraint', node: 'A' });
    expect(runtime.snapshot().control.agents.A?.turn).toBe(2);
    space.script({ output: 1 }, { output: 2 }, { output: good });
    expect(await runtime.next(space.context)).toEqual({ type: 'done', output: good });
  });

  it.each([
    ['a code fence', 'Here it is:\n```json\n{"answer": "yes", "score": 1}\n```'],
    ['prose around it', 'The result is {"answer": "yes", "score": 1}, I think.'],
    ['trailing commas', '{"answer": "yes", "score": 1,}'],
    ['an end that was cut off', '{"score": 1, "answer": "yes'],
  ])('has its JSON repaired: %s', async (_name, text) => {
    using space = new TestWorkspace();
    expect(await start({ model: space.script({ text }) }).next(space.context)).toEqual({ type: 'done', output: good });
    const strict = start({ model: space.script({ text }), output: { repair: false, attempts: 0 } });
    expect(await failureFrom(strict.next(space.context))).toMatchObject({ code: 'CONSTRAINT_JSON_INVALID', category: 'constraint' });
  });

  it('begins a new conversation each time its node fires and continues in the script', async () => {
    using space = new TestWorkspace();
    const model = space.script({ output: { again: true } }, { expect: { contains: 'again' }, output: { again: false } });
    const loop = flowOf([
      { kind: 'agent', from: ['A'], to: ['B'], body: { type: 'agent', agent: { model } } },
      { kind: 'either', from: ['B'], to: ['A', 'Z'], body: { type: 'expr', source: 'again' } },
    ]);
    const runtime = FlowRuntime.new(loop, {});
    await goOn(runtime, space.context);
    expect(runtime.history().A?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(runtime.snapshot().control.script_positions).toEqual({ A: 2 });
  });
});

describe('an agent with tools', () => {
  it('reasons and acts in separate steps until it submits', async () => {
    using space = new TestWorkspace();
    space.write('facts.txt', 'blue whale 42');
    const model = space.script(
      { text: 'Let me look.', tool_calls: [{ tool: 'read_file', input: { path: 'facts.txt' } }] },
      { expect: { contains: 'blue whale 42' }, output: good },
    );
    const runtime = start({ model, tools: ['read_file'] });
    const phases: unknown[] = [];
    for (let outcome = await runtime.next(space.context); outcome.type === 'continue'; outcome = await runtime.next(space.context)) {
      phases.push(runtime.snapshot().control.agents.A?.phase);
    }
    expect(phases).toEqual(['act', 'reason', 'act']);
    expect(space.calls).toEqual([
      ['read_file', expect.stringContaining('blue whale 42'), false],
      ['submit', 'The result was accepted.', false],
    ]);
    expect(space.events.filter(({ type }) => type === 'node_exit')).toMatchObject([
      { phase: 'reason', consumed: [], produced: [] },
      { phase: 'act', consumed: [], produced: [] },
      { phase: 'reason', consumed: [], produced: [] },
      { phase: 'act', consumed: ['A'], produced: ['Z'] },
    ]);
  });

  it('runs the calls of a turn at the same time and keeps their order, submit last', async () => {
    const order: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tool = (name: string, work: () => Promise<void>) => ({
      name,
      description: name,
      input_schema: { type: 'object', properties: {} },
      effect: 'read' as const,
      approve: 'never' as const,
      call: async () => {
        await work();
        return name;
      },
    });
    using space = new TestWorkspace({}, [
      tool('slow', () => held.then(() => void order.push('slow'))),
      tool('fast', async () => {
        order.push('fast');
        release();
      }),
    ]);
    const model = space.script({ tool_calls: [{ tool: 'submit', input: good }, { tool: 'slow' }, { tool: 'fast' }] });
    const runtime = start({ model, tools: ['slow', 'fast'] });
    expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: good });
    expect(order).toEqual(['fast', 'slow']);
    const results = runtime
      .history()
      .A?.at(-1)
      ?.content.map((part) => (part.type === 'tool_result' ? part.tool : ''));
    expect(results).toEqual(['submit', 'slow', 'fast']);
  });

  it('sends the error of a failed call to the model and continues', async () => {
    using space = new TestWorkspace();
    const model = space.script(
      {
        tool_calls: [
          { tool: 'read_file', input: { path: 'absent.txt' } },
          { tool: 'launch_rocket' },
          { tool: 'write_file', input: { path: 'x', content: 'y' } },
          { tool: 'read_file', input: { path: 5 } },
          { tool: 'read_file', input: { path: 'a', colour: 'red' } },
          { tool: 'read_file', input: { path: '../secret' } },
        ],
      },
      { output: good },
    );
    expect(await goOn(start({ model, tools: ['read_file'] }), space.context)).toEqual({ type: 'done', output: good });
    const told = space.calls.slice(0, -1).map(([tool, result, isError]) => [tool, String(result).split(':')[0], isError].join(' '));
    expect(told.toSorted()).toEqual([
      'launch_rocket UnknownTool true',
      'read_file Deserialize true',
      'read_file Deserialize true',
      'read_file Io true',
      'read_file PathEscape true',
      'write_file UnknownTool true',
    ]);
    expect(JSON.stringify(space.calls)).toContain('colour');
  });

  it('is reminded to submit, and fails when its turns are used up', async () => {
    using space = new TestWorkspace();
    const model = space.script({ text: 'I think…' }, { expect: { contains: 'submit' }, text: 'Still thinking' }, { output: good });
    const runtime = start({ model, tools: ['read_file'], limits: { turns: 2 } });
    expect(await failureFrom(goOn(runtime, space.context))).toMatchObject({
      variant: 'AgentError',
      code: 'ORCHESTRATION_ITERATION_LIMIT',
      node: 'A',
    });
    expect(await goOn(start({ model, tools: ['read_file'] }), space.context)).toEqual({ type: 'done', output: good });
  });

  it('may correct what it submitted', async () => {
    using space = new TestWorkspace();
    const model = space.script({ output: { answer: 'yes' } }, { expect: { contains: '/score is missing' }, output: good });
    expect(await goOn(start({ model, tools: ['read_file'] }), space.context)).toEqual({ type: 'done', output: good });
    const stubborn = start({ model: space.script({ output: 1 }, { output: 2 }), tools: ['read_file'], output: { attempts: 1 } });
    expect(await failureFrom(goOn(stubborn, space.context))).toMatchObject({ code: 'CONSTRAINT_SCHEMA_INVALID' });
  });

  it('may have an output that is no object', async () => {
    using space = new TestWorkspace();
    const sketch = { schemas: { Z: { type: 'array', items: { type: 'string' } } } };
    for (const output of [['a'], { output: ['a'] }]) {
      const runtime = start({ model: space.script({ output }), tools: ['read_file'] }, {}, sketch);
      expect(await goOn(runtime, space.context)).toEqual({ type: 'done', output: ['a'] });
    }
  });

  it('is refused more than 64 calls in one turn', async () => {
    using space = new TestWorkspace();
    const calls = Array.from({ length: 65 }, () => ({ tool: 'read_file', input: { path: 'a' } }));
    const runtime = start({ model: space.script({ tool_calls: calls }), tools: ['read_file'] });
    expect(await failureFrom(goOn(runtime, space.context))).toMatchObject({ variant: 'LimitExceeded', node: 'A' });
  });
});

describe('an agent that chats', () => {
  it('gives its last words, as a text or as the field text', async () => {
    using space = new TestWorkspace();
    space.write('a.txt', 'content');
    const turns: Json[] = [{ tool_calls: [{ tool: 'read_file', input: { path: 'a.txt' } }] }, { text: 'It says content.' }];
    const settings = { model: space.script(...turns), mode: 'chat', tools: ['read_file'] } as const;
    const asText = start({ ...settings, tools: [...settings.tools] }, {}, { schemas: { Z: { type: 'string' } } });
    expect(await goOn(asText, space.context)).toEqual({ type: 'done', output: 'It says content.' });
    const asObject = start({ ...settings, tools: [...settings.tools] }, {}, { schemas: { Z: { type: 'object', required: ['text'] } } });
    expect(await goOn(asObject, space.context)).toEqual({ type: 'done', output: { text: 'It says content.' } });
  });
});

describe('a model call', () => {
  it.each([
    ['an error that is written down', [{ error: { code: 'INFERENCE_CONTEXT_EXCEEDED' } }], 'INFERENCE_CONTEXT_EXCEEDED'],
    ['a script that has run out', [], 'INFERENCE_MODEL_UNAVAILABLE'],
    ['a script that is stale', [{ expect: { contains: 'weather' }, output: good }], 'INFERENCE_ENGINE_ERROR'],
    ['an invalid script', [{ colour: 'red' }], 'INFERENCE_MODEL_UNAVAILABLE'],
  ])('fails its step with %s', async (_name, turns, code) => {
    using space = new TestWorkspace();
    const runtime = start({ model: space.script(...turns) });
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({ variant: 'AgentError', code, node: 'A' });
    expect(runtime.snapshot()).toMatchObject({ seq: 0, states: [{ name: 'A' }], control: { agents: {}, script_positions: {} } });
  });

  it.each([
    ['script://absent.json', 'absent.json does not exist'],
    ['script://../outside.json', 'cannot be read'],
    ['llama://model.gguf', 'does not exist'],
  ])('fails for %s', async (model, message) => {
    using space = new TestWorkspace();
    const error = await failureFrom(start({ model }).next(space.context));
    expect(error).toMatchObject({ variant: 'AgentError', code: 'INFERENCE_MODEL_UNAVAILABLE', message: expect.stringContaining(message) });
  });

  it('skips turns of a script whose `when` was not said', async () => {
    using space = new TestWorkspace();
    const model = space.script({ when: { contains: 'never said' }, output: 1 }, { when: { contains: 'why' }, output: good });
    const runtime = start({ model });
    expect(await runtime.next(space.context)).toEqual({ type: 'done', output: good });
    expect(runtime.snapshot().control.script_positions).toEqual({ A: 2 });
  });

  it('counts against the flow’s limits', async () => {
    using space = new TestWorkspace();
    const usage = { tokens_in: 30, tokens_out: 30 };
    const turns: Json[] = [{ text: 'hm', usage }, { text: 'hm', usage }, { output: good }];
    const settings = { model: space.script(...turns), tools: ['read_file'] };
    const byTokens = start(settings, {}, { schemas: reply, limits: { tokens: 100 } });
    expect(await failureFrom(goOn(byTokens, space.context))).toMatchObject({ variant: 'LimitExceeded', details: { limit: 'tokens' } });
    const byCalls = start(settings, {}, { schemas: reply, limits: { model_calls: 2 } });
    expect(await failureFrom(goOn(byCalls, space.context))).toMatchObject({ variant: 'LimitExceeded', details: { limit: 'model_calls' } });
  });

  it('is cancelled with the run', async () => {
    const abort = new AbortController();
    using space = new TestWorkspace({
      signal: abort.signal,
      models: () => ({
        complete: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
            abort.abort();
          }),
      }),
    });
    expect(await failureFrom(start({ model: 'openai://x' }).next(space.context))).toMatchObject({ variant: 'Cancelled', node: 'A' });
  });

  it('ends when the agent’s time is over', async () => {
    using space = new TestWorkspace({
      models: () => ({
        complete: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      }),
    });
    const runtime = start({ model: 'openai://x', limits: { seconds: 0.05 } });
    expect(await failureFrom(runtime.next(space.context))).toMatchObject({ variant: 'AgentError', code: 'CANCELLED_TIMEOUT', node: 'A' });
  });
});
