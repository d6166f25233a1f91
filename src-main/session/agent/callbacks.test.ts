import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { pythonToolsOf } from '#main/python/python-tools.ts';
import { startPython } from '#main/python/start-python.ts';
import { withoutPython } from '#main/python/testing.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { RunEvent } from '#shared/run/event.ts';

let folder: string;
let events: RunEvent[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-callbacks-')));
  events = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A workflow whose agent `a` has callbacks, a script and tools. */
function workflow(callbacks: Readonly<Record<string, string>>, trusted = true, turns: readonly object[] = [{ text: 'said' }]) {
  const model = 'script://script.json';
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ turns }));
  const tools = turns.length > 1 ? { tools: ['condition', 'keep'] } : {};
  if (turns.length > 1) {
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'tools/keep.py'), keepTool);
  }
  const a = { ...tools, name: 'a', type: 'llm', model, instruction: 'Note: {noted?}.', output_key: 'x', callbacks };
  const text = JSON.stringify({ name: 'w', agents: [a], orchestration: { type: 'sequential', agents: ['a'] } });
  return loadWorkflow(text, 'workflow.yaml', { folder, settings: defaultSettings, trusted });
}

async function run(python: string, callbacks: Readonly<Record<string, string>>, turns?: readonly object[]): Promise<unknown> {
  writeFileSync(join(folder, 'hooks.py'), python);
  const { graph } = workflow(callbacks, true, turns);
  if (!graph) throw new Error('The workflow did not compile.');
  const process = startPython({ folder });
  const models = createModelClients({ folder });
  const tools = new Map([...builtInTools(), ...(await pythonToolsOf(process, graph)).map((tool) => [tool.name, tool] as const)]);
  const context = quietContext({ working_dir: folder, models, tools, python: process, onEvent: (event) => events.push(event) });
  const outcome = await goOn(FlowRuntime.new(graph, {}), context).finally(() => process.close());
  return (outcome as { readonly output: unknown }).output;
}

const keepTool = `class Keep:
    name = 'keep'
    description = 'Keeps a note.'
    def execute(self, tool_context, note: str) -> dict:
        before = tool_context.state.get('kept', 0.0)
        tool_context.state['kept'] = before + 1
        return {'note': note, 'before': before}
`;

const called = () => events.filter(({ type }) => type === 'inference_end').length;

describe.skipIf(withoutPython('callbacks of agents'))('a callback', () => {
  it('that returns content before the agent takes its place', async () => {
    const python = `
from google.genai import types
from pyflow.platform.callbacks import register_callback
def skip(callback_context):
    return types.Content(role='model', parts=[types.Part(text='skipped ' + callback_context.agent_name)])
register_callback('skip', skip)`;
    const output = await run(python, { before_agent: 'skip' });
    expect(output).toMatchObject({ content: 'skipped a', author: 'a', state: expect.not.objectContaining({ x: expect.anything() }) });
    expect(called()).toBe(0);
  });

  it('writes the state before and after the agent, and sees what the agent wrote', async () => {
    const python = `
def before(callback_context):
    callback_context.state['noted'] = 2.0
async def after(callback_context):
    callback_context.state['seen'] = callback_context.state['x'] + '!'`;
    const output = await run(python, { before_agent: 'hooks.before', after_agent_callback: 'hooks.after' });
    expect(output).toMatchObject({ content: 'said', state: { noted: 2, x: 'said', seen: 'said!' }, floats: ['/noted'] });
  });

  it('that is not registered is skipped with a warning', async () => {
    expect(await run('', { after_agent: 'absent' })).toMatchObject({ content: 'said' });
    const warnings = events.flatMap((event) => (event.type === 'log' && event.level === 'warn' ? event.values : []));
    expect(warnings).toEqual(['The callback absent of a is not registered and was skipped.']);
  });

  const askTool = { tool_calls: [{ tool: 'condition', input: { expression: '1 > 2' } }] };
  const results = () => events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []));

  it('before the model answers in its place, or changes the system text', async () => {
    const python = `
from google.adk.models import LlmResponse
from google.genai import types
def before(callback_context, llm_request):
    [asked] = llm_request.contents
    callback_context.state['heard'] = [asked.role, asked.parts[0].text, 'Note: .' in llm_request.config.system_instruction]
    return LlmResponse(content=types.Content(role='model', parts=[types.Part(text='guarded')]))
def polite(callback_context, llm_request):
    llm_request.config.system_instruction += ' Be polite.'`;
    const output = await run(python, { before_model: 'hooks.before' });
    expect(output).toMatchObject({ content: 'guarded', state: { x: 'guarded', heard: ['user', '', true] } });
    expect(called()).toBe(0);
    const polite = [{ expect: { contains: 'Be polite.' }, text: 'said' }];
    expect(await run(python, { before_model: 'hooks.polite' }, polite)).toMatchObject({ content: 'said' });
  });

  it('after the model changes its answer', async () => {
    const python = `
from google.genai import types
def after(callback_context, llm_response):
    text = llm_response.content.parts[0].text
    callback_context.state['original'] = text
    llm_response.content = types.Content(role='model', parts=[types.Part(text=text.upper())])
    return llm_response`;
    const output = await run(python, { after_model: 'hooks.after' });
    expect(output).toMatchObject({ content: 'SAID', state: { x: 'SAID', original: 'said' } });
  });

  it('before a tool changes its arguments, or gives a result in its place', async () => {
    const python = `
def turn(tool, args, tool_context):
    tool_context.state['asked'] = [tool.name, args['expression'], tool_context.function_call_id != '']
    args['expression'] = '2 > 1'
def skip(tool, args, tool_context):
    return {'result': 'skipped'}`;
    const turned = await run(python, { before_tool: 'hooks.turn' }, [askTool, { text: 'said' }]);
    expect([turned, results()]).toMatchObject([{ state: { asked: ['condition', '1 > 2', true] } }, [{ result: true }]]);
    rmSync(join(folder, 'tools'), { recursive: true });
    events = [];
    await run(python, { before_tool_callback: 'hooks.skip' }, [askTool, { expect: { contains: 'skipped' }, text: 'said' }]);
    expect(results()).toEqual([{ result: 'skipped' }]);
  });

  it('after a tool changes its result', async () => {
    const python = `
def after(tool, args, tool_context, tool_response):
    tool_context.state['seen'] = tool_response
    return {'result': 'unknown'}`;
    const output = await run(python, { after_tool: 'hooks.after' }, [askTool, { expect: { contains: 'unknown' }, text: 'said' }]);
    expect(output).toMatchObject({ content: 'said', state: { seen: { result: false } } });
  });

  it('sees what a tool wrote into tool_context.state, and so does the next call of the tool', async () => {
    const keep = { tool_calls: [{ tool: 'keep', input: { note: 'n' } }] };
    const python = `
def after(tool, args, tool_context, tool_response):
    tool_context.state['last'] = tool_response['before']`;
    const output = await run(python, { after_tool: 'hooks.after' }, [keep, keep, { text: 'said' }]);
    expect(output).toMatchObject({ state: { kept: 2, last: 1 }, floats: ['/kept'] });
  });

  it('that fails ends the run', async () => {
    await expect(run('def f(callback_context): raise ValueError("no")', { before_agent: 'hooks.f' })).rejects.toThrow(
      'The callback hooks.f of a failed: ValueError: no',
    );
  });
});

it('callbacks need a trusted folder, and other hooks are reported as ignored', () => {
  const { problems } = workflow({ before_agent: 'hooks.f', on_error: 'hooks.g' }, false);
  expect(problems.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
    'needs_trust /agents/0',
    'pyflow_ignored /agents/0/callbacks/on_error',
    'unwritten_key /agents/0/instruction',
  ]);
});
