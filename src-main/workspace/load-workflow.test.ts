import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quietContext } from '#main/engine/testing/flows.ts';
import { outputOf } from '#main/engine/testing/run-to-end.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { validationReport } from '#shared/flow/validation-report.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { LoadedFlow } from './flow-loader.ts';
import { loadWorkflow } from './load-workflow.ts';
import { loadSettings, type WorkspaceSettings } from './settings.ts';
import { isWorkflowText } from './workflow-file.ts';

let folder: string;
let settings: WorkspaceSettings;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-workflow-')));
  settings = await loadSettings(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (workflow: Json): LoadedFlow =>
  loadWorkflow(JSON.stringify(workflow, null, 1), 'workflow.yaml', { folder, settings, trusted: true });

/** Runs a workflow and returns its result. */
async function run(
  workflow: Json,
  input: Json = { message: 'Go.' },
): Promise<{ content: string; author: string; state: Record<string, Json> }> {
  const { graph, problems } = load(workflow);
  if (!graph) throw new Error(problems.map(({ message }) => message).join(' '));
  const ctx = quietContext({ timezone: 'America/Bogota', clock: { now: () => 1_772_618_767_890 }, tools: builtInTools() });
  return (await outputOf(graph, input, ctx)) as unknown as { content: string; author: string; state: Record<string, Json> };
}

const expr = (name: string, expression: string, key = name, ...inputs: string[]) =>
  ({ name, type: 'expr', expression, output_key: key, ...(inputs.length > 0 && { input_keys: inputs }) }) as Json;
const flowOf = (agents: Json[], orchestration: Json): Json => ({ name: 'w', agents, orchestration });
const names = (agents: readonly Json[]) => agents.map((agent) => (isJsonObject(agent) ? String(agent.name) : ''));
const inOrder = (type: string, ...agents: Json[]) => flowOf(agents, { type, agents: names(agents) });

describe('running a workflow', () => {
  it('begins with the date, the time and the zone', async () => {
    const { state, author, content } = await run(inOrder('sequential', expr('a', '1 / 4')));
    expect(state).toEqual({
      current_date: '2026-03-04',
      current_datetime: '2026-03-04T05:06:07.890000-05:00',
      timezone: 'America/Bogota',
      a: 0.25,
    });
    expect([author, content]).toEqual(['a', '0.25']);
  });

  it('keeps what the run begins with', async () => {
    const { state } = await run(inOrder('sequential', expr('a', 'n + 1', 'm', 'n')), {
      message: '',
      state: { n: 2, timezone: 'Mars/Olympus' },
    });
    expect(state).toMatchObject({ n: 2, m: 3, timezone: 'Mars/Olympus' });
  });

  it('continues after an error, which becomes the agent’s message', async () => {
    const { state, content } = await run(inOrder('sequential', expr('a', '1', 'k'), expr('b', '1 / 0', 'k')));
    expect(state.k).toBe(1);
    expect(content).toBe('ExprAgent error: division by zero');
  });

  it('remembers that a whole number is a float, through the end of the run', async () => {
    const result = await run(inOrder('sequential', expr('a', "{'x': [2, 4 / 2]}"), expr('b', 'str(a)', 'b', 'a')));
    expect(result.state.b).toBe("{'x': [2, 2.0]}");
    expect(result).toMatchObject({ floats: ['/a/x/1'] });
  });

  it.each([
    ['a set', '{1}'],
    ['a large integer', '2 ** 60'],
    ['infinity', "float('inf')"],
  ])('fails at %s, which a state cannot hold', async (_what, expression) => {
    await expect(run(inOrder('sequential', expr('a', expression)))).rejects.toThrow(/a is not JSON serializable/);
  });

  it('drops keys for one agent only', async () => {
    const { state } = await run(inOrder('sequential', expr('a', '1', 'temp:k'), expr('b', '2', 'user:k')));
    expect(Object.keys(state).slice(3)).toEqual(['user:k']);
  });

  it('fills the arguments of tools from the state and keeps the types of whole values', async () => {
    const tool = (name: string, config: Json) => ({ name, type: 'tool', tool: 'transform', output_key: name, tool_config: config }) as Json;
    const { state } = await run(
      inOrder(
        'sequential',
        expr('data', "{'a': [1, None], 'b.c': 7.0}"),
        tool('whole', { input_data: '{data}', expression: 'a[0]' }),
        tool('text', { input_data: '["{data} {absent}"]', expression: '$[0]' }),
      ),
    );
    expect(state.whole).toEqual({ result: 1 });
    expect(state.text).toEqual({ result: "{'a': [1, None], 'b.c': 7.0} {absent}" });
  });

  it('keeps floats in what a tool finds', async () => {
    const tool = (name: string, config: Json) => ({ name, type: 'tool', tool: 'transform', output_key: name, tool_config: config }) as Json;
    const { state, content } = await run(
      inOrder(
        'sequential',
        expr('data', "{'a': [1.0, 2, {'b': 4.0}]}"),
        tool('text', { input_data: '[1.0, 2, 3e2, 0.5]', expression: '$[*]' }),
        tool('kept', { input_data: '{data}', expression: '$.a' }),
        tool('one', { input_data: '{"a": 5.0}', expression: 'a' }),
        expr('all', 'str([text, kept, one])', 'all', 'text', 'kept', 'one'),
      ),
    );
    expect(content).toBe("[{'result': [1.0, 2, 300.0, 0.5]}, {'result': [1.0, 2, {'b': 4.0}]}, {'result': 5.0}]");
    expect(state.one).toEqual({ result: 5 });
  });

  it('reports wrong arguments of a tool and continues', async () => {
    const { content } = await run(inOrder('sequential', { name: 't', type: 'tool', tool: 'transform', output_key: 't', tool_config: {} }));
    expect(content).toMatch(/^ToolAgent error: .*input_data/);
  });
});

describe('parallel branches', () => {
  const nested = (name: string, type: string, ...agents: string[]): Json => ({ name, type, sub_agents: agents });

  it('take turns: the last write by turns stays, and branches do not see each other', async () => {
    const agents = [
      expr('a1', "'a1'", 'k'),
      expr('a2', "'a2'", 'k'),
      expr('b1', "str(k) + 'b1'", 'k', 'k'),
      nested('a', 'sequential', 'a1', 'a2'),
    ];
    const { state, author } = await run(flowOf(agents, { type: 'parallel', agents: ['a', 'b1'] }));
    // a1, b1, a2.
    expect([state.k, author]).toEqual(['a2', 'a2']);
  });

  it('of a dag write in the order of the list', async () => {
    const agents = [
      expr('a1', "'a1'", 'k'),
      expr('a2', "'a2'", 'k'),
      expr('b1', "str(k) + 'b1'", 'k', 'k'),
      nested('a', 'sequential', 'a1', 'a2'),
    ];
    const nodes = [{ agent: 'a' }, { agent: 'b1' }];
    const { state, author } = await run(flowOf(agents, { type: 'dag', nodes }));
    expect([state.k, author]).toEqual(['Noneb1', 'b1']);
  });

  it('count each agent of a region inside them', async () => {
    const inner = [expr('x', "'x'", 'k'), expr('y', "'y'", 'k'), expr('z', "'z'", 'l'), nested('in', 'parallel', 'x', 'y', 'z')];
    const agents = [...inner, expr('o1', '1', 'o'), expr('o2', "'o2'", 'k'), nested('out', 'sequential', 'o1', 'o2')];
    const { state, author } = await run(flowOf(agents, { type: 'parallel', agents: ['in', 'out'] }));
    // x, o1, y, o2, z: the second agent of each branch writes k, out's last.
    expect([state.k, author]).toEqual(['o2', 'z']);
  });
});

describe('loops', () => {
  it('end after their rounds; one that cannot end is reported', async () => {
    const count = expr('count', '(n or 0) + 1', 'n', 'n');
    const agents = [count, { name: 'inner', type: 'loop', sub_agents: ['count'] }, expr('after', 'n * 10', 'm', 'n')];
    const endless = load(flowOf(agents as Json[], { type: 'loop', agents: ['inner', 'after'], max_iterations: 2 }));
    expect(endless.problems.map(({ code, path }) => `${code} ${path}`)).toEqual(['endless_loop /agents/1']);
    const { state } = await run(
      flowOf([count, expr('after', 'n * 10', 'm', 'n')], { type: 'loop', agents: ['count', 'after'], max_iterations: 4 }),
    );
    expect(state).toMatchObject({ n: 4, m: 40 });
  });
});

describe('every workflow', () => {
  const place = fc.letrec<{ part: Json }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.record({ leaf: fc.constantFrom('expr', 'llm', 'exit') }),
      fc.record({ type: fc.constantFrom('sequential', 'parallel', 'loop'), parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
    ) as fc.Arbitrary<Json>,
  })).part;

  /** Agents of a random tree, inner ones first, and the name of its root. */
  function agentsOf(part: Json, agents: Json[]): string {
    const { leaf, type, parts } = part as { leaf?: string; type?: string; parts?: Json[] };
    const inner = parts?.map((each) => agentsOf(each, agents));
    const name = `n${agents.length}`;
    if (inner) agents.push({ name, type: type as string, sub_agents: inner });
    else if (leaf === 'expr') agents.push(expr(name, '1'));
    else
      agents.push({ name, type: 'llm', model: 'gemini-2.5-flash', instruction: 'Hi.', ...(leaf === 'exit' && { tools: ['exit_loop'] }) });
    return name;
  }

  it('compiles to a flow that is sound', () => {
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('sequential', 'parallel', 'loop', 'dag'),
        fc.nat(3),
        (parts, type, max) => {
          const agents: Json[] = [];
          const roots = parts.map((part) => agentsOf(part, agents));
          const nodes = roots.map((agent, index) => ({
            agent,
            depends_on: roots.slice(0, index).filter((_root, at) => (at + index) % 2 === 0),
          }));
          const loaded = load(flowOf(agents, type === 'dag' ? { type, nodes } : { type, agents: roots, max_iterations: max }));
          const { valid, problems, soundness } = validationReport(loaded);
          expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
          expect([valid, soundness.status]).toEqual([true, 'sound']);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a workflow among other files', () => {
  it('is YAML with agents and orchestration that is no flow', () => {
    expect(isWorkflowText('any.yaml', 'agents: []\norchestration: {}')).toBe(true);
    expect(isWorkflowText('any.flow.yaml', 'agents: []\norchestration: {}')).toBe(false);
    expect(isWorkflowText('any.yaml', 'pravah: 1\nagents: []\norchestration: {}')).toBe(false);
    expect(isWorkflowText('compose.yaml', 'services: {}')).toBe(false);
    expect(isWorkflowText('workflow.yaml', 'agents: [')).toBe(true);
  });

  it('reports what its flow reports at the path of the agent', () => {
    const { graph, problems } = load(inOrder('sequential', { name: 'a', type: 'llm', model: 'nowhere://x', instruction: 'Hi.' }));
    expect(graph).toBeNull();
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual(['bad_model_url /agents/0']);
  });
});
