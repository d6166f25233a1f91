import { expect, test } from 'vitest';
import { buildFromSources, type ChosenFlow } from '#main/time-travel/recorded-flow.ts';
import { type Variant, variantSchema } from '#shared/contract/matrix.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { variantFlow, variantModels } from './variant-flow.ts';

const inner = `pravah: 1
name: Grade one
input: Essay
output: Grade
schemas: { Essay: {}, Grade: { type: object } }
nodes:
  # The strict one.
  - { kind: agent, title: Grade it, from: Essay, to: Grade, agent: { model: "script://a.json", prompt: Grade. } }
`;
const outer = `pravah: 1
name: Grading
input: Essays
output: Done
schemas: { Essays: { type: array }, Grades: { type: array }, Done: { type: object } }
nodes:
  - { kind: each, title: Each, from: Essays, to: Grades, flow: ./one.flow.yaml }
  - kind: agent
    title: Sum up
    from: Grades
    to: Done
    agent: { model: "script://a.json", prompt: Sum up., limits: { turns: 3 } }
`;

function flow(): ChosenFlow {
  const texts = { flow_path: 'all.flow.yaml', flow_text: outer, sources: new Map([['one.flow.yaml', inner]]) };
  const { graph, problems } = buildFromSources(texts, false);
  if (!graph) throw new Error(JSON.stringify(problems));
  return { ...texts, graph };
}

const variant = (changes: Partial<Variant>) => variantSchema.parse({ name: 'v', ...changes });

function agentOf(graph: FlowGraph, id: string) {
  const body = graph.nodes.find((node) => node.id === id)?.body;
  if (body?.type !== 'agent') throw new Error(`${id} is no agent`);
  return body.agent;
}

test('a prompt of an agent in a nested flow is changed in that file only, and its comments stay', () => {
  const changed = variantFlow(flow(), variant({ prompts: { 'Grade it': 'Be strict.' } }), false);
  expect(changed.flow_text).toBe(outer);
  expect(changed.sources.get('one.flow.yaml')).toBe(inner.replace('Grade. }', 'Be strict. }'));
  const each = changed.graph.nodes.find(({ id }) => id === 'Essays')?.body;
  expect(each?.type === 'each' && agentOf(each.flow, 'Essay').prompt).toBe('Be strict.');
  expect(changed.graph.hash).not.toBe(flow().graph.hash);
});

test('limits are changed of an agent and of the flow, and other limits stay', () => {
  const { graph } = variantFlow(flow(), variant({ limits: { 'all.flow.yaml#Grades': { seconds: 5 }, '*': { tokens: 900 } } }), false);
  expect(agentOf(graph, 'Grades').limits).toEqual({ turns: 3, seconds: 5 });
  expect(graph.limits).toMatchObject({ tokens: 900 });
});

test('models are changed in the run and leave the flow as it is', () => {
  const given = variant({ models: { 'Sum up': 'script://b.json', '*': 'script://c.json' } });
  const base = flow();
  expect(variantFlow(base, given, false)).toBe(base);
  expect(variantModels(given, base.graph)).toEqual({ Grades: 'script://b.json', '*': 'script://c.json' });
  expect(() => variantModels(variant({ models: { Unknown: 'script://b.json' } }), base.graph)).toThrow('Agents: Grade it, Sum up.');
});
