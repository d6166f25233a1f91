import { describe, expect, it } from 'vitest';
import { parseSettings } from '#main/workspace/settings.ts';
import { buildFlow } from '#shared/flow/build-flow.ts';
import { capabilitiesOf } from '#shared/flow/capabilities/capabilities-of.ts';
import { decisiveKeys } from '#shared/flow/capabilities/capability.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { hostOf } from '#shared/flow/tools/url-host.ts';
import { capabilityScope } from './capability-scope.ts';

const { readHost } = capabilityScope(parseSettings('{}'), true);

/** What a chain of nodes can reach, as `kind name` lines. */
function reach(nodes: readonly object[], settings: object = {}, files: Record<string, object> = {}): string[] {
  return listed(nodes, settings, files).map(({ kind, name }) => `${kind} ${name}`);
}

function listed(nodes: readonly object[], settings: object = {}, files: Record<string, object> = {}, trusted = true) {
  return capabilitiesOf(graphOf(nodes, files, trusted), capabilityScope(parseSettings(JSON.stringify(settings)), trusted));
}

function graphOf(nodes: readonly object[], files: Record<string, object> = {}, trusted = true) {
  const { graph, problems } = buildFlow(parseFlow(JSON.stringify(flow('S', nodes)), 'main.flow.json'), {
    readFile: (path) =>
      path in files
        ? { ok: true, text: path.endsWith('.json') ? JSON.stringify(files[path]) : 'export default (value) => value;' }
        : { ok: false, reason: 'missing', message: 'missing' },
    trusted,
    tools: new Set(['read_file', 'write_file', 'storage', 'run_command', 'http_request', 'alert', 'transform', 'ask_user']),
    mcpServers: new Set(['github']),
    checkSchema: () => null,
    stripTypes: (code) => ({ ok: true, code }),
    sha256: (text) => text,
  });
  if (!graph) throw new Error(JSON.stringify(problems));
  return graph;
}

function flow(state: string, nodes: readonly object[]) {
  const states = [...nodes.keys(), nodes.length].map((index) => `${state}${index}`);
  return {
    pravah: 1,
    name: 'T',
    input: states[0],
    output: states.at(-1),
    schemas: Object.fromEntries(states.map((name) => [name, {}])),
    nodes: nodes.map((node, index) => ({ kind: 'work', from: states[index], to: states[index + 1], ...node })),
  };
}

const agent = (settings: object) => ({ kind: 'agent', agent: { model: 'script://a.json', ...settings } });

describe('capabilitiesOf', () => {
  it('contains every model that an input can choose', () => {
    const model = { by: 'tier', cheap: 'openai://small', best: 'openai://large', else: 'cheap' };
    const models = reach([{ kind: 'agent', agent: { model } }]).filter((line) => line.startsWith('model '));
    expect(models).toHaveLength(2);
    expect(models.join()).toMatch(/large.*small/);
  });

  it('finds nothing to confirm in a flow that only computes', () => {
    expect(reach([{ run: '(s) => s' }, { expr: 'n + 1' }, { kind: 'suspend' }])).toEqual([]);
    expect(decisiveKeys(listed([{ tool: 'transform', with: { input: '{a}', expression: '$' } }, agent({})]))).toEqual([]);
  });

  it('names a path, a host and a command that the author wrote out, and everything else where a value decides', () => {
    expect(reach([{ tool: 'read_file', with: { path: 'notes.md' } }])).toEqual(['read notes.md', 'tool read_file']);
    expect(reach([{ tool: 'read_file', with: { path: '{where}' } }])).toEqual(['read any file of this folder', 'tool read_file']);
    expect(reach([{ tool: 'storage', with: { path: 'a.txt', action: 'append', data: '{d}' } }])).toEqual([
      'write a.txt',
      'read a.txt',
      'tool storage',
    ]);
    expect(reach([{ tool: 'alert', with: { webhook_url: 'https://hooks.example.com/{id}', message: '{m}' } }])).toEqual([
      'host hooks.example.com',
      'tool alert',
    ]);
    const commands = { commands: ['make', { name: 'git', args: ['log', '*'] }] };
    expect(reach([{ tool: 'run_command', with: { command: 'git', args: ['log', '--oneline'] } }], commands)).toContain(
      'command git log --oneline',
    );
    expect(reach([{ tool: 'run_command', with: { command: 'git', args: ['log', '{what}'] } }], commands)).toContain('command git log *');
  });

  it('names the models, tools and code of a plan with typed steps', () => {
    const steps = {
      look: { agent: { model: 'openai://small', tools: ['read_file'] } },
      tell: { flow: './tell.flow.json' },
    };
    const tell = flow('T', [agent({ model: 'openai://inner' })]);
    const planning = agent({ model: 'openai://large', mode: 'plan', plan: { steps, planner: { module: './plan.ts' } } });
    const lines = reach([planning], {}, { 'tell.flow.json': tell, 'plan.ts': {} });
    expect(lines).toEqual(expect.arrayContaining(['model openai://large', 'model openai://small', 'model openai://inner']));
    expect(lines).toEqual(expect.arrayContaining(['tool read_file', 'code plan.ts#default']));
  });

  it('describes a bare command as anything the program can do', () => {
    const command = listed([agent({ tools: ['run_command'] })], { commands: ['make'] }).find(({ kind }) => kind === 'command');
    expect(command).toMatchObject({ kind: 'command', name: 'make', note: 'anything that this program can do', nodes: ['S0'] });
  });

  it('names the places outside of the folder that git works with, where the flow may run git', () => {
    const places = ['/repositories/main/.git'];
    const scope = capabilityScope(parseSettings(JSON.stringify({ commands: ['git', 'make'] })), true, { gitPlaces: places });
    const found = (node: object) => capabilitiesOf(graphOf([node]), scope).map(({ kind, name }) => `${kind} ${name}`);
    expect(found(agent({ tools: ['run_command'] }))).toContain('write /repositories/main/.git');
    expect(found({ tool: 'run_command', with: { command: 'git', args: ['log'] } })).toContain('write /repositories/main/.git');
    expect(found({ tool: 'run_command', with: { command: 'make' } })).not.toContain('write /repositories/main/.git');
  });

  it('gives an agent or code that makes requests any public host, and the private ones of the settings', () => {
    const scope = { http: { allow_private: ['10.0.0.0/8'] } };
    for (const node of [agent({ tools: ['http_request'] }), { run: '(s, ctx) => s', tools: ['http_request'] }]) {
      expect(reach([node], scope)).toEqual(expect.arrayContaining(['host *', 'host 10.0.0.0/8', 'tool http_request']));
    }
  });

  it('names models with the endpoint that the folder chose, and none that stays on this machine as decisive', () => {
    const providers = { groq: { base_url: 'https://api.groq.com/openai/v1' } };
    expect(reach([agent({ model: 'genai://groq/llama' })], { providers })).toEqual([
      'model genai://groq/llama at https://api.groq.com/openai/v1',
    ]);
    expect(decisiveKeys(listed([agent({ model: 'openai://gpt-4o' })]))).toEqual(['model openai://gpt-4o']);
    expect(decisiveKeys(listed([agent({ model: 'ollama://localhost:11434/x' })]))).toEqual([]);
    expect(decisiveKeys(listed([agent({ model: 'ollama://10.0.0.9:11434/x' })]))).toEqual(['model ollama://10.0.0.9:11434/x']);
  });

  it('names modules, servers with what they are, secrets, and what does not ask', () => {
    const mcp_servers = { github: { command: 'npx', args: ['-y', 'server'] } };
    const found = reach(
      [
        { module: 'code.ts' },
        agent({ tools: ['mcp:github/*', { use: 'run_command', approve: 'never' }], trust_content: true }),
        { tool: 'http_request', with: { url: 'https://a.example/x', headers: { authorization: 'Bearer {secret:TOKEN}' } } },
      ],
      { mcp_servers },
      { 'code.ts': {} },
    );
    expect(found).toEqual(
      expect.arrayContaining([
        'code code.ts#default',
        'mcp github/*',
        'mcp github = npx -y server',
        'secret TOKEN',
        'host a.example',
        'unasked S1: run_command does not ask',
        'unasked S1: whatever it has read, its writing tools do not ask',
      ]),
    );
  });

  it('looks into nested flows, the flow of an each node, and flows called as tools', () => {
    const files = {
      'nested.flow.json': flow('S', [{ tool: 'read_file', with: { path: 'nested.md' } }]),
      'called.flow.json': flow('In', [{ tool: 'alert', with: { webhook_url: 'https://called.example', message: 'm' } }]),
    };
    const found = listed(
      [{ kind: 'flow', from: undefined, to: undefined, flow: 'nested.flow.json' }, agent({ tools: ['flow:called.flow.json'] })],
      {},
      files,
    );
    expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expect.arrayContaining(['read nested.md', 'host called.example']));
    expect(found.find(({ kind }) => kind === 'host')?.nodes).toEqual(['flow:called.flow.json::In0']);
  });

  it('leaves out what a folder without trust may not do anyway', () => {
    const settings = { commands: ['make'], http: { allow_private: ['10.0.0.0/8'] }, writable: ['.env'] };
    const found = listed([agent({ tools: ['run_command', 'http_request', 'write_file'] })], settings, {}, false);
    expect(decisiveKeys(found)).toEqual([
      'host *',
      'tool http_request',
      'tool run_command',
      'tool write_file',
      'write any file of this folder',
    ]);
  });
});

describe('hostOf', () => {
  it.each([
    ['https://api.example.com/items/{id}', 'api.example.com'],
    ['https://api.example.com:8443?q={q}', 'api.example.com:8443'],
    ['https://api.example.com.', 'api.example.com'],
    ['HTTPS://API.example.com/', 'api.example.com'],
    ['http:\\\\api.example.com\\{x}', 'api.example.com'],
  ])('takes the host of %s as written', (address, host) => expect(hostOf(address, readHost)).toBe(host));

  it.each([
    'https://{host}/x',
    'https://api.example.com{rest}',
    'https://api.example.com:{port}/',
    'https://user{x}@evil.example/',
    '{url}',
    'https:{x}/api.example.com/',
  ])('takes %s for any host', (address) => expect(hostOf(address, readHost)).toBe('*'));

  it.each(['ftp://a.example/', 'no address', 'file:///etc/passwd'])('takes %s for none', (address) =>
    expect(hostOf(address, readHost)).toBeNull(),
  );
});
