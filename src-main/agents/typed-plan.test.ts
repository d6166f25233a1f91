import { describe, expect, test } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { flowOf, work } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { AgentSettings, PlanSettings } from '#shared/flow/document.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import type { FlowGraph, PlanParts } from '#shared/flow/graph.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';
import type { Json } from '#shared/json.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';

const draft: FlowGraph = flowOf([work('Brief', 'Draft', { type: 'expr', source: '{text: topic + " (" + len(results) + ")"}' })], {
  schemas: {
    Brief: { type: 'object', properties: { topic: { type: 'string' }, results: { type: 'array' } }, required: ['topic'] },
    Draft: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
});
const steps: PlanSettings['steps'] = {
  research: { description: 'Finds facts.', agent: { model: 'script://research.json' } },
  draft: { flow: 'draft' },
};
const both = [
  { name: 'facts', type: 'research', input: 'Find facts.', needs: [] },
  { name: 'prices', type: 'research', input: 'Find prices.', needs: [] },
  { name: 'text', type: 'draft', input: { topic: 'bees' }, needs: ['facts', 'prices'] },
];

function planning(plan: PlanSettings, parts: Partial<PlanParts> = {}): FlowGraph {
  const agent: AgentSettings = { model: 'script://plan.json', mode: 'plan', prompt: 'Task: {task}', plan };
  const body = { type: 'agent', agent, plan_parts: { flows: { draft }, ...parts } } as const;
  return expandAgents(flowOf([{ kind: 'agent', from: ['Task'], to: ['Report'], body }], { schemas: { Report: { type: 'object' } } }));
}

function scripts(
  space: TestWorkspace,
  turns: Readonly<Record<string, readonly Json[] | { readonly nodes: Readonly<Record<string, readonly Json[]>> }>>,
): void {
  for (const [name, list] of Object.entries(turns)) space.write(`${name}.json`, JSON.stringify('nodes' in list ? list : { turns: list }));
}

const asked = (item: number) => `Task::wave[${item}]::Step::research::asked`;
/** The steps of the first wave, by their items. */
const found = {
  nodes: {
    [asked(0)]: [{ expect: { contains: 'The step to do now, facts: Find facts.' }, text: 'Bees fly.' }],
    [asked(1)]: [{ expect: { contains: 'The step to do now, prices: Find prices.' }, text: 'Honey is dear.' }],
  },
};
const models = { 'Task::done': 'script://summary.json' };

/** Makes every transition in a runtime of its own, restored from the snapshot of the one before. */
async function endOf(graph: FlowGraph, space: TestWorkspace): Promise<{ output: Json; progress: Json }> {
  let runtime = FlowRuntime.new(graph, { task: 'Write.' }, { models });
  for (let seen: Snapshot = runtime.snapshot(); ; ) {
    const outcome = await runtime.next(space.context);
    if (outcome.type === 'done') return { output: outcome.output, progress: valueIn(seen, 'Task::done') };
    if (outcome.type === 'suspend') throw new Error('Nothing waits here.');
    seen = runtime.snapshot().states.some(({ name }) => name === 'Task::done') ? runtime.snapshot() : seen;
    runtime = FlowRuntime.fromSnapshot(graph, runtime.snapshot(), { models }).withHistory(runtime.history());
  }
}

function valueIn({ states }: Snapshot, wanted: string): Json {
  return states.find(({ name }) => name === wanted)?.value ?? null;
}

describe('a plan with typed steps', () => {
  test('does the steps whose needs are met in waves, by agents and flows of their types, and sums up', async () => {
    using space = new TestWorkspace();
    scripts(space, {
      plan: [{ expect: { contains: '- research: Finds facts.' }, output: { rationale: 'Facts first.', steps: both } }],
      research: found,
      summary: [{ expect: { contains: 'bees (2)' }, output: { title: 'Bees' } }],
    });
    const graph = planning({ steps });
    expect(analyse(graph)).toMatchObject({ status: 'sound' });
    const { output, progress } = await endOf(graph, space);
    expect(output).toEqual({ title: 'Bees' });
    expect(progress).toMatchObject({
      trace: { planner_id: 'script://plan.json', rationale: 'Facts first.', step_count: 3, created_at: expect.any(Number) },
      results: [
        { name: 'facts', type: 'research', output: 'Bees fly.' },
        { name: 'prices', type: 'research', output: 'Honey is dear.' },
        { name: 'text', type: 'draft', output: { text: 'bees (2)' } },
      ],
    });
    const waves = space.events.flatMap((event) => (event.type === 'node_exit' && event.node === 'Task::wave' ? [event] : []));
    expect(waves).toHaveLength(2);
  });

  test('marks every event of a step with its name', async () => {
    using space = new TestWorkspace();
    scripts(space, { plan: [{ output: { rationale: '', steps: both } }], research: found, summary: [{ output: {} }] });
    await endOf(planning({ steps }), space);
    const inside = space.events.filter((event) => 'node' in event && event.node?.includes('Task::wave['));
    expect(inside.filter(({ step_name }) => step_name === undefined)).toEqual([]);
    expect(new Set(inside.map(({ step_name }) => step_name))).toEqual(new Set(['facts', 'prices', 'text']));
    expect(space.events.filter((event) => 'node' in event && event.node === 'Task::done' && event.step_name !== undefined)).toEqual([]);
  });

  const bad: readonly [string, readonly Json[], string][] = [
    [
      'an unknown type',
      [{ name: 'a', type: 'sing', input: '', needs: [] }],
      'its step "a" is of the type "sing"; the types are "research", "draft"',
    ],
    ['too many steps', [...both, { ...both[0], name: 'more' }] as Json[], 'it has 4 steps, and 3 are allowed'],
    ['two steps of one name', [both[0], both[0]] as Json[], 'two of its steps are called "facts"'],
    ['an unknown need', [{ ...both[0], needs: ['rumours'] }] as Json[], 'needs "rumours", which is not a step of the plan'],
    [
      'a cycle',
      [
        { ...both[0], needs: ['prices'] },
        { ...both[1], needs: ['facts'] },
      ] as Json[],
      'its steps "facts", "prices" need each other',
    ],
  ];

  test.each(bad)('asks the model again for a plan with %s, and then fails with ORCHESTRATION_STEP_MISMATCH', async (_, wrong, why) => {
    using space = new TestWorkspace();
    const answer = { output: { rationale: '', steps: wrong } } as Json;
    const good = { expect: { contains: why }, output: { rationale: '', steps: both } } as Json;
    scripts(space, { plan: [answer, good], research: found, summary: [{ output: {} }] });
    expect((await endOf(planning({ steps, max_steps: 3 }), space)).output).toEqual({});
    scripts(space, { plan: [answer, answer, answer], research: [], summary: [] });
    const failure = await failureFrom(endOf(planning({ steps, max_steps: 3 }), space));
    expect(failure).toMatchObject({ code: 'ORCHESTRATION_STEP_MISMATCH', category: 'orchestration', retryable: false });
    expect(failure.message).toContain(why);
  });

  test('that is fixed asks no planner, and steps without needs go together', async () => {
    using space = new TestWorkspace();
    scripts(space, { research: found, summary: [{ output: { title: 'Bees' } }] });
    const { output, progress } = await endOf(planning({ steps, fixed: both }), space);
    expect(output).toEqual({ title: 'Bees' });
    expect(progress).toMatchObject({ trace: { planner_id: 'fixed', step_count: 3 } });
  });

  test('that is linear gives each step the results of all before it, and refuses needs', async () => {
    using space = new TestWorkspace();
    const plain = both.map(({ needs: _needs, ...step }) => step);
    const alone = { nodes: { [asked(0)]: Object.values(found.nodes).flat() } };
    scripts(space, { research: alone, summary: [{ output: {} }] });
    const { progress } = await endOf(planning({ steps, fixed: plain, linear: true }), space);
    expect(progress).toMatchObject({ results: [{ name: 'facts' }, { name: 'prices' }, { output: { text: 'bees (2)' } }] });
    const failure = await failureFrom(endOf(planning({ steps, fixed: both.slice(2), linear: true }), space));
    expect(failure).toMatchObject({ code: 'ORCHESTRATION_STEP_MISMATCH' });
    expect(failure.message).toContain('the steps of a linear plan are done in their order');
  });

  test('can be made by a function or by a flow', async () => {
    using space = new TestWorkspace();
    const made = { rationale: 'By hand.', steps: both };
    scripts(space, { research: found, summary: [{ output: {} }] });
    const call = (request: Json) => ({ ...made, rationale: JSON.stringify(request) });
    const byFunction = planning({ steps }, { planner: { type: 'function', call: call as never, pure: false, tools: [] } });
    expect((await endOf(byFunction, space)).progress).toMatchObject({ trace: { planner_id: 'function', rationale: '{"task":"Write."}' } });
    const planner = flowOf([work('Wish', 'Plan', { type: 'function', call: (() => made) as never, pure: true, tools: [] })], {
      schemas: { Wish: { type: 'object' }, Plan: { type: 'object' } },
    });
    expect((await endOf(planning({ steps }, { planner }), space)).progress).toMatchObject({ trace: { rationale: 'By hand.' } });
  });

  test('has one type, task, where it names none: the agent itself', async () => {
    using space = new TestWorkspace();
    scripts(space, { plan: [{ text: 'Bees fly.' }], summary: [{ output: {} }] });
    const { progress } = await endOf(planning({ fixed: [{ name: 'facts', input: 'Find facts.' }] }), space);
    expect(progress).toMatchObject({ results: [{ name: 'facts', type: 'task', output: 'Bees fly.' }] });
  });

  test('calls the models of a wave at the same time', async () => {
    using space = new TestWorkspace();
    const run = FlowRuntime.new(planning({ steps, fixed: both }), { task: 'Write.' });
    let [running, most] = [0, 0];
    const slow: ModelClient = {
      complete: async ({ node }) => {
        running += 1;
        most = Math.max(most, running);
        for (let turn = 0; turn < 60; turn += 1) await new Promise(setImmediate);
        running -= 1;
        const content = node === 'Task::done' ? '{}' : 'Done.';
        return {
          message: { role: 'assistant', content: [{ type: 'text', text: content }] },
          finish_reason: 'stop',
          usage: { tokens_in: 1, tokens_out: 1 },
        };
      },
    };
    await run.toEnd({ ...space.context, models: () => slow });
    expect(most).toBe(2);
  });
});
