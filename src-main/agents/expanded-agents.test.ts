import { describe, expect, test } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { flowOf } from '#main/engine/testing/flows.ts';
import { failureFrom, goOn } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';
import type { Json } from '#shared/json.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';

const yesNo = { type: 'object', properties: { answer: { enum: ['yes', 'no'] } }, required: ['answer'], additionalProperties: false };

function graphOf(settings: AgentSettings): FlowGraph {
  const agent = { kind: 'agent', from: ['Question'], to: ['Reply'], body: { type: 'agent', agent: settings } } as const;
  return expandAgents(flowOf([agent], { schemas: { Reply: yesNo } }));
}

/** Scripts by the name of their file, each with its turns. */
function scripts(space: TestWorkspace, turns: Readonly<Record<string, readonly Json[]>>): void {
  for (const [name, list] of Object.entries(turns)) space.write(`${name}.json`, JSON.stringify({ turns: list }));
}

/** Makes every transition in a runtime of its own, restored from the snapshot of the one before. */
async function endOf(graph: FlowGraph, space: TestWorkspace, input: Json, models = {}): Promise<{ output: Json; seen: Snapshot[] }> {
  let runtime = FlowRuntime.new(graph, input, { models });
  for (const seen: Snapshot[] = []; ; ) {
    const outcome = await runtime.next(space.context);
    if (outcome.type === 'done') return { output: outcome.output, seen };
    if (outcome.type === 'suspend') throw new Error('nothing waits here');
    seen.push(runtime.snapshot());
    runtime = FlowRuntime.fromSnapshot(graph, runtime.snapshot(), { models }).withHistory(runtime.history());
  }
}

const stateIn = (seen: readonly Snapshot[], name: string) =>
  seen.flatMap(({ states }) => states.filter((state) => state.name === name))[0]?.value;

describe('a redundant agent', () => {
  const three = (vote: 'majority' | 'first_valid' | 'judge'): FlowGraph =>
    graphOf({ model: 'script://same.json', mode: 'redundant', redundant: { replicas: 3, vote, min_agreement: 0.6 } });
  const models = Object.fromEntries([1, 2, 3].map((n) => [`Question::replica_${n}`, `script://${n}.json`]));
  const bad = [{ output: 1 }, { output: 2 }, { output: 3 }];

  test('is a fork of replicas and a vote, sound, and the vote says how sure it is', async () => {
    using space = new TestWorkspace();
    scripts(space, { 1: [{ output: { answer: 'no' } }], 2: [{ output: { answer: 'yes' } }], 3: [{ output: { answer: 'yes' } }] });
    const graph = three('majority');
    expect(analyse(graph)).toMatchObject({ status: 'sound' });
    const { output, seen } = await endOf(graph, space, { why: 1 }, models);
    expect(output).toEqual({ answer: 'yes' });
    expect(stateIn(seen, 'Question::vote')).toEqual({
      value: { answer: 'yes' },
      confidence: 2 / 3,
      confidence_source: 'voting',
      agreeing: 2,
      replicas: 3,
    });
  });

  test('takes the turns of each replica from one script that lists them by node', async () => {
    using space = new TestWorkspace();
    const nodes = { 'Question::replica_2': [{ output: { answer: 'no' } }] };
    space.write('same.json', JSON.stringify({ turns: [{ output: { answer: 'yes' } }], nodes }));
    const { output, seen } = await endOf(three('majority'), space, { why: 1 });
    expect(output).toEqual({ answer: 'yes' });
    expect(stateIn(seen, 'Question::vote')).toMatchObject({ agreeing: 2, replicas: 3 });
  });

  test('names the node whose turns in a script have run out', async () => {
    using space = new TestWorkspace();
    space.write('same.json', JSON.stringify({ nodes: { 'Question::replica_1': [] } }));
    const failure = await failureFrom(endOf(three('majority'), space, { why: 1 }));
    expect(failure.message).toContain('same.json has 0 turns for Question::replica_');
  });

  test('continues without a replica that fails, and fails when too few agree', async () => {
    using space = new TestWorkspace();
    scripts(space, { 1: bad, 2: [{ output: { answer: 'no' } }], 3: [{ output: { answer: 'no' } }] });
    const { output, seen } = await endOf(three('majority'), space, {}, models);
    expect(output).toEqual({ answer: 'no' });
    expect(space.events.filter(({ type }) => type === 'error')).toMatchObject([
      { node: 'Question::replica_1', counted: false, error: { code: 'CONSTRAINT_SCHEMA_INVALID' } },
    ]);
    expect(stateIn(seen, 'Question::answer_1')).toMatchObject({
      error: { code: 'CONSTRAINT_SCHEMA_INVALID', node: 'Question::replica_1' },
    });
    scripts(space, { 3: [{ output: { answer: 'yes' } }] });
    const error = await failureFrom(endOf(three('majority'), space, {}, models));
    expect(error).toMatchObject({ code: 'ORCHESTRATION_NO_CONSENSUS', node: 'Question::answers' });
  });

  test('takes the first valid answer, or the one that a judge chooses', async () => {
    using space = new TestWorkspace();
    scripts(space, { 1: bad, 2: [{ output: { answer: 'no' } }], 3: [{ output: { answer: 'yes' } }] });
    expect((await endOf(three('first_valid'), space, {}, models)).output).toEqual({ answer: 'no' });
    scripts(space, { same: [{ expect: { contains: '"answer":"yes"' }, output: { choice: 3, confidence: 0.8, reason: 'It is kinder.' } }] });
    const judged = await endOf(three('judge'), space, {}, models);
    expect(judged.output).toEqual({ answer: 'yes' });
    expect(stateIn(judged.seen, 'Question::vote')).toMatchObject({
      confidence: 0.8,
      confidence_source: 'validation',
      reason: 'It is kinder.',
    });
  });

  test('is sent to another model for one run by its own name', async () => {
    using space = new TestWorkspace();
    scripts(space, { other: [{ output: { answer: 'yes' } }] });
    expect((await endOf(three('majority'), space, {}, { Question: 'script://other.json' })).output).toEqual({ answer: 'yes' });
  });
});

describe('a planning agent', () => {
  const planning: AgentSettings = {
    model: 'script://plan.json',
    mode: 'plan',
    preamble: 'Help {who}.',
    prompt: 'Task: {task}',
    plan: { max_steps: 2 },
  };
  const steps = [
    { name: 'look', instruction: 'Look around.' },
    { name: 'decide', instruction: 'Decide.' },
  ];
  const models = { 'Question::step': 'script://step.json', 'Question::done': 'script://summary.json' };

  test('makes a plan, does its steps with the results of the ones before, and sums up', async () => {
    using space = new TestWorkspace();
    scripts(space, {
      plan: [{ expect: { contains: 'Task: choose' }, output: { rationale: 'two looks', steps } }],
      step: [
        { expect: { contains: 'The step to do now, look: Look around.' }, text: 'I saw a {brace}.' },
        { expect: { contains: 'I saw a {brace}.' }, text: 'Yes it is.' },
      ],
      summary: [{ expect: { contains: 'Yes it is.' }, output: { answer: 'yes' } }],
    });
    const graph = graphOf(planning);
    expect(analyse(graph)).toMatchObject({ status: 'sound' });
    const { output, seen } = await endOf(graph, space, { who: 'Ada', task: 'choose' }, models);
    expect(output).toEqual({ answer: 'yes' });
    expect(stateIn(seen, 'Question::done')).toMatchObject({
      trace: { planner_id: 'script://plan.json', rationale: 'two looks', step_count: 2 },
      results: [
        { name: 'look', text: 'I saw a {brace}.' },
        { name: 'decide', text: 'Yes it is.' },
      ],
    });
  });

  test('asks the planner again for a plan with too many steps', async () => {
    using space = new TestWorkspace();
    const many = [...steps, { name: 'rest', instruction: 'Rest.' }];
    scripts(space, {
      plan: [
        { output: { rationale: 'three', steps: many } },
        { expect: { contains: '/steps' }, output: { rationale: 'one', steps: [steps[0]] } },
      ] as Json[],
      step: [{ text: 'Done.' }],
      summary: [{ output: { answer: 'no' } }],
    });
    expect((await endOf(graphOf(planning), space, { who: 'Ada', task: 'choose' }, models)).output).toEqual({ answer: 'no' });
  });

  test('fails with ORCHESTRATION_STEP_MISMATCH if the planner keeps to too many steps', async () => {
    using space = new TestWorkspace();
    const many = [...steps, { name: 'rest', instruction: 'Rest.' }];
    scripts(space, { plan: Array.from({ length: 3 }, () => ({ output: { rationale: 'three', steps: many } })), step: [], summary: [] });
    const error = await failureFrom(goOn(FlowRuntime.new(graphOf(planning), { who: 'Ada', task: 'choose' }), space.context));
    expect(error).toMatchObject({ code: 'ORCHESTRATION_STEP_MISMATCH', category: 'orchestration', retryable: false });
  });

  test('whose prompt names a field that the input lacks fails before any model is asked', async () => {
    using space = new TestWorkspace();
    const error = await failureFrom(goOn(FlowRuntime.new(graphOf(planning), { who: 'Ada' }), space.context));
    expect(error).toMatchObject({ variant: 'HandlerError', node: 'Question::request', details: { field: 'task' } });
  });
});
