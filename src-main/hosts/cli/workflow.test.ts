import { cpSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { CommandFolder, endOf } from '#main/hosts/cli/testing/command.ts';
import { withoutPython } from '#main/python/testing.ts';
import type { Json } from '#shared/json.ts';

const examples = fileURLToPath(new URL('../../../resources/examples/', import.meta.url));
let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

interface Result {
  readonly content: string;
  readonly author: string;
  readonly state: Readonly<Record<string, Json>>;
}

async function run(workflow: string, message: string): Promise<Result> {
  const answer = await space.run('run', workflow, '--message', message, '--trust', '--json');
  const end = endOf(answer);
  expect([answer.code, end.status], answer.stderr).toEqual([0, 'success']);
  return end.output as unknown as Result;
}

it('continues the session of a finished run: its state, and what was said', async () => {
  const model = 'script://s.json';
  space.write('s.json', { turns: [{ text: 'Hello.' }] });
  const agents = [
    { name: 'count', type: 'expr', expression: '(n or 0) + 1', input_keys: ['n'], output_key: 'n' },
    { name: 'a', type: 'llm', model, instruction: 'Answer.', output_key: 'said' },
  ];
  space.write('workflow.yaml', stringify({ name: 'chat', agents, orchestration: { type: 'sequential', agents: ['count', 'a'] } }));
  const first = endOf(await space.run('run', 'workflow.yaml', '--message', 'I am Ada.', '--json'));
  space.write('s.json', {
    turns: [{ expect: { contains: 'Who am I?\n\n[count] said: 2' }, text: 'You are Ada.' }],
  });
  const answer = await space.run('run', 'workflow.yaml', '--message', 'Who am I?', '--session', first.run_id, '--json');
  const second = endOf(answer);
  expect(second.output, answer.stderr).toMatchObject({ content: 'You are Ada.', state: { n: 2, said: 'You are Ada.' } });
  space.write('s.json', { turns: [{ expect: { contains: 'And now?' }, text: 'Ada, still.' }] });
  const third = endOf(await space.run('run', 'workflow.yaml', '--message', 'And now?', '--session', second.run_id, '--json'));
  expect(third.output).toMatchObject({ content: 'Ada, still.', state: { n: 3 } });
  const both = await space.run('run', 'workflow.yaml', '--input', '{}', '--session', first.run_id);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Use either --input or --session')]);
});

it('puts what is remembered of the message into the system text of an agent with preload_memory', async () => {
  mkdirSync(join(space.folder, '.pravah/memory'), { recursive: true });
  const memory = (text: string) => ({ text, tags: [], saved_at: '2026-03-04T05:06:07.000Z' });
  space.write('.pravah/memory/a.json', memory('Ada likes green lamps.'));
  space.write('.pravah/memory/b.json', memory('Bob has a boat.'));
  const turns: Json[] = [
    {
      expect: { contains: '<memories>\nTime: 2026-03-04T05:06:07.000Z\nAda likes green lamps.\n</memories>' },
      tool_calls: [{ tool: 'preload_memory' }],
    },
    { expect: { contains: 'UnknownTool' }, text: 'Green.' },
  ];
  space.write('s.json', { turns });
  const agent = { name: 'a', type: 'llm', model: 'script://s.json', instruction: 'Answer.', tools: ['preload_memory'], output_key: 'said' };
  space.write('workflow.yaml', stringify({ name: 'w', agents: [agent], orchestration: { type: 'sequential', agents: ['a'] } }));
  expect((await run('workflow.yaml', 'Which lamps does Ada like?')).content).toBe('Green.');
});

it('prints the agent card of a workflow with an a2a section, and of its import', async () => {
  const a2a = { version: '2.1.0', skills: [{ id: 's', name: 'Sums', tags: ['math'] }] };
  const agents = [{ name: 'a', type: 'expr', expression: '1', output_key: 'a' }];
  const workflow = { name: 'sums', description: 'Adds.', agents, orchestration: { type: 'sequential', agents: ['a'] } };
  space.write('workflow.yaml', stringify({ ...workflow, a2a }));
  const card = await space.run('export', 'workflow.yaml', '--format', 'a2a-card', '--url', 'https://agents.example.com/sums');
  expect([card.code, JSON.parse(card.stdout)]).toMatchObject([
    0,
    {
      protocolVersion: '0.3.0',
      name: 'sums',
      description: 'Adds.',
      url: 'https://agents.example.com/sums',
      version: '2.1.0',
      skills: [{ id: 's', name: 'Sums', description: '', tags: ['math'] }],
    },
  ]);
  await space.run('import', 'workflow.yaml');
  const imported = await space.run('export', 'sums.flow.yaml', '--url', 'https://agents.example.com/sums');
  expect(imported.stdout).toBe(card.stdout);
  space.write('other.yaml', stringify(workflow));
  const none = await space.run('export', 'other.yaml');
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/other.yaml has no agent card/)]);
});

describe.skipIf(withoutPython('workflows with Python'))('a workflow', () => {
  it('of the examples runs as it is: models, Python functions, tools and branches', async () => {
    cpSync(join(examples, 'pyflow'), space.folder, { recursive: true });
    const { content, author, state } = await run('agents/exchange_rates/workflow.yaml', 'Is GBP to JPY above 190?');
    expect([content, author]).toEqual([expect.stringMatching(/^GBP-JPY is at 190\.5/), 'reporter']);
    expect(state).toMatchObject({ pair: 'GBP-JPY', rate: { result: 190.5 }, trend: { average: 188.38, change: 1.13 }, is_above: true });
  });

  it('has its interpreter shown before it runs, or what was tried to find one', async () => {
    cpSync(join(examples, 'pyflow'), space.folder, { recursive: true });
    const flow = 'agents/exchange_rates/workflow.yaml';
    expect((await space.run('capabilities', flow, '--trust')).stderr).toMatch(/^Python \d+\.\d+\.\d+: .*python/m);
    expect((await space.run('run', flow, '--message', 'Hi.')).stderr).toMatch(/^Python \d+\.\d+\.\d+: .*python/m);
    space.write('pravah.json', { python: './none/python' });
    const missing = /Python was not found: tried .*none.python/;
    expect((await space.run('capabilities', flow)).stderr).toMatch(missing);
    expect((await space.run('validate', flow)).stdout).toMatch(/python_missing[\s\S]*Python was not found: tried .*none.python/);
    const { problems } = JSON.parse((await space.run('import', flow, '--json')).stdout) as {
      problems: { code: string; message: string }[];
    };
    expect(problems.filter(({ code }) => code === 'python_missing')).toEqual([
      expect.objectContaining({ message: expect.stringMatching(missing) }),
    ]);
  });

  describe('that requests a page', () => {
    let server: Server;
    const asked: string[] = [];

    beforeEach(async () => {
      server = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.setHeader('content-type', 'application/json');
        response.end('{"result": "success", "rates": {"JPY": 191.0, "EUR": 1.17}}');
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    });
    afterEach(() => server.close());

    it('goes from the question to the report, and keeps floats in what the page says', async () => {
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      mkdirSync(join(space.folder, 'agents/tracker'), { recursive: true });
      space.write('pravah.json', { http: { allow_private: [host] } });
      space.write('parser.json', { turns: [{ output: { base: 'GBP', target: 'JPY', threshold: 190 } }] });
      space.write('reporter.json', { turns: [{ expect: { contains: 'Rate: 191.0, exceeded: True' }, text: 'It is above 190.' }] });
      space.write(
        'agents/tracker/helpers.py',
        'def params_of(parsed=None):\n    return {"base": parsed["base"], "target": parsed["target"]}\n',
      );
      const schema = {
        type: 'object',
        properties: { base: { type: 'string' }, target: { type: 'string' }, threshold: { type: 'number' } },
        required: ['base', 'target'],
      };
      const llm = (name: string, instruction: string, output_key: string, more: object = {}) =>
        ({ name, type: 'llm', model: `script://${name}.json`, instruction, output_key, ...more }) as const;
      const expr = (name: string, expression: string, input_keys: string[]) =>
        ({ name, type: 'expr', expression, input_keys, output_key: name }) as const;
      const agents = [
        llm('parser', 'Extract the currencies.', 'parsed', { output_schema: schema }),
        { name: 'params', type: 'code', function: 'agents.tracker.helpers.params_of', input_keys: ['parsed'], output_key: 'params' },
        expr('url', `'http://${host}/v6/latest/' + params['base']`, ['params']),
        { name: 'page', type: 'tool', tool: 'http_request', tool_config: { url: '{url}', allow_private: true }, output_key: 'page' },
        expr('rate', "page.get('body', {}).get('rates', {}).get(params['target'])", ['page', 'params']),
        expr('exceeded', "rate > parsed['threshold'] if parsed.get('threshold') is not None else None", ['rate', 'parsed']),
        llm('reporter', 'Report. Rate: {rate}, exceeded: {exceeded}.', 'report'),
      ];
      const orchestration = { type: 'sequential', agents: agents.map(({ name }) => name) };
      space.write('agents/tracker/workflow.yaml', stringify({ name: 'tracker', agents, orchestration }));
      const { content, state } = await run('agents/tracker/workflow.yaml', 'Is GBP to JPY above 190?');
      expect([content, asked]).toEqual(['It is above 190.', ['/v6/latest/GBP']]);
      expect(state).toMatchObject({ rate: 191, exceeded: true, report: 'It is above 190.' });
    });
  });
});
