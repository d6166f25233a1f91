import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFolder, endOf, eventsOf, killGroup } from '#main/hosts/cli/testing/command.ts';
import { withoutPython } from '#main/python/testing.ts';

let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

/** The file is there before the first letter is in it. */
const isWritten = (file: string) => existsSync(file) && readFileSync(file, 'utf8') !== '';

it.skipIf(withoutPython('the crash during a code agent'))(
  'after kill -9 during a Python function, the run asks before it calls the function again',
  async () => {
    const log = join(space.folder, 'calls.txt');
    space.write('shop.py', `import time\ndef f():\n    open(${JSON.stringify(log)}, "a").write("x")\n    time.sleep(2)\n    return 1\n`);
    const agents = [{ name: 'f', type: 'code', function: 'shop.f', output_key: 'r' }];
    space.write('workflow.yaml', { name: 'w', agents, orchestration: { type: 'sequential', agents: ['f'] } });
    const { child } = space.start('run', 'workflow.yaml', '--trust', '--json');
    while (!isWritten(log)) await wait(20);
    killGroup(child);
    const [{ run_id } = { run_id: '' }] = JSON.parse(`[${(await space.run('runs', '--json')).stdout.trim().split('\n').join(',')}]`) as {
      run_id: string;
    }[];
    const asked = await space.run('continue', run_id, '--json');
    expect(asked.code).toBe(3);
    expect(eventsOf(asked).flatMap((event) => (event.type === 'suspended' ? [event.reason] : []))).toEqual(['unknown_outcome']);
    const answered = await space.run('resume', run_id, '--tool-id', 'f::handler', '--payload', '{"result": 7}', '--json');
    expect(endOf(answered)).toMatchObject({ status: 'success', output: { state: { r: 7 } } });
    expect(readFileSync(log, 'utf8')).toBe('x');
  },
);

describe.skipIf(withoutPython('the crash during a callback'))('after kill -9 during the callback', () => {
  it.each([
    ['before_agent', 'callback_context', 'f::before_agent'],
    ['after_agent', 'callback_context', 'f::after_agent'],
    ['before_model', 'callback_context, llm_request', 'f::before_model'],
    ['after_model', 'callback_context, llm_response', 'f::after_model'],
    ['before_tool', 'tool, args, tool_context', 'f::before_tool_call_'],
    ['after_tool', 'tool, args, tool_context, tool_response', 'f::after_tool_call_'],
  ])('%s, the run asks before it calls it again', async (hook, parameters, id) => {
    const log = join(space.folder, 'calls.txt');
    // Only the first call takes its time: a second one would be a fault, but must end.
    const body = `    with open(${JSON.stringify(log)}, "a") as file:\n        file.write("x")\n    time.sleep(3 if len(open(${JSON.stringify(log)}).read()) == 1 else 0)\n`;
    space.write('hooks.py', `import time\ndef hook(${parameters}):\n${body}`);
    space.write('s.json', { turns: [{ tool_calls: [{ tool: 'condition', input: { expression: '1 < 2' } }] }, { text: 'Done.' }] });
    const agent = { name: 'f', type: 'llm', model: 'script://s.json', instruction: 'Go.', tools: ['condition'], output_key: 'r' };
    const agents = [{ ...agent, callbacks: { [hook]: 'hooks.hook' } }];
    space.write('workflow.yaml', { name: 'w', agents, orchestration: { type: 'sequential', agents: ['f'] } });
    const { child } = space.start('run', 'workflow.yaml', '--message', 'Go.', '--trust', '--json');
    while (!isWritten(log)) await wait(20);
    killGroup(child);
    const calls = () => readFileSync(log, 'utf8').length;
    expect(calls()).toBe(1);
    const { run_id } = JSON.parse((await space.run('runs', '--json')).stdout.trim().split('\n')[0] as string) as { run_id: string };
    const asked = await space.run('continue', run_id, '--json');
    const [question] = eventsOf(asked).flatMap((event) => (event.type === 'suspended' ? [event] : []));
    expect([asked.code, question?.reason, calls()], asked.stderr).toEqual([3, 'unknown_outcome', 1]);
    expect(question?.tool_id).toMatch(new RegExp(`^${id}`));
    const answer = ['--tool-id', question?.tool_id ?? '', '--payload', '{"result":null}'];
    const answered = await space.run('resume', run_id, ...answer, '--json');
    expect(endOf(answered), answered.stderr).toMatchObject({ status: 'success', output: { state: { r: 'Done.' } } });
    // The model's callbacks are called for the second turn, too.
    expect(calls()).toBe(hook.endsWith('model') ? 2 : 1);
  });
});
