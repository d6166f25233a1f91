import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listOf } from '#main/engine/step/each-results.ts';
import { each, either, flowOf, fork, join, type NodeSketch, pure, quietContext, work } from '#main/engine/testing/flows.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { FlowError } from '#shared/run/error.ts';
import { FlowRuntime } from './flow-runtime.ts';

// The rules of stepping, written down as plainly as they can be, against the engine, on graphs that need not make sense.

type Map = readonly NamedState[];
type Fire = (node: NodeSketch, values: readonly number[]) => NamedState[];

const terminal = 'T';
const numberOf = (values: readonly number[]) => (values.reduce((sum, value) => sum * 3 + value, 1) % 1009) + 1;

const fire: Fire = (node, values) => {
  const value = numberOf(values);
  if (node.kind === 'either') return [{ name: node.to[value % 2] as string, value }];
  return node.to.map((name, index) => ({ name, value: value + index }));
};

/** One step of the obvious model: the next map, or how the run ends. */
function modelStep(nodes: readonly NodeSketch[], states: Map): Map | 'done' | 'Deadlock' | 'StateConflict' {
  if (states.length === 1 && states[0]?.name === terminal) return 'done';
  for (const { name } of states) {
    const node = nodes.find(({ from }) => from.includes(name));
    if (!node?.from.every((parent) => states.some((state) => state.name === parent))) continue;
    const values = node.from.map((parent) => states.find((state) => state.name === parent)?.value as number);
    const rest = states.filter((state) => !node.from.includes(state.name));
    const produced = fire(node, values);
    if (produced.some((state) => rest.some((other) => other.name === state.name))) return 'StateConflict';
    return [...rest, ...produced];
  }
  return 'Deadlock';
}

const handler = {
  work: pure((value: number) => numberOf([value])),
  either: pure((value: number) => (numberOf([value]) % 2 === 0 ? { left: numberOf([value]) } : { right: numberOf([value]) })),
  join: pure((one: number, other: number) => numberOf([one, other])),
};

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', terminal];
const consumable = names.slice(0, -1);

const wildFlow = fc
  .record({
    order: fc.shuffledSubarray(consumable.slice(1), { minLength: 2 }),
    kinds: fc.array(fc.constantFrom('work', 'either', 'fork', 'join', 'join'), { minLength: 9, maxLength: 9 }),
    targets: fc.array(fc.shuffledSubarray(names, { minLength: 4, maxLength: 4 }), { minLength: 9, maxLength: 9 }),
  })
  .map(({ order, kinds, targets }): NodeSketch[] => {
    const left = ['A', ...order];
    const nodes: NodeSketch[] = [];
    for (let index = 0; left.length > 0; index += 1) {
      const from = left.shift() as string;
      const to = (targets[index] as string[]).filter((name) => name !== from);
      const [one, other, third] = to as [string, string, string];
      const kind = kinds[index];
      if (kind === 'join' && nodes.length > 0 && left.length > 0) {
        const partner = left.shift() as string;
        const target = to.find((name) => name !== partner) as string;
        nodes.push(join([from, partner], target, handler.join));
      } else if (kind === 'either') nodes.push(either(from, [one, other], handler.either));
      else if (kind === 'fork') {
        const branches = [one, other, third];
        nodes.push(
          fork(
            from,
            branches,
            pure((value: number) => branches.map((_, at) => numberOf([value]) + at)),
          ),
        );
      } else nodes.push(work(from, one, handler.work));
    }
    return nodes;
  });

function wildGraph(nodes: readonly NodeSketch[]): FlowGraph {
  return { ...flowOf(nodes), output: terminal, schemas: Object.fromEntries(names.map((name) => [name, {}])) };
}

it('steps every graph as the obvious model does', async () => {
  const ctx = quietContext();
  const endings = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(wildFlow, fc.integer({ min: 0, max: 50 }), async (nodes, input) => {
      const graph = wildGraph(nodes);
      const runtime = FlowRuntime.new(graph, input);
      let model: Map = [{ name: 'A', value: input }];
      for (let step = 0; step < 60; step += 1) {
        const next = modelStep(nodes, model);
        if (typeof next === 'string') {
          endings.set(next, (endings.get(next) ?? 0) + 1);
          const outcome = await runtime.next(ctx).then(
            ({ type }) => type,
            (error: FlowError) => error.variant,
          );
          expect(outcome).toBe(next);
          expect(runtime.snapshot().states).toEqual(model);
          return;
        }
        const outcome = await runtime.next(ctx);
        model = next;
        expect(runtime.snapshot().states).toEqual(model);
        expect(outcome.type).toBe(modelStep(nodes, model) === 'done' ? 'done' : 'continue');
      }
    }),
    { seed: 20, numRuns: 3_000 },
  );
  // The graphs are such that each way of ending is met.
  expect([...endings.keys()].sort()).toEqual(['Deadlock', 'StateConflict', 'done']);
});

/** What a list's items come to one after the other, with the item's map after every step; `failed` where one cannot go on. */
function modelOfItems(nodes: readonly NodeSketch[], items: readonly number[]): { readonly maps: Map[]; readonly ending: string } {
  const maps: Map[] = [];
  for (const value of items) {
    let map: Map = [{ name: 'A', value }];
    for (;;) {
      const next = modelStep(nodes, map);
      if (next === 'done') break;
      if (typeof next === 'string') return { maps, ending: next };
      if (maps.length === 60) return { maps, ending: 'LimitExceeded' };
      map = next;
      maps.push(map);
    }
  }
  return { maps, ending: maps.length === 60 ? 'LimitExceeded' : 'done' };
}

it('steps every graph inside an each node as it does for itself, item by item', async () => {
  const ctx = quietContext();
  const endings = new Set<string>();
  await fc.assert(
    fc.asyncProperty(wildFlow, fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 4 }), async (nodes, items) => {
      const { maps, ending } = modelOfItems(nodes, items);
      endings.add(ending);
      const runtime = FlowRuntime.new(flowOf([each('List', 'Results', wildGraph(nodes))], { limits: { steps: 60 } }), items);
      for (const map of maps) {
        expect(await runtime.next(ctx)).toEqual({ type: 'continue' });
        const ended = modelStep(nodes, map) === 'done';
        const { index, states, results } = runtime.snapshot().control.frames.List ?? expect.fail('no frame');
        expect(states).toEqual(ended ? [] : map);
        expect(listOf(results)).toHaveLength(index);
        if (ended) expect(listOf(results).at(-1)).toBe(map[0]?.value);
      }
      const outcome = await runtime.next(ctx).then(
        ({ type }) => type,
        (error: FlowError) => error.variant,
      );
      expect(outcome).toBe(ending);
      expect(runtime.snapshot().control.counters.steps).toBe(maps.length + (ending === 'done' ? 1 : 0));
    }),
    { seed: 21, numRuns: 1_000 },
  );
  expect([...endings].sort()).toEqual(['Deadlock', 'LimitExceeded', 'StateConflict', 'done']);
});
