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
