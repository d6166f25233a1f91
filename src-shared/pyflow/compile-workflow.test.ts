import { describe, expect, it } from 'vitest';
import type { Json } from '#shared/json.ts';
import { compileWorkflow } from './compile-workflow.ts';
import { emptyProject, type PyflowProject } from './project.ts';

function compile(workflow: Json | string, unattended = false, project: PyflowProject = emptyProject) {
  return compileWorkflow({
    text: typeof workflow === 'string' ? workflow : JSON.stringify(workflow, null, 1),
    source: './workflow.yaml',
    unattended,
    flowPath: (agent) => `w.${agent}.flow.yaml`,
    project,
    sha256: (text) => `hash of ${text.length}`,
  });
}

const expr = (name: string, more: object = {}) => ({ name, type: 'expr', expression: '1', output_key: name, ...more }) as Json;
const llm = (name: string, more: object = {}) => ({ name, type: 'llm', model: 'gemini-2.5-flash', instruction: 'Hi.', ...more }) as Json;
const sequence = (agents: Json[], names: Json[]) => ({ name: 'w', agents, orchestration: { type: 'sequential', agents: names } });
const findings = (workflow: Json) => compile(workflow).problems.map(({ code, severity, path }) => `${severity} ${code} ${path}`);

describe('problems of an import', () => {
  it.each<[string, Json, string[]]>([
    [
      'an agent without its required fields',
      sequence([{ name: 'a', type: 'llm', instruction: 'Hi.' }], ['a']),
      ['error pyflow_format /agents/0'],
    ],
    ['an empty required field', sequence([expr('a', { expression: '' })], ['a']), ['error pyflow_format /agents/0/expression']],
    ['an unknown type', sequence([expr('a', { type: 'exprs' })], ['a']), ['error pyflow_format /agents/0/type']],
    ['a field of the wrong type', sequence([llm('a', { temperature: 'hot' })], ['a']), ['error pyflow_format /agents/0/temperature']],
    [
      'an empty list',
      sequence([expr('a'), { name: 's', type: 'sequential', sub_agents: [] }], ['a']),
      ['error pyflow_format /agents/1/sub_agents'],
    ],
    ['an unknown agent', sequence([expr('a')], ['a', 'b']), ['error pyflow_reference /orchestration/agents/1']],
    ['an agent with two places', sequence([expr('a')], ['a', 'a']), ['error pyflow_reference /orchestration/agents/1']],
    [
      'a workflow agent that contains a later one',
      sequence(
        [{ name: 's', type: 'sequential', sub_agents: ['t'] }, { name: 't', type: 'sequential', sub_agents: ['a'] }, expr('a')],
        ['s'],
      ),
      ['error pyflow_reference /agents/0/sub_agents/0'],
    ],
    ['a name that is not an identifier', sequence([expr('my agent')], ['my agent']), ['error pyflow_name /agents/0/name']],
    ['the name user', sequence([expr('user')], ['user']), ['error pyflow_name /agents/0/name']],
    ['invalid Python', sequence([expr('a', { expression: '1 +' })], ['a']), ['error bad_expr /agents/0/expression']],
    ['a forbidden call', sequence([expr('a', { expression: "open('x')" })], ['a']), ['error bad_expr /agents/0/expression']],
    [
      'an unknown tool',
      sequence([{ name: 'a', type: 'tool', tool: 'teleport', output_key: 'x' }], ['a']),
      ['error unknown_tool /agents/0/tool'],
    ],
    ['an unknown tool of an llm agent', sequence([llm('a', { tools: ['teleport'] })], ['a']), ['error unknown_tool /agents/0/tools/0']],
    [
      "Gemini's search with another model",
      sequence([llm('a', { model: 'openai/gpt-4o', tools: ['google_search'] })], ['a']),
      ['error unknown_tool /agents/0/tools/0'],
    ],
    [
      'agents that call each other as tools',
      sequence([llm('a', { agent_tools: ['b'] }), llm('b', { agent_tools: ['a'] })], ['a']),
      ['error pyflow_cycle /agents/0/agent_tools/0', 'error pyflow_cycle /agents/1/agent_tools/0'],
    ],
    [
      'a dag with a cycle',
      {
        name: 'w',
        agents: [expr('a'), expr('b')],
        orchestration: {
          type: 'dag',
          nodes: [
            { agent: 'a', depends_on: ['b'] },
            { agent: 'b', depends_on: ['a'] },
          ],
        },
      },
      ['error pyflow_cycle /orchestration/nodes/0/depends_on/0', 'error pyflow_cycle /orchestration/nodes/1/depends_on/0'],
    ],
    [
      'a planner for an expression',
      { name: 'w', agents: [expr('a')], orchestration: { type: 'react', agent: 'a', planner: 'plan_react' } },
      ['error pyflow_reference /orchestration/agent'],
    ],
    [
      'a loop that never ends',
      { name: 'w', agents: [expr('a')], orchestration: { type: 'loop', agents: ['a'] } },
      ['warning endless_loop /orchestration'],
    ],
    [
      'branches that share a key',
      {
        name: 'w',
        agents: [expr('a', { output_key: 'k' }), expr('b', { output_key: 'k' })],
        orchestration: { type: 'parallel', agents: ['a', 'b'] },
      },
      ['warning shared_key /agents/1/output_key'],
    ],
    [
      'a branch that reads what another one writes',
      { name: 'w', agents: [expr('a'), expr('b', { input_keys: ['a'] })], orchestration: { type: 'parallel', agents: ['a', 'b'] } },
      ['warning cross_branch_read /agents/1/input_keys/0'],
    ],
    ['a key that no agent writes', sequence([expr('a', { input_keys: ['k'] })], ['a']), ['warning unwritten_key /agents/0/input_keys/0']],
    ['an agent that does not run', sequence([expr('a'), expr('b')], ['a']), ['warning unused_agent /agents/1/name']],
    ['an unknown key', sequence([expr('a', { ouput_key: 'x' })], ['a']), ['warning pyflow_ignored /agents/0/ouput_key']],
    [
      'a search that the API of Gemini refuses',
      sequence([llm('a', { model: 'gemini-2.5-flash', tools: ['google_search', 'enterprise_web_search'] })], ['a']),
      ['warning pyflow_departs /agents/0/tools/1'],
    ],
    ['a model without a provider', sequence([llm('a', { model: 'mistral' })], ['a']), ['warning pyflow_departs /agents/0/model']],
  ])('reports %s at its path', (_what, workflow, expected) => {
    expect(findings(workflow)).toEqual(expected);
  });

  it('reports all problems at once, with their lines', () => {
    const { flow, problems } = compile(
      'name: w\nagents:\n- name: a\n  type: expr\n  expression: "1 +"\n  output_key: x\n- name: b\n  type: llm\norchestration:\n  type: sequential\n  agents: [a, c]\n',
    );
    expect(flow).toBeNull();
    expect(problems.map(({ path, line }) => `${line} ${path}`)).toEqual([
      '5 /agents/0/expression',
      '7 /agents/1',
      '7 /agents/1',
      '11 /orchestration/agents/1',
    ]);
  });

  it('accepts what PyFlow accepts: numbers in text, an unplanned react agent of any type, a repeated specialist', () => {
    const routed = { type: 'llm_routed', router: 'r', agents: ['a', 'a'] };
    expect(findings({ name: 'not an identifier', agents: [llm('r', { temperature: '0.5' }), expr('a')], orchestration: routed })).toEqual(
      [],
    );
    expect(findings({ name: 'w', agents: [expr('a')], orchestration: { type: 'react', agent: 'a' } })).toEqual([]);
  });
});

describe('compiled flows', () => {
  const nodesOf = (workflow: Json) =>
    compile(workflow).flow?.document.nodes.map((node) => ('from' in node ? [node.kind, node.from, node.to].flat().join(' ') : '')) ?? [];

  it('names nodes after their agents and helper states apart from them', () => {
    expect(nodesOf(sequence([expr('Start'), expr('end'), expr('größe')], ['Start', 'end', 'größe']))).toEqual([
      'work Start_ Start',
      'work Start end',
      'work end gr__e_1',
      'work gr__e_1 end_',
      'work end_ Result',
    ]);
  });

  it('reads YAML 1.1, as PyFlow does', () => {
    const agents = '[{ name: a, type: tool, tool: storage, tool_config: { path: x, data: [yes, "no", 010] }, output_key: r }]';
    const { flow } = compile(`name: w\nagents: ${agents}\norchestration: { type: sequential, agents: [a] }\n`);
    expect(flow?.document.nodes[1]).toMatchObject({ session: { tool: 'storage', with: { data: [true, 'no', 8] } } });
  });

  it('compiles a dag into waves', () => {
    const nodes = [
      { agent: 'a', depends_on: [] },
      { agent: 'b', depends_on: [] },
      { agent: 'c', depends_on: ['a'] },
    ];
    expect(nodesOf({ name: 'w', agents: [expr('a'), expr('b'), expr('c')], orchestration: { type: 'dag', nodes } })).toEqual([
      'work Start wave_1',
      'fork wave_1 a b',
      'work a a_done',
      'work b b_done',
      'join a_done b_done c',
      'work c end',
      'work end Result',
    ]);
  });

  it('leaves a loop after each agent that may call exit_loop, and counts rounds after the last one', () => {
    const loop = { type: 'loop', agents: ['judge', 'work'], max_iterations: 3 };
    const { flow } = compile({ name: 'w', agents: [llm('judge', { tools: ['exit_loop'] }), expr('work')], orchestration: loop });
    expect(flow?.document.nodes.filter(({ kind }) => kind === 'either')).toEqual([
      { kind: 'either', from: 'judge_leaves', to: ['end', 'work'], session: { leave: 'w', check: 'escalated' } },
      { kind: 'either', from: 'w_again', to: ['end', 'judge'], session: { leave: 'w', max: 3, check: 'round' } },
    ]);
  });

  it('makes a flow of each agent that is called as a tool', () => {
    const { flow, tools } = compile(
      sequence([llm('boss', { agent_tools: ['expert'] }), llm('expert', { description: 'Knows.' })], ['boss']),
    );
    expect(flow?.document.nodes[1]).toMatchObject({
      agent: { tools: ['flow:w.expert.flow.yaml'] },
      session: { agents: { 'flow:w.expert.flow.yaml': { name: 'expert', description: 'Knows.' } } },
    });
    expect(tools.get('expert')?.document).toMatchObject({
      name: 'w.expert',
      description: 'Knows.',
      nodes: [{ from: 'Start' }, { title: 'expert' }, {}],
    });
  });

  it('knows what was written by then: each state has the keys of the agents before it', () => {
    const { flow: compiled } = compile(sequence([llm('a', { output_key: 'said' }), expr('b'), expr('c')], ['a', 'b', 'c']));
    if (!compiled) throw new Error('The workflow did not compile.');
    const keys = (state: string) =>
      Object.keys((compiled.document.schemas[state] as { properties: { state: { properties: object } } }).properties.state.properties);
    expect(keys('a')).toEqual(['current_date', 'current_datetime', 'timezone']);
    expect(keys('c').slice(3)).toEqual(['said', 'b']);
  });

  it('lets tools of an unattended import act without asking', () => {
    const { flow } = compile(sequence([llm('a', { tools: ['storage'] })], ['a']), true);
    expect(flow?.document.nodes[1]).toMatchObject({ agent: { tools: [{ use: 'storage', approve: 'never' }], trust_content: true } });
  });
});

it('the import record lists the nodes of each nested sequence, those of regions within it included', () => {
  const agents = [
    expr('a'),
    expr('b'),
    expr('c'),
    { name: 'both', type: 'parallel', sub_agents: ['b', 'c'] },
    { name: 'part', type: 'sequential', sub_agents: ['a', 'both'] },
  ];
  const { flow } = compile({ name: 'w', agents, orchestration: { type: 'sequential', agents: ['part'] } });
  expect(flow?.document.pyflow?.sequences).toEqual({ part: ['a', 'both', 'b', 'c', 'b_done+c_done'] });
});
