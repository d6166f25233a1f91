import { expect, test } from 'vitest';
import type { RunSummary } from '#shared/contract/runs.ts';
import { lastMatrixOf } from './matrix-store.ts';
import { promptedAgents, stateFault, variantsOf } from './matrix-variants.ts';

const text = `pravah: 1
name: A
input: In
output: Out
schemas: { In: {}, Mid: {}, Out: {} }
nodes:
  - { kind: agent, title: Grade it, from: In, to: Mid, agent: { model: "script://a.json", prompt: Grade. } }
  - { kind: work, from: Mid, to: Out }
`;
const agents = promptedAgents(text, 'a.flow.yaml');
const input = { models: [], prompts: {}, limits: [], states: [], repeat: 1, flow: 'recorded' as const };

test('the variants are all combinations of the models and prompts that are entered, without empty ones', () => {
  expect(agents).toEqual([{ node: 'In', title: 'Grade it', prompt: 'Grade.' }]);
  const made = variantsOf(
    { ...input, models: ['script://b.json', ' ', 'script://c.json'], prompts: { In: ['Be kind.', 'Be strict.', ''] } },
    agents,
  );
  expect(made.map(({ name, models, prompts }) => [name, models['*'], prompts.In])).toEqual([
    ['script://b.json, Grade it: prompt 1', 'script://b.json', 'Be kind.'],
    ['script://b.json, Grade it: prompt 2', 'script://b.json', 'Be strict.'],
    ['script://c.json, Grade it: prompt 1', 'script://c.json', 'Be kind.'],
    ['script://c.json, Grade it: prompt 2', 'script://c.json', 'Be strict.'],
  ]);
});

test('limits of the flow and its agents, and values of states, vary too', () => {
  const limits = [
    { node: 'In', limit: 'turns' as const, value: 1 },
    { node: 'In', limit: 'turns' as const, value: 3 },
    { node: '*', limit: 'tokens' as const, value: 900 },
  ];
  const made = variantsOf(
    {
      ...input,
      limits,
      states: [
        { state: 'In', text: '{"a": 1}' },
        { state: 'In', text: '{' },
      ],
    },
    agents,
  );
  expect(made.map(({ name, limits: of, states }) => [name, of, states])).toEqual([
    ['Grade it: turns 1, tokens 900, new In', { In: { turns: 1 }, '*': { tokens: 900 } }, [{ name: 'In', value: { a: 1 } }]],
    ['Grade it: turns 3, tokens 900, new In', { In: { turns: 3 }, '*': { tokens: 900 } }, [{ name: 'In', value: { a: 1 } }]],
  ]);
  expect([stateFault({ state: 'In', text: '' }), stateFault({ state: 'In', text: '{' })]).toEqual([null, expect.any(String)]);
});

test('nothing varies until something is entered, the flow is another one or the run is repeated', () => {
  expect(variantsOf(input, agents)).toEqual([]);
  expect(variantsOf({ ...input, flow: 'current' }, agents).map(({ name }) => name)).toEqual(['current flow']);
  expect(variantsOf({ ...input, repeat: 2 }, agents).map(({ name }) => name)).toEqual(['unchanged #1', 'unchanged #2']);
});

test('the matrix of a run is the last one of which it is the original or a variant', () => {
  const run = (run_id: string, created_at: number, forked_from: RunSummary['forked_from']) =>
    ({ run_id, created_at, forked_from }) as RunSummary;
  const runs = [
    run('first', 1, null),
    run('a', 2, { run_id: 'first', seq: 1, group: 'one', variant: 'a' }),
    run('b', 3, { run_id: 'first', seq: 1, group: 'two', variant: 'b' }),
    run('fork', 4, { run_id: 'first', seq: 1 }),
  ];
  expect(['first', 'a', 'b', 'fork'].map((id) => lastMatrixOf(runs, id))).toEqual(['two', 'one', 'two', null]);
});
