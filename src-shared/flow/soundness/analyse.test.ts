import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GraphNodeKind } from '#shared/flow/document.ts';
import { type FlowGraph, type GraphNode, nodeIdOf } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { leastProcessorTime } from '#shared/testing/processor-time.ts';
import { analyse } from './analyse.ts';
import { reduce } from './reduce.ts';
import { workflowNet } from './workflow-net.ts';

type Sketch = readonly [kind: GraphNodeKind, from: string, to: string];

function graphOf(sketches: readonly Sketch[], input = 'A', output = 'Z'): FlowGraph {
  const nodes = sketches.map(
    ([kind, from, to], index): GraphNode => ({
      id: nodeIdOf(from.split(' ')),
      kind,
      from: from.split(' '),
      to: to.split(' '),
      body: { type: 'default' },
      path: `/nodes/${index}`,
    }),
  );
  return { name: 'T', input, output, schemas: {}, nodes, limits: defaultLimits, hash: '' };
}

const codes = (...sketches: Sketch[]) => analyse(graphOf(sketches)).problems.map(({ code, nodes }) => `${code} ${nodes.join(' ')}`);

describe('analyse', () => {
  it('proves chains, choices, loops and forks that are joined', () => {
    expect(codes(['work', 'A', 'B'], ['either', 'B', 'Z A'])).toEqual([]);
    expect(
      codes(
        ['fork', 'A', 'B C D'],
        ['either', 'B', 'B1 B2'],
        ['work', 'B2', 'B'],
        ['either', 'C', 'C1 C2'],
        ['work', 'C1', 'C3'],
        ['work', 'C2', 'C3'],
        ['join', 'B1 D', 'E'],
        ['join', 'C3 E', 'Z'],
      ),
    ).toEqual([]);
  });

  it('shows the shortest run into a deadlock', () => {
    const { status, trace, problems } = analyse(
      graphOf([
        ['fork', 'A', 'B C'],
        ['either', 'B', 'B1 B2'],
        ['either', 'C', 'C1 C2'],
        ['join', 'B1 C1', 'Z'],
        ['join', 'B2 C2', 'Z'],
      ]),
    );
    expect(status).toBe('unsound');
    expect(problems.map((problem) => problem.code)).toEqual(['deadlock_possible']);
    expect(trace).toEqual([{ node: 'A' }, { node: 'B', branch: 'B1' }, { node: 'C', branch: 'C2' }]);
    expect(problems[0]?.nodes).toEqual(['B1+C1', 'B2+C2']);
  });

  it('distinguishes improper completion, collisions, dead nodes and livelocks', () => {
    expect(codes(['fork', 'A', 'B C'], ['either', 'B', 'Z B1'], ['join', 'B1 C', 'Z'])).toEqual(['improper_completion B1+C']);
    expect(codes(['fork', 'A', 'B C'], ['either', 'B', 'B1 A'], ['join', 'B1 C', 'Z'])).toEqual([
      'deadlock_possible A B1+C',
      'state_collision A',
    ]);
    expect(codes(['either', 'A', 'B C'], ['join', 'B C', 'N'], ['work', 'N', 'Z'])).toEqual([
      'deadlock_possible B+C',
      'dead_node B+C',
      'dead_node N',
    ]);
    expect(codes(['either', 'A', 'Z B'], ['work', 'B', 'C'], ['work', 'C', 'B'])).toEqual(['deadlock_possible B']);
    expect(codes(['fork', 'A', 'B C'], ['work', 'B', 'E'], ['work', 'C', 'E'], ['work', 'E', 'Z'])).toContain('state_collision C');
  });

  it('looks into the flow of an each', () => {
    const inner = graphOf([
      ['either', 'A', 'B C'],
      ['join', 'B C', 'Z'],
    ]);
    const outer: FlowGraph = {
      ...graphOf([['each', 'A', 'Z']]),
      nodes: [{ ...(graphOf([['each', 'A', 'Z']]).nodes[0] as GraphNode), body: { type: 'each', flow: inner } }],
    };
    expect(analyse(outer).problems).toMatchObject([
      { code: 'deadlock_possible', path: '/nodes/0', trace: [{ node: 'A::A', branch: 'B' }] },
      { code: 'dead_node' },
    ]);
  });

  it('agrees with brute force on random graphs, each trace being a run and the shortest', () => {
    let reduced = 0;
    let soundOnes = 0;
    fc.assert(
      fc.property(graphs, (graph) => {
        const expected = bruteForce(graph);
        const { status, problems, trace } = analyse(graph);
        expect(problems.filter(({ code }) => code !== 'dead_node').map(({ code, trace: steps }) => `${code} ${steps?.length}`)).toEqual(
          expected.failed,
        );
        expect(problems.filter(({ code }) => code === 'dead_node').flatMap(({ nodes }) => nodes)).toEqual(expected.dead);
        expect(status).toBe(expected.failed.length + expected.dead.length > 0 ? 'unsound' : 'sound');
        for (const { trace: steps = [] } of problems) expect(isRun(graph, steps)).toBe(true);
        expect(isRun(graph, trace)).toBe(true);
        const proven = reduce(workflowNet(graph)).done;
        if (status === 'unsound') expect(proven).toBe(false);
        else soundOnes++;
        if (proven) reduced++;
      }),
      { numRuns: 3000, seed: 2026 },
    );
    // The rules are meant to decide sound flows without exploring them.
    expect(soundOnes).toBeGreaterThan(200);
    expect(reduced).toBe(soundOnes);
  });

  it('returns the same verdict if the flow itself has too many markings to explore', () => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: 1, max: 6 }), (graph, limit) => {
        const expected = bruteForce(graph);
        const { status, problems } = analyse(graph, limit);
        expect(status).toBe(expected.failed.length + expected.dead.length > 0 ? 'unsound' : 'sound');
        for (const { trace = [] } of problems) expect(isRun(graph, trace)).toBe(true);
        const known = new Set(expected.failed.map((each) => each.split(' ')[0]));
        for (const { code, nodes } of problems)
          expect(code === 'dead_node' ? expected.dead.includes(nodes[0] ?? '') : known.has(code)).toBe(true);
      }),
      { numRuns: 3000, seed: 2027 },
    );
  });

  it('shows how a wide flow fails that cannot be explored, in time', () => {
    const wide = forkTree(64, 150).nodes.map((node) =>
      node.id === 'B5_7' ? { ...node, kind: 'either' as const, to: ['B5_8', 'B6_100'] } : node,
    );
    const graph = { ...forkTree(64, 150), nodes: wide };
    const result = analyse(graph);
    expect(result.status).toBe('unsound');
    expect(result.problems.length).toBeGreaterThan(0);
    expect(result.problems[0]?.trace?.length).toBeGreaterThan(0);
    // It takes about 400 ms.
    expect(leastProcessorTime(() => analyse(graph))).toBeLessThan(5000);
  });

  it('takes less than 20 ms for a flow of 1,000 nodes', () => {
    for (const graph of [chain(1000), forkTree(64, 13), loops(300)]) expect(leastProcessorTime(() => analyse(graph))).toBeLessThan(20);
  });

  it('proves sound graphs of 10,000 nodes, a fork tree of 64 branches with joins included, in time', () => {
    for (const graph of [chain(10_000), forkTree(64, 150), forkTree(2048, 2), loops(3000)]) {
      expect(graph.nodes.length).toBeGreaterThan(6000);
      expect(analyse(graph).status).toBe('sound');
      expect(leastProcessorTime(() => analyse(graph))).toBeLessThan(1000);
    }
  });
});

/** Structured pieces with a few wires changed at random: some stay sound, most do not. */
const graphs = fc
  .record({
    seeds: fc.array(fc.nat(999_999), { minLength: 1, maxLength: 7 }),
    rewire: fc.array(fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)), { maxLength: 2 }),
    wild: fc.boolean(),
  })
  .map(({ seeds, rewire, wild }) => rewired(structured(seeds), wild ? rewire : []))
  .filter((graph) => graph !== null);

/** Refines A → Z step by step: each seed replaces one work node by a sequence, a choice, a fork with a join, or a loop. */
function structured(seeds: readonly number[]): Sketch[] {
  let nodes: Sketch[] = [['work', 'A', 'Z']];
  let count = 0;
  const fresh = () => `S${count++}`;
  for (const seed of seeds) {
    const works = nodes.filter(([kind]) => kind === 'work');
    const chosen = works[seed % works.length] as Sketch;
    const [, from, to] = chosen;
    const [a, b, c, d] = [fresh(), fresh(), fresh(), fresh()];
    const shapes: readonly Sketch[][] = [
      [
        ['work', from, a],
        ['work', a, to],
      ],
      [
        ['either', from, `${a} ${b}`],
        ['work', a, to],
        ['work', b, to],
      ],
      [
        ['fork', from, `${a} ${b}`],
        ['work', a, c],
        ['work', b, d],
        ['join', `${c} ${d}`, to],
      ],
      [
        ['work', from, a],
        ['either', a, `${b} ${c}`],
        ['work', c, a],
        ['work', b, to],
      ],
    ];
    nodes = nodes.flatMap((node) => (node === chosen ? (shapes[Math.floor(seed / 7) % shapes.length] as Sketch[]) : [node]));
  }
  return nodes;
}

/** Leads some outputs to other states; null when the result is no flow that would build. */
function rewired(sketches: readonly Sketch[], changes: readonly (readonly [number, number, number])[]): FlowGraph | null {
  const states = [...new Set(sketches.flatMap(([, from, to]) => [...from.split(' '), ...to.split(' ')]))];
  const nodes = sketches.map(([kind, from, to]) => ({ kind, from, to: to.split(' ') }));
  for (const [which, port, target] of changes) {
    const node = nodes[which % nodes.length];
    if (node) node.to[port % node.to.length] = states[target % states.length] as string;
  }
  const graph = graphOf(nodes.map(({ kind, from, to }): Sketch => [kind, from, to.join(' ')]));
  const consumed = new Set(graph.nodes.flatMap((node) => node.from));
  const produced = new Set(graph.nodes.flatMap((node) => node.to));
  const builds =
    graph.nodes.every(
      ({ kind, from, to }) =>
        new Set(to).size === to.length &&
        (kind === 'either' || !to.some((name) => from.includes(name))) &&
        (kind !== 'fork' || to.every((name) => consumed.has(name))) &&
        from.every((name) => name === 'A' || produced.has(name)),
    ) && [...produced].filter((name) => !consumed.has(name)).join() === 'Z';
  return builds ? graph : null;
}

const chain = (length: number) =>
  graphOf(
    Array.from({ length }, (_, index): Sketch => ['work', index === 0 ? 'A' : `S${index}`, index === length - 1 ? 'Z' : `S${index + 1}`]),
  );

function forkTree(width: number, length: number): FlowGraph {
  const nodes: Sketch[] = [['fork', 'A', Array.from({ length: width }, (_, branch) => `B${branch}_0`).join(' ')]];
  for (let branch = 0; branch < width; branch++) {
    for (let step = 0; step < length; step++) nodes.push(['work', `B${branch}_${step}`, `B${branch}_${step + 1}`]);
  }
  let ends = Array.from({ length: width }, (_, branch) => `B${branch}_${length}`);
  for (let level = 0; ends.length > 1; level++) {
    const next: string[] = [];
    for (let index = 0; index < ends.length; index += 2) {
      const to = ends.length === 2 ? 'Z' : `J${level}_${index}`;
      nodes.push(['join', `${ends[index]} ${ends[index + 1]}`, to]);
      next.push(to);
    }
    ends = next;
  }
  return graphOf(nodes);
}

function loops(count: number): FlowGraph {
  const nodes: Sketch[] = [];
  for (let index = 0; index < count; index++) {
    const [from, to] = [index === 0 ? 'A' : `L${index}`, index === count - 1 ? 'Z' : `L${index + 1}`];
    nodes.push(['work', from, `T${index}`], ['either', `T${index}`, `${to} R${index}`], ['work', `R${index}`, `T${index}`]);
  }
  return graphOf(nodes);
}

type Marking = readonly string[];
const shown = (marking: Marking) => [...marking].sort().join(' ');

/** Every way in which one node can fire: the next marking, or the state that would be there twice. */
function firings(graph: FlowGraph, marking: Marking): { node: string; branch?: string; next: Marking; twice: boolean }[] {
  return graph.nodes.flatMap((node) => {
    if (!node.from.every((name) => marking.includes(name))) return [];
    const rest = marking.filter((name) => !node.from.includes(name));
    const outputs = node.kind === 'either' ? node.to.map((name) => [name]) : [node.to];
    return outputs.map((to) => ({
      node: node.id,
      ...(node.kind === 'either' && { branch: to[0] as string }),
      next: [...rest, ...to],
      twice: new Set([...rest, ...to]).size < rest.length + to.length,
    }));
  });
}

/** The properties as they are defined, by looking at every marking in turn. */
function bruteForce(graph: FlowGraph): { failed: string[]; dead: string[] } {
  const depth = new Map([[shown(['A']), 0]]);
  const markings: Marking[] = [['A']];
  const edges: [string, string][] = [];
  const fired = new Set<string>();
  let collision = Number.POSITIVE_INFINITY;
  for (const marking of markings) {
    const steps = (depth.get(shown(marking)) as number) + 1;
    for (const { node, next, twice } of firings(graph, marking)) {
      fired.add(node);
      if (twice) collision = Math.min(collision, steps);
      else {
        if (!depth.has(shown(next))) {
          depth.set(shown(next), steps);
          markings.push(next);
        }
        edges.push([shown(marking), shown(next)]);
      }
    }
  }
  const hopeful = new Set(markings.filter((marking) => marking.includes('Z')).map(shown));
  for (let grown = true; grown; ) {
    grown = false;
    for (const [from, to] of edges) if (hopeful.has(to) && !hopeful.has(from)) grown = Boolean(hopeful.add(from));
  }
  const least = (list: readonly Marking[]) => Math.min(...list.map((marking) => depth.get(shown(marking)) as number));
  const doomed = markings.filter((marking) => !hopeful.has(shown(marking)));
  const stuck = doomed.filter((marking) => firings(graph, marking).every((firing) => firing.twice));
  const found = [
    [
      'deadlock_possible',
      Math.min(
        ...[stuck, doomed]
          .filter((list) => list.length > 0)
          .slice(0, 1)
          .map(least),
      ),
    ],
    ['improper_completion', least(markings.filter((marking) => marking.includes('Z') && marking.length > 1))],
    ['state_collision', collision],
  ] as const;
  return {
    failed: found.filter(([, steps]) => Number.isFinite(steps)).map(([code, steps]) => `${code} ${steps}`),
    dead: graph.nodes.filter((node) => !fired.has(node.id)).map((node) => node.id),
  };
}

/** Whether the steps can be fired one after the other; only the last one may produce a state twice. */
function isRun(graph: FlowGraph, steps: readonly { node: string; branch?: string }[]): boolean {
  let marking: Marking = ['A'];
  for (const [index, { node, branch }] of steps.entries()) {
    const firing = firings(graph, marking).find((each) => each.node === node && each.branch === branch);
    if (!firing || (firing.twice && index < steps.length - 1)) return false;
    marking = firing.next;
  }
  return true;
}
