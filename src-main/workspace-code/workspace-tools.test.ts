import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { flowOf, run, work } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { WorkspaceTools } from './workspace-tools.ts';

const source = (parts: string) => `
  import { defineTool } from 'pravah-studio/runtime';
  import { z } from 'zod';
  export default defineTool({ name: 'crm', description: 'Looks a customer up.', input: z.object({ mail: z.string() }), approve: 'never', ${parts} });
`;
const name = './tools/crm.ts';
const opened: WorkspaceTools[] = [];

afterEach(() => {
  for (const tools of opened.splice(0)) tools.close();
});

function workspace(parts: string, overrides: Partial<Context> = {}) {
  const space = new TestWorkspace(overrides);
  mkdirSync(join(space.folder, 'tools'));
  space.write('tools/crm.ts', source(parts));
  const tools = new WorkspaceTools(space.folder);
  opened.push(tools);
  const context = async (graph: FlowGraph): Promise<Context> => ({
    ...space.context,
    tools: new Map([...space.context.tools, ...(await tools.toolsOf(graph)).map((tool) => [tool.name, tool] as const)]),
  });
  return { space, tools, context, [Symbol.dispose]: () => space[Symbol.dispose]() };
}

const calling = (mail: Json) => flowOf([work('A', 'Z', { type: 'tool', tool: name, with: { mail } as JsonObject })]);

async function failureOf(parts: string, mail: Json = 'a@b.c', overrides: Partial<Context> = {}) {
  using made = workspace(parts, overrides);
  const graph = calling(mail);
  return await failureFrom(FlowRuntime.new(graph, {}).next(await made.context(graph)));
}

describe('a tool of the workspace', () => {
  it('is called by a tool body, a sandboxed body and an agent, in a process of its own that is kept', async () => {
    using made = workspace(
      "output: z.object({ mail: z.string(), pid: z.number() }), call: ({ mail }, ctx) => { ctx.log('asked ' + mail); return { mail, pid: process.pid }; }",
    );
    const { space } = made;
    const body = `async (a, ctx) => ({ body: a, code: await ctx.tools['${name}']({ mail: 'code@b.c' }) })`;
    const model = space.script({ tool_calls: [{ tool: name, input: { mail: 'agent@b.c' } }] }, { output: { done: true } });
    const graph = flowOf([
      work('A', 'B', { type: 'tool', tool: name, with: { mail: 'body@b.c' } }),
      work('B', 'C', run(body, name)),
      work('C', 'D', run('(c) => c')),
      { kind: 'agent', from: ['D'], to: ['Z'], body: { type: 'agent', agent: { model, tools: [name] } } },
    ]);
    const runtime = FlowRuntime.new(graph, {});
    expect(await goOn(runtime, await made.context(graph))).toMatchObject({ type: 'done', output: { done: true } });
    const results = space.calls.filter(([tool]) => tool === name).map(([, result]) => result as { mail: string; pid: number });
    expect(results.map(({ mail }) => mail)).toEqual(['body@b.c', 'code@b.c', 'agent@b.c']);
    expect(new Set(results.map(({ pid }) => pid)).size).toBe(1);
    expect(results[0]?.pid).not.toBe(process.pid);
    expect(space.events.filter(({ type }) => type === 'log')).toMatchObject([{ values: ['asked body@b.c'] }, {}, {}]);
    runtime.dispose();
  });

  it('asks a person, and makes its result of the answer', async () => {
    using made = workspace(`
      call: ({ mail }, ctx) => ctx.suspend({ question: 'Who is ' + mail + '?' }, { type: 'object', required: ['name'] }),
      resume: ({ mail }, payload) => ({ mail, answer: payload })`);
    const graph = calling('a@b.c');
    const context = await made.context(graph);
    const runtime = FlowRuntime.new(graph, {});
    expect(await runtime.next(context)).toMatchObject({ type: 'suspend', tool_id: `A::${name}`, value: { question: 'Who is a@b.c?' } });
    expect(await failureFrom(runtime.resume(context, `A::${name}`, {}))).toMatchObject({ variant: 'DeserializeError' });
    expect(await runtime.resume(context, `A::${name}`, { name: 'Ann' })).toEqual({
      type: 'done',
      output: { mail: 'a@b.c', answer: { name: 'Ann' } },
    });
  });

  it('asks for approval when it writes, unless its author says otherwise', async () => {
    using made = workspace("approve: undefined, effect: 'write', call: () => 1");
    expect((await made.tools.tool(name)).approve).toBe('always');
    using reading = workspace("approve: undefined, effect: 'read', call: () => 1");
    expect((await reading.tools.tool(name)).approve).toBe('never');
  });

  it.each([
    ['input that misses its schema', 'call: () => 1', 5, { variant: 'Deserialize', message: expect.stringContaining('/mail') }],
    ['a result that misses its schema', 'output: z.string(), call: () => ({ secret: 1 }) as never', 'x', { variant: 'Serialize' }],
    [
      'a result that JSON cannot carry',
      'call: () => new Map() as never',
      'x',
      { variant: 'Serialize', message: expect.stringContaining('Map') },
    ],
    [
      'an exception',
      "call: () => { throw new TypeError('no such customer'); }",
      'x',
      { variant: 'Other', message: expect.stringContaining('TypeError: no such customer') },
    ],
    ['the end of its process', 'call: () => process.exit(4)', 'x', { variant: 'Other', message: expect.stringContaining('code 4') }],
    [
      'an uncaught error',
      "call: () => new Promise(() => { setImmediate(() => { throw new Error('late'); }); })",
      'x',
      { variant: 'Other', message: expect.stringContaining('Error: late') },
    ],
    ['no answer in time', 'timeout: 0.5, call: () => { for (;;); }', 'x', { variant: 'Timeout', retryable: false }],
  ])('fails as a tool does at %s', async (_what, parts, mail, failure) => {
    expect(await failureOf(parts, mail)).toMatchObject({ type: 'ToolError', node: 'A', tool_id: `A::${name}`, ...failure });
  });

  it('is ended when the run is cancelled', async () => {
    const abort = new AbortController();
    using made = workspace('call: () => { console.error = () => {}; for (;;); }', { signal: abort.signal });
    const graph = calling('x');
    const step = FlowRuntime.new(graph, {}).next(await made.context(graph));
    setImmediate(() => abort.abort());
    expect(await failureFrom(step)).toMatchObject({ variant: 'Cancelled' });
  });

  it('sees no key, and is reloaded when its file has changed', async () => {
    using made = workspace('call: () => Object.keys(process.env)');
    process.env.PRAVAH_TEST_SECRET = 'sk-12345678';
    made.space.write('.env', 'OTHER_SECRET=sk-87654321');
    const graph = calling('x');
    const first = await goOn(FlowRuntime.new(graph, {}), await made.context(graph));
    delete process.env.PRAVAH_TEST_SECRET;
    expect(first.type === 'done' && (first.output as string[]).filter((key) => /SECRET|KEY/.test(key))).toEqual([]);
    made.space.write('tools/crm.ts', source("call: () => 'changed, and longer than before'"));
    expect(await goOn(FlowRuntime.new(graph, {}), await made.context(graph))).toMatchObject({ output: 'changed, and longer than before' });
  });

  it('is listed with the others, and the problem of a broken one is reported', async () => {
    using made = workspace("effect: 'none', idempotent: true, call: () => 1");
    made.space.write('tools/broken.ts', 'export default 5;');
    made.space.write(
      'tools/nameless.mjs',
      "import { defineTool, jsonSchema } from 'pravah-studio/runtime'; export default defineTool({ name: 'a b', description: 'x', input: jsonSchema({ type: 'object' }), call: () => 1 });",
    );
    made.space.write('tools/crm.test.ts', '');
    made.space.write('tools/notes.md', '');
    expect(await made.tools.list()).toEqual([
      { name: './tools/broken.ts', problem: expect.stringContaining('exports no tool') },
      { name, tool: expect.objectContaining({ name, description: 'Looks a customer up.', effect: 'none', idempotent: true }) },
      { name: './tools/nameless.mjs', problem: expect.stringContaining('letters, digits') },
    ]);
  });

  it('has its file inside the folder', async () => {
    using made = workspace('call: () => 1');
    await expect(made.tools.tool('../outside.ts')).rejects.toThrow('is outside the folder');
    await expect(made.tools.tool('./tools/gone.ts')).rejects.toThrow('does not exist');
  });
});
