import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFolder, endOf } from '#main/hosts/cli/testing/command.ts';
import type { Json } from '#shared/json.ts';

let space: CommandFolder;

beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

const samples = join(import.meta.dirname);

interface Report {
  readonly flow: string | null;
  readonly files: readonly string[];
  readonly problems: readonly { readonly code: string; readonly severity: string; readonly message: string; readonly line: number }[];
}

/** Imports a sample into the folder as `flow.flow.yaml`. */
async function imported(sample: string, change: (text: string) => string = (text) => text): Promise<Report> {
  const name = `source${extname(sample.replace(/\.txt$/, ''))}`;
  space.write(name, change(readFileSync(join(samples, sample), 'utf8')));
  const answer = await space.run('import', name, '-o', 'flow.flow.yaml', '--json');
  expect(answer.stderr).toBe('');
  const report = JSON.parse(answer.stdout) as Report;
  if (report.flow !== null)
    expect((await space.run('validate', 'flow.flow.yaml', '--trust')).stdout).toMatch(/^valid.*0 errors.*soundness sound/);
  return report;
}

/** Runs the imported flow, its models replaced by a script. */
async function ran(input: Json, script: Json = { turns: [] }, ...options: string[]) {
  for (const name of readdirSync(space.folder).filter((each) => each.endsWith('.flow.yaml'))) {
    const text = readFileSync(join(space.folder, name), 'utf8');
    space.write(
      name,
      text
        .replace(/model: \w+:\/\/.*$/gm, 'model: script://answers.json')
        .replace(/tool: http_request\n( +)with:/g, 'tool: http_request\n$1with:\n$1  allow_private: true'),
    );
  }
  space.write('answers.json', script);
  const answer = await space.run('run', 'flow.flow.yaml', '--json', '--trust', '--input', JSON.stringify(input), ...options);
  return endOf(answer);
}

const codes = ({ problems }: Report) => problems.map(({ code, line }) => `${line} ${code}`);

describe('importing from OpenAI Agent Builder', () => {
  it('carries over agents, branches, an approval and code, and says what is left out', async () => {
    const report = await imported('agent-builder/returns.ts.txt');
    expect(codes(report)).toEqual(['37 import_ignored', '134 import_placeholder']);
    const script = {
      nodes: {
        ClassifyInput: [{ output: { category: 'return_item' } }],
        ReturnDeskInput: [{ expect: { contains: 'assistant: {"category":"return_item"}' }, text: 'We send a new one.' }],
      },
    };
    expect(await ran({ input_as_text: 'My lamp is broken.' }, script)).toMatchObject({ status: 'suspended' });
  });

  it('runs the loop of a workflow, and fails at what it cannot carry over', async () => {
    await imported('agent-builder/returns.ts.txt');
    const script: Json = {
      nodes: {
        ClassifyInput: [{ output: { category: 'cancel' } }],
        RetentionInput: [{ expect: { contains: 'cancel' }, text: 'Why?' }, { text: 'Really?' }],
      },
    };
    expect(await ran({ input_as_text: 'I want to cancel.' }, script)).toMatchObject({ status: 'success', output: { rounds: 2, said: 4 } });
    const other = await ran({ input_as_text: 'Help' }, { turns: [{ output: { category: 'get_information' } }] });
    expect(other).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('Line 134 of the exported code is not carried over') },
    });
  });
});

describe('importing from Dify', () => {
  it('carries over a classifier, a condition, code, templates and an aggregator', async () => {
    expect(codes(await imported('dify/support.yml'))).toEqual([]);
    const product = {
      nodes: {
        SortTheQuestionInput: [{ output: { id: '1', name: 'Questions about a product' } }],
        AnswerAboutAProduct: [{ expect: { contains: 'Which lamp?' }, text: 'The red one.' }],
      },
    };
    expect(await ran({ question: 'Which lamp?' }, product)).toMatchObject({ status: 'success', output: { reply: 'The red one.' } });
    const other = { turns: [{ output: { id: '2', name: 'Anything else' } }] };
    expect(await ran({ question: 'one two three four', priority: 1 }, other)).toMatchObject({
      output: { reply: 'Thank you for your 4 words: one two three four' },
    });
    expect(await ran({ question: 'no' }, other)).toMatchObject({ output: { reply: 'Could you say more?' } });
  });

  it('carries over an iteration, a loop, Python code and branches side by side', async () => {
    const report = await imported('dify/iterate.yml');
    expect(report.files).toEqual(['flow.flow.yaml', 'flow-each_chapter.flow.yaml', 'tools/dify_split.py']);
    const script: Json = {
      turns: [
        { when: { contains: 'Write about bees.' }, text: 'B' },
        { expect: { contains: 'Write about ants.' }, text: 'A' },
      ],
    };
    expect(await ran({ topics: 'bees, ants' }, script)).toMatchObject({
      status: 'success',
      output: { chapters: ['B', 'A'], rounds: 3, heading: 'About bees, ants' },
    });
  });

  it('sends the request of a chatflow with its secret, and names what follows it', async () => {
    const seen: Json[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        seen.push({ url: request.url ?? '', method: request.method ?? '', body });
        response.setHeader('content-type', 'application/json').end('{"price": 3}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      space.write('pravah.json', { http: { allow_private: [`127.0.0.1:${port}`] } });
      const report = await imported('dify/chat.yml', (text) =>
        text.replace('PORT', String(port)).replaceAll('X-Token:{{#env.TOKEN#}}\\n', ''),
      );
      expect(report.problems.map(({ message }) => message)).toContain(
        'The tool “Tavily Search” of tavily is not carried over (“Search again”). Use a built-in tool, one of an MCP server, or your own.',
      );
      const end = await ran({ query: 'lamp' }, { turns: [{ text: 'It costs 3.' }] });
      expect(seen).toEqual([{ url: '/items/lamp?lang=en', method: 'POST', body: '{"q": "lamp"}' }]);
      expect(end).toMatchObject({ status: 'error', error: { message: expect.stringContaining('Tavily Search') } });
    } finally {
      server.close();
    }
  });

  it('makes one agent of a simple app', async () => {
    expect(codes(await imported('dify/assistant.yml'))).toEqual([]);
    const script = { turns: [{ expect: { contains: 'Translate into French: Hello' }, text: 'Bonjour' }] };
    expect(await ran({ language: 'French', text: 'Hello' }, script)).toMatchObject({ output: { answer: 'Bonjour' } });
  });
});

describe('importing from n8n', () => {
  it('carries over fields, a condition, code, and an agent with its model and output parser', async () => {
    const report = await imported('n8n/leads.json');
    expect(report.problems.map(({ code }) => code)).toEqual(['import_ignored', 'import_ignored', 'import_departs']);
    expect(await ran({ json: { name: 'acme', people: 5 } })).toMatchObject({ output: { greeting: 'Hi ACME', from: 'web' } });
    const script = { turns: [{ expect: { contains: 'Write a greeting for ACME.' }, output: { greeting: 'Dear', tone: 'warm' } }] };
    expect(await ran({ json: { name: 'acme', people: 500 } }, script)).toMatchObject({
      output: { output: { greeting: 'Dear', tone: 'warm' } },
    });
  });

  it('joins branches at a merge, waits for an approval, and fails at an app that it does not know', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${request.headers['x-who']} ${body}`);
        response.setHeader('content-type', 'application/json').end('{"one": 1}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      space.write('pravah.json', { http: { allow_private: [`127.0.0.1:${port}`] } });
      await imported('n8n/fetch.json', (text) => text.replace('PORT', String(port)));
      expect(await ran({ json: { body: { path: 'x', who: 'me', n: 4 } } })).toMatchObject({ status: 'suspended' });
      expect(seen).toEqual(['POST /x me {"n":4}']);
    } finally {
      server.close();
    }
  });
});

describe('an expression of n8n', () => {
  const workflow = (value: string): Json => ({
    nodes: [
      { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
      { name: 'Set', type: 'n8n-nodes-base.set', parameters: { assignments: { assignments: [{ name: 'out', value, type: 'string' }] } } },
    ],
    connections: { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
  });

  it('may end in a comment', async () => {
    space.write('w.json', workflow('={{ $json.a.trim() // without spaces\n .toUpperCase() // loud }}'));
    await space.run('import', 'w.json', '-o', 'flow.flow.yaml');
    expect(await ran({ json: { a: ' x ' } })).toMatchObject({ output: { out: 'X' } });
  });

  it.each(['={{ $json. }}', '={{ await fetch("x") }}', '={{ $now.plus(1, "day") }}'])(
    'is empty and named where it is not supported: %s',
    async (value) => {
      space.write('w.json', workflow(value));
      const { problems } = JSON.parse((await space.run('import', 'w.json', '-o', 'flow.flow.yaml', '--json')).stdout) as Report;
      expect(problems.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^“Set” uses .+, which is not supported/));
      expect(await ran({})).toMatchObject({ output: { out: '' } });
    },
  );
});

describe('importing from Langflow', () => {
  it('carries over prompts, models, a router and an agent with its model', async () => {
    const report = await imported('langflow/router.json');
    expect(report.problems.map(({ message }) => message)).toEqual([
      'The tool “Calculator” of “Agent” is left out. Add a built-in tool, one of an MCP server or your own to the agent.',
    ]);
    const yes = {
      nodes: {
        LanguageModel: [{ expect: { contains: 'Answer in a friendly tone, as {json}: Why?' }, text: 'Yes!' }],
        Agent: [{ expect: { contains: 'Yes!' }, text: 'Because.' }],
      },
    };
    expect(await ran({ input_value: 'Why?' }, yes)).toMatchObject({ output: { chat_output: 'Because.', other_output: null } });
    expect(await ran({ input_value: 'Why?', tone: 'cold' }, { turns: [{ expect: { contains: 'cold tone' }, text: 'No' }] })).toMatchObject({
      output: { chat_output: null, other_output: 'No' },
    });
  });

  it('runs components side by side that do not read each other', async () => {
    await imported('langflow/parallel.json');
    const script = {
      nodes: {
        FirstView: [{ text: 'useful' }],
        SecondView: [{ text: 'busy' }],
        Fields: [{ expect: { contains: 'useful / busy' }, output: { animal: 'bee' } }],
      },
    };
    expect(await ran({}, script)).toMatchObject({ status: 'success', output: { output: { animal: 'bee' } } });
  });
});

describe('a loop of Langflow', () => {
  const component = (id: string, type: string, values: Record<string, Json>): Json => ({
    id,
    type: 'genericNode',
    data: {
      id,
      type,
      node: { display_name: id, template: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) },
    },
  });
  const wire = (source: string, name: string, target: string, fieldName: string): Json => ({
    source,
    target,
    data: { sourceHandle: { name }, targetHandle: fieldName === '' ? { name: 'item' } : { fieldName } },
  });

  it('runs the nodes of an item, and goes on with all results', async () => {
    const nodes = [
      component('Question', 'ChatInput', {}),
      component('Each', 'LoopComponent', {}),
      component('Write', 'parser', { pattern: 'Item {text}', sep: '' }),
      component('Wrap', 'MessagetoData', {}),
      component('Lines', 'ParseData', { template: '<{text}>', sep: ';' }),
      component('Out', 'ChatOutput', {}),
    ];
    const edges = [
      wire('Question', 'message', 'Each', 'data'),
      wire('Each', 'item', 'Write', 'input_data'),
      wire('Write', 'parsed_text', 'Wrap', 'message'),
      wire('Wrap', 'data', 'Each', ''),
      wire('Each', 'done', 'Lines', 'data'),
      wire('Lines', 'text', 'Out', 'input_value'),
    ];
    space.write('loop.json', { name: 'Loop', data: { nodes, edges } });
    expect(JSON.parse((await space.run('import', 'loop.json', '-o', 'flow.flow.yaml', '--json')).stdout)).toMatchObject({ problems: [] });
    const flow = readFileSync(join(space.folder, 'flow.flow.yaml'), 'utf8');
    expect(await ran({ input_value: 'a' })).toMatchObject({ output: { output: '<Item a>' } });
    // The same with two items.
    space.write('flow.flow.yaml', flow.replace("[(data.question ?? '')].flat()", '["a", "b"].flat()'));
    expect(await ran({ input_value: 'a' })).toMatchObject({ output: { output: '<Item a>;<Item b>' } });
  });
});

describe('importing from LangGraph', () => {
  it('carries over nodes, loops and branches, and asks for what the file does not say', async () => {
    const report = await imported('langgraph/react.json');
    expect(report.problems.map(({ message }) => message)).toContain(
      "Write when “agent” goes to “continue”, “plan_done”: LangGraph's file does not say.",
    );
    expect(await ran({ messages: [] })).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('Write what the node “agent” does') },
    });
    const text = readFileSync(join(space.folder, 'flow.flow.yaml'), 'utf8');
    expect(text.match(/kind: (fork|join)/g)).toEqual(['kind: fork', 'kind: join']);
  });
});

describe('importing a file of another tool', () => {
  it('names a file that is of no known tool', async () => {
    space.write('some.json', { nodes: 3 });
    expect((await space.run('import', 'some.json')).stderr).toMatch(
      /some.json cannot be imported: it is not an export of Dify, Langflow, n8n/,
    );
    space.write('some.ts', 'export const a: number = 1;');
    expect((await space.run('import', 'some.ts')).stderr).toMatch(/it does not import @openai\/agents/);
  });

  it('overwrites no file that differs, and refuses options of PyFlow', async () => {
    const report = await imported('dify/support.yml');
    expect(report.flow).toBe('flow.flow.yaml');
    space.write('flow.flow.yaml', 'mine');
    expect((await space.run('import', 'source.yml', '-o', 'flow.flow.yaml')).stderr).toMatch(
      /^Conflict {2}flow.flow.yaml exists and is not this import/,
    );
    expect((await space.run('import', 'source.yml', '--update')).stderr).toMatch(/--update is for PyFlow workflows/);
  });

  it('imports nothing where branches side by side lead back', async () => {
    const graph: Json = {
      nodes: [
        { id: '__start__' },
        { id: 'a', type: 'runnable' },
        { id: 'b', type: 'runnable' },
        { id: 'c', type: 'runnable' },
        { id: '__end__' },
      ],
      edges: [
        { source: '__start__', target: 'a' },
        { source: 'a', target: 'b' },
        { source: 'a', target: 'c' },
        { source: 'b', target: 'a', conditional: true },
        { source: 'b', target: '__end__', conditional: true },
        { source: 'c', target: '__end__' },
      ],
    };
    space.write('graph.json', graph);
    const answer = await space.run('import', 'graph.json', '--json');
    const { flow, problems } = JSON.parse(answer.stdout) as Report;
    expect([flow, problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)]).toEqual([
      null,
      [expect.stringContaining('After “a”, the branches to “b”, “c” run side by side and lead back.')],
    ]);
  });

  it('puts branches that share nodes in one order', async () => {
    const edge = (source: string, target: string) => ({ source, target });
    const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, type: 'runnable' }));
    const edges = [
      edge('__start__', 'a'),
      edge('a', 'b'),
      edge('a', 'c'),
      edge('a', 'd'),
      edge('b', 'e'),
      edge('c', 'e'),
      edge('e', 'f'),
      edge('d', 'f'),
      edge('f', '__end__'),
    ];
    space.write('graph.json', { nodes: [{ id: '__start__' }, ...nodes, { id: '__end__' }], edges });
    const { problems } = JSON.parse((await space.run('import', 'graph.json', '-o', 'g.flow.yaml', '--json')).stdout) as Report;
    expect(problems.filter(({ code }) => code === 'import_departs').map(({ message }) => message)).toEqual([
      'The branches after “a” share nodes, so they run one after the other here.',
    ]);
    expect((await space.run('validate', 'g.flow.yaml')).stdout).toMatch(/^valid.*soundness sound/);
  });
});
