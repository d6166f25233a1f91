import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { CommandFolder, endOf } from '#main/hosts/cli/testing/command.ts';
import { withoutPython } from '#main/python/testing.ts';
import type { Json } from '#shared/json.ts';

let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

const tool = (name: string, config: Json) => ({ name, type: 'tool', tool: name, tool_config: config, output_key: name });
const sequence = (agents: readonly { name: string }[]) =>
  stringify({ name: 'w', agents, orchestration: { type: 'sequential', agents: agents.map(({ name }) => name) } });

const llm = (more: object) => ({ name: 'a', type: 'llm', model: 'script://s.json', instruction: 'Look.', output_key: 'said', ...more });

/** Tools whose results the two versions write differently. */
const tools = sequence([
  tool('condition', { expression: '1 + 1 == 2' }),
  tool('transform', { input_data: '{"a": 1.0}', expression: '$.a' }),
  tool('storage', { path: 'x.txt', action: 'read' }),
  tool('alert', { webhook_url: 'no address', message: 'm' }),
]);

async function stateOf(flow: string, ...options: string[]): Promise<Readonly<Record<string, Json>>> {
  const answer = await space.run('run', flow, '--message', 'Go.', '--json', ...options);
  const { output } = endOf(answer);
  return (output as unknown as { state: Record<string, Json> })?.state ?? answer.stderr;
}

describe('a workflow of the newest PyFlow', () => {
  it('gets results with a status, where a pyflow.yaml is above it or the dialect is chosen', async () => {
    const seed = {
      condition: { result: true },
      transform: { result: 1 },
      storage: { content: null, success: false, error: 'File not found' },
      alert: { status: 0, sent: false, error: expect.any(String) },
    };
    const latest = {
      condition: { status: 'success', result: true, error: null },
      transform: { status: 'success', result: 1, error: null },
      storage: { status: 'error', content: null, error: 'File not found' },
      alert: { status: 'error', status_code: 0, sent: false, error: expect.any(String) },
    };
    mkdirSync(join(space.folder, 'agents'));
    space.write('agents/workflow.yaml', tools);
    const run = ['agents/workflow.yaml', '--folder', '.'] as const;
    expect(await stateOf(...run)).toMatchObject(seed);
    await space.run('import', 'agents/workflow.yaml', '--dialect', 'latest', '-o', 'latest.flow.yaml');
    expect(await stateOf('latest.flow.yaml')).toMatchObject(latest);
    space.write('pyflow.yaml', '');
    expect(await stateOf(...run)).toMatchObject(latest);
    await space.run('import', 'agents/workflow.yaml', '--dialect', 'seed', '-o', 'seed.flow.yaml', '--folder', '.');
    expect(await stateOf('seed.flow.yaml')).toMatchObject(seed);
  });

  it('leaves an empty line after the time', async () => {
    space.write('s.json', { turns: [{ expect: { contains: ').\n\nSay it.' }, text: 'Done.' }] });
    space.write('workflow.yaml', sequence([llm({ instruction: 'Say it.' })]));
    expect(await stateOf('workflow.yaml')).not.toMatchObject({ said: 'Done.' });
    space.write('pyflow.yaml', '');
    expect(await stateOf('workflow.yaml')).toMatchObject({ said: 'Done.' });
  });
});

describe.skipIf(withoutPython('functions as tools'))('a function by its dotted name', () => {
  it('is a tool of an agent, with the context if it asks for one', async () => {
    space.write('pyflow.yaml', '');
    space.write(
      'lookup.py',
      'def find(tool_context, word: str, times: int = 1) -> dict:\n    """Finds a word.\n\n    Args:\n        word: What to find.\n    """\n' +
        "    tool_context.state['seen'] = word\n    return {'found': word * times, 'weight': 2.0}\n",
    );
    space.write('s.json', {
      turns: [
        { tool_calls: [{ tool: 'find', input: { word: 'ab', times: 2 } }] },
        { expect: { contains: '{"found":"abab","weight":2.0}' }, text: 'Found.' },
      ],
    });
    space.write('workflow.yaml', sequence([llm({ tools: ['lookup.find'] })]));
    expect(await stateOf('workflow.yaml', '--trust')).toMatchObject({ said: 'Found.', seen: 'ab' });
    space.write('workflow.yaml', sequence([llm({ tools: ['lookup.none'] })]));
    const missing = await space.run('run', 'workflow.yaml', '--message', 'Go.', '--trust');
    expect([missing.code, missing.stdout + missing.stderr]).toEqual([
      1,
      expect.stringContaining("Function 'none' not found in module 'lookup'"),
    ]);
  });

  it('is an unknown tool of a workflow of an older PyFlow', async () => {
    space.write('workflow.yaml', sequence([llm({ tools: ['lookup.find'] })]));
    const { code, stdout } = await space.run('import', 'workflow.yaml', '--json');
    expect([code, (parse(stdout) as { problems: { path: string }[] }).problems.map(({ path }) => path)]).toEqual([
      2,
      ['/agents/0/tools/0'],
    ]);
  });
});
