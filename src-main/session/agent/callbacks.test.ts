import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { startPython } from '#main/python/start-python.ts';
import { withoutPython } from '#main/python/testing.ts';
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

/** A workflow whose agent `a` has callbacks; `b` says what it finds in the state. */
function workflow(callbacks: Readonly<Record<string, string>>, trusted = true) {
  const model = 'script://script.json';
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ turns: [{ text: 'said' }] }));
  const a = { name: 'a', type: 'llm', model, instruction: 'Note: {noted?}.', output_key: 'x', callbacks };
  const text = JSON.stringify({ name: 'w', agents: [a], orchestration: { type: 'sequential', agents: ['a'] } });
  return loadWorkflow(text, 'workflow.yaml', { folder, settings: defaultSettings, trusted });
}

async function run(python: string, callbacks: Readonly<Record<string, string>>): Promise<unknown> {
  writeFileSync(join(folder, 'hooks.py'), python);
  const { graph } = workflow(callbacks);
  if (!graph) throw new Error('The workflow did not compile.');
  const process = startPython({ folder });
  const models = createModelClients({ folder });
  const context = quietContext({ working_dir: folder, models, python: process, onEvent: (event) => events.push(event) });
  const outcome = await goOn(FlowRuntime.new(graph, {}), context).finally(() => process.close());
  return (outcome as { readonly output: unknown }).output;
}

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

  it('that fails ends the run', async () => {
    await expect(run('def f(callback_context): raise ValueError("no")', { before_agent: 'hooks.f' })).rejects.toThrow(
      'The callback hooks.f of a failed: ValueError: no',
    );
  });
});

it('callbacks need a trusted folder, and other hooks are reported as ignored', () => {
  const { problems } = workflow({ before_agent: 'hooks.f', before_model: 'hooks.g' }, false);
  expect(problems.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
    'needs_trust /agents/0',
    'pyflow_ignored /agents/0/callbacks/before_model',
    'unwritten_key /agents/0/instruction',
  ]);
});
