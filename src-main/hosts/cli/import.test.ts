import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Answer, CommandFolder, endOf } from '#main/hosts/cli/testing/command.ts';
import type { Json } from '#shared/json.ts';

let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

const expr = (name: string, expression: string) => ({ name, type: 'expr', expression, output_key: name });
const workflow = (...agents: { name: string }[]) => ({
  name: 'sums',
  agents,
  orchestration: { type: 'sequential', agents: agents.map(({ name }) => name) },
});
const report = ({ stdout }: Answer) =>
  JSON.parse(stdout) as { flow: string | null; files: string[]; problems: { code: string; path: string; line: number }[] };
const written = (name: string) =>
  parse(readFileSync(join(space.folder, name), 'utf8')) as { nodes: { from: string; session?: { expr?: string } }[] };

describe('pravah import', () => {
  it('writes the flow beside the workflow under its name, and the same again on request', async () => {
    space.write('workflow.yaml', stringify(workflow(expr('a', '1'))));
    const first = await space.run('import', 'workflow.yaml', '--json');
    expect([first.code, report(first)]).toEqual([0, { flow: 'sums.flow.yaml', files: ['sums.flow.yaml'], problems: [] }]);
    const text = readFileSync(join(space.folder, 'sums.flow.yaml'), 'utf8');
    expect((await space.run('import', 'workflow.yaml')).code).toBe(0);
    expect(readFileSync(join(space.folder, 'sums.flow.yaml'), 'utf8')).toBe(text);
    expect((await space.run('validate', 'sums.flow.yaml')).stdout).toMatch(/valid.*soundness sound/);
  });

  it('prints every problem with its line and writes nothing', async () => {
    space.write('workflow.yaml', stringify(workflow(expr('a', '1 +'), expr('b', 'x.__class__'))));
    const answer = await space.run('import', 'workflow.yaml', '-o', 'out.flow.yaml', '--json');
    expect(answer.code).toBe(2);
    expect(report(answer).problems.map(({ code, path, line }) => `${line} ${code} ${path}`)).toEqual([
      '5 bad_expr /agents/0/expression',
      '9 bad_expr /agents/1/expression',
    ]);
    expect(existsSync(join(space.folder, 'out.flow.yaml'))).toBe(false);
  });

  it('overwrites no file that is not its own import', async () => {
    space.write('workflow.yaml', stringify(workflow(expr('a', '1'))));
    space.write('sums.flow.yaml', 'mine');
    const answer = await space.run('import', 'workflow.yaml');
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringMatching(/^Conflict {2}sums.flow.yaml exists and was not imported/)]);
    expect(readFileSync(join(space.folder, 'sums.flow.yaml'), 'utf8')).toBe('mine');
  });

  it('brings an import up to date on request, and keeps what was edited', async () => {
    space.write('workflow.yaml', stringify(workflow(expr('a', '1'), expr('b', '2'))));
    await space.run('import', 'workflow.yaml');
    const edited = written('sums.flow.yaml');
    const own = edited.nodes.find(({ from }) => from === 'b');
    if (own?.session) own.session.expr = '200';
    space.write('sums.flow.yaml', stringify(edited));
    space.write('workflow.yaml', stringify(workflow(expr('a', '10'), expr('b', '20'))));
    const refused = await space.run('import', 'workflow.yaml');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/earlier version of this workflow. Use --update/)]);
    const updated = await space.run('import', 'workflow.yaml', '--update', '--json');
    expect(report(updated).problems.map(({ code }) => code)).toEqual(['pyflow_departs']);
    expect(written('sums.flow.yaml').nodes.map(({ session }) => session?.expr)).toEqual([undefined, '10', '200', undefined]);
  });

  it('imports all workflows of a folder', async () => {
    space.write('pravah.json', {});
    for (const name of ['one', 'two']) {
      mkdirSync(join(space.folder, 'agents', name), { recursive: true });
      space.write(`agents/${name}/workflow.yaml`, stringify({ ...workflow(expr('a', '1')), name }));
    }
    const answer = await space.run('import', '.', '--json');
    expect(
      answer.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { flow: string }).flow),
    ).toEqual(['agents/one/one.flow.yaml', 'agents/two/two.flow.yaml']);
  });
});

describe('a workflow in the place of a flow', () => {
  const boss = { name: 'boss', type: 'llm', model: 'script://boss.json', instruction: 'Ask.', agent_tools: ['expert'], output_key: 'said' };
  const expert = { name: 'expert', type: 'llm', model: 'script://expert.json', instruction: 'Answer in {timezone}.', output_key: 'fact' };
  const asking = (): Json => ({ name: 'ask', agents: [boss, expert], orchestration: { type: 'sequential', agents: ['boss'] } });

  it('runs as it is, with the agents that it calls as tools, and continues after a pause', async () => {
    space.write('workflow.yaml', stringify(asking()));
    space.write('boss.json', { turns: [{ tool_calls: [{ tool: 'expert', input: { request: 'What?' } }] }, { text: 'He says 42.' }] });
    space.write('expert.json', { turns: [{ text: '42' }] });
    const paused = await space.run('run', 'workflow.yaml', '--message', 'Go.', '--max-steps', '2', '--json');
    expect(paused.code).toBe(4);
    const { run_id } = endOf(paused);
    const answer = await space.run('continue', run_id, '--json');
    expect(endOf(answer)).toMatchObject({
      status: 'success',
      output: { content: 'He says 42.', author: 'boss', state: { said: 'He says 42.', fact: '42' } },
    });
    expect(existsSync(join(space.folder, 'ask.flow.yaml'))).toBe(false);
  });

  it('is validated at its own paths, and lists its capabilities', async () => {
    space.write(
      'workflow.yaml',
      stringify(
        workflow({ name: 'a', type: 'tool', tool: 'storage', output_key: 'x', tool_config: { path: 'a.txt' } } as { name: string }),
      ),
    );
    expect(JSON.parse((await space.run('validate', 'workflow.yaml', '--json')).stdout)).toMatchObject({
      valid: true,
      problems: [],
      soundness: { status: 'sound' },
    });
    expect((await space.run('capabilities', 'workflow.yaml')).stdout).toMatch(/files|write|a/);
    space.write('workflow.yaml', stringify(workflow(expr('a', 'open(1)'))));
    const refused = await space.run('validate', 'workflow.yaml', '--json');
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
      2,
      { problems: [{ code: 'bad_expr', path: '/agents/0/expression' }] },
    ]);
  });

  it('takes either an input or a message', async () => {
    space.write('workflow.yaml', stringify(workflow(expr('a', '1'))));
    const answer = await space.run('run', 'workflow.yaml', '--message', 'Go.', '--input', '{}');
    expect([answer.code, answer.stderr]).toEqual([2, expect.stringMatching(/either --input or --message/)]);
  });
});
