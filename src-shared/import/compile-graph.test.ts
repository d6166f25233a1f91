import { expect, it } from 'vitest';
import { buildFlow } from '#shared/flow/build-flow.ts';
import type { FlowEnvironment } from '#shared/flow/environment.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';
import { compileGraph } from './compile-graph.ts';
import type { Deed, ForeignEdge, ForeignGraph, ForeignNode } from './foreign-graph.ts';

const environment: FlowEnvironment = {
  readFile: () => ({ ok: false, reason: 'missing', message: 'missing' }),
  trusted: false,
  tools: new Set(),
  mcpServers: new Set(),
  checkSchema: () => null,
  stripTypes: (source) => ({ ok: true, code: source }),
  sha256: (text) => text,
};

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A graph of up to 12 nodes with choices, branches side by side and, if `loops`, ways back. */
function randomGraph(seed: number, loops: boolean): ForeignGraph {
  const random = randomOf(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const count = 2 + upTo(11);
  const edges: ForeignEdge[] = [];
  const nodes = Array.from({ length: count }, (_, index): ForeignNode => {
    const choice = random() < 0.3;
    const later = () => (index + 1 < count && random() < 0.9 ? `n${index + 1 + upTo(Math.min(4, count - index - 1))}` : '$end');
    const back = () => (loops && choice && random() < 0.3 ? `n${upTo(index + 1)}` : later());
    for (const output of choice ? ['yes', 'no'] : ['']) {
      const targets = new Set(Array.from({ length: random() < 0.25 ? 2 + upTo(2) : 1 }, back));
      for (const to of targets) edges.push({ from: `n${index}`, output, to });
    }
    const does: Deed = choice
      ? { kind: 'choice', cases: [{ output: 'yes', when: 'data.yes === true' }], otherwise: 'no' }
      : { kind: 'code', code: `${index}`, schema: { type: 'integer' } };
    return { id: `n${index}`, title: `Node ${index}`, key: `k${index}`, does };
  });
  return { name: `Graph ${seed}`, input: {}, required: [], start: 'n0', nodes, edges, result: 'data', resultSchema: true };
}

it.each([false, true])('every random graph becomes a sound flow, or is refused with a reason (loops: %s)', (loops) => {
  const unsound: string[] = [];
  let compiled = 0;
  for (let seed = 0; seed < 1500; seed += 1) {
    const graph = randomGraph(seed, loops);
    const problems: string[] = [];
    const result = compileGraph(
      graph,
      (name) => `./${name}.flow.yaml`,
      (code) => problems.push(code),
    );
    if (!result) {
      expect(problems).toContain('import_structure');
      continue;
    }
    compiled += 1;
    const { graph: built, problems: found } = buildFlow(parseFlow(JSON.stringify(result.document), 'main.flow.json'), environment);
    const wrong = found.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`);
    const { status } = built ? analyse(built) : { status: 'not built' };
    if (status !== 'sound') unsound.push(`${seed}: ${status} ${wrong.join(' | ')}`);
  }
  expect(unsound).toEqual([]);
  expect(compiled).toBeGreaterThan(loops ? 600 : 1490);
});

const texts = { type: 'string' } as const;
const agentNode = (id: string, prompt: string | undefined): ForeignNode => ({
  id,
  title: id,
  key: id,
  does: { kind: 'agent', agent: { model: 'script://m.json', mode: 'chat', ...(prompt !== undefined && { prompt }) }, schema: texts },
});
const codeNode = (id: string, code: string): ForeignNode => ({ id, title: id, key: id, does: { kind: 'code', code, schema: true } });

/** The nodes of a chain, as kinds, and the body of the last one. */
function chain(nodes: readonly ForeignNode[], result: string, start = nodes[0]?.id ?? ''): { kinds: string; last: string } {
  const edges = nodes.map(({ id }, index) => ({ from: id, output: '', to: nodes[index + 1]?.id ?? '$end' }));
  const graph: ForeignGraph = { name: 'Chain', input: { asked: texts }, required: [], start, nodes, edges, result, resultSchema: true };
  const compiled = compileGraph(graph, String, () => undefined);
  const all = compiled?.document.nodes ?? [];
  const last = all.at(-1);
  return { kinds: all.map(({ kind }) => kind).join(' '), last: last?.kind === 'work' ? String(last.run) : '' };
}

it.each<[string, readonly ForeignNode[], string, string]>([
  ['nothing but the answer is read at the end', [agentNode('a', '{asked}')], '{ answer: data.a }', 'agent work'],
  ['the next agent reads only this answer', [agentNode('a', '{asked}'), agentNode('b', 'Shorter: {a}')], 'data.b', 'agent work agent work'],
  ['the end reads the input', [agentNode('a', '{asked}')], '[data.a, data.asked]', 'fork agent join work'],
  ['a later prompt reads the input', [agentNode('a', '{asked}'), agentNode('b', '{a} {asked}')], 'data.b', 'fork agent join agent work'],
  [
    'a later template reads a field of an earlier node',
    [codeNode('x', '1'), agentNode('a', '{asked}'), agentNode('b', '{a}: { x }')],
    'data.b',
    'work fork agent join agent work',
  ],
  [
    'a later agent without a prompt gets everything',
    [agentNode('a', '{asked}'), agentNode('b', undefined)],
    'data.b',
    'fork agent join agent work',
  ],
  ['later code may read anything', [agentNode('a', '{asked}'), codeNode('x', 'Object.keys(data)')], 'data.x', 'fork agent join work work'],
  [
    'later code reads a field by its optional name',
    [agentNode('a', '{asked}'), codeNode('x', 'data?.asked')],
    'data.x',
    'fork agent join work work',
  ],
])('an agent keeps the data beside it only where it is read: %s', (_case, nodes, result, kinds) => {
  expect(chain(nodes, result).kinds).toBe(kinds);
});

it('the result is made of the answer of the only node that leads to the end', () => {
  expect(chain([agentNode('a', '{asked}')], '{ text: data.a }').last).toBe(
    '(answer) => { const data = { a: answer }; return ({ text: data.a }); }',
  );
});

it('a node that only marks the start is left out', () => {
  const start: ForeignNode = { id: 's', title: 'Start', key: 's', does: { kind: 'pass', marker: true } };
  expect(chain([start, codeNode('x', '1')], 'data.x').kinds).toBe('work work');
});
