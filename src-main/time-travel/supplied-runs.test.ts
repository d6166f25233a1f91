import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { openCapsule } from '#main/capsule/open-capsule.ts';
import { everyGraph } from '#main/debug/pin-places.ts';
import { soundFlow } from '#main/engine/testing/random-flow.ts';
import type { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { countMarks } from '#main/journal/supplied-marks.ts';
import { TestWorkspace } from '#main/runner/testing.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { compareRuns } from './compare.ts';
import { replayWith } from './replay.ts';
import { driveToEnd, startGraph } from './testing.ts';

let space: TestWorkspace;
beforeAll(() => {
  space = new TestWorkspace();
});
afterAll(() => space.remove());

const value: Json = { n: 3, path: ['pinned'] };

/** A pin of a node of a random flow, whose values are all of one form; with `to` an either node goes that way. */
function pinOf({ kind, from, to, id }: GraphNode, index: number, way: number): Supplied {
  const common = { id: `p${index}`, kind: 'pin', flow: '', node: id } as const;
  if (kind === 'fork') return { ...common, value: Object.fromEntries(to.map((state) => [state, value])) };
  if (kind === 'either') return { ...common, value, branch: to[way % 2] ?? '' };
  if (kind === 'each') return { ...common, value: Array.from({ length: way % 3 }, () => value) };
  return from.length === 1 && way % 4 === 0 ? { ...common, disabled: true } : { ...common, value };
}

function suppliedOf(graph: FlowGraph, choices: readonly number[], mocks: number): Supplied[] {
  const nodes: GraphNode[] = [];
  everyGraph(graph, (each) => nodes.push(...each.nodes));
  const pins = choices.map((choice, index) => pinOf(nodes[choice % nodes.length] as GraphNode, index, Math.floor(choice / nodes.length)));
  const model: Supplied = {
    id: 'm',
    kind: 'model',
    model: '*',
    rules: [{ when: 'call.input.turn === 1', result: { output: value } }],
    otherwise: 'call',
  };
  const tool: Supplied = { id: 't', kind: 'tool', tool: 'ask_user', rules: [{ result: 'mocked' }] };
  return [...pins, ...(mocks % 2 === 1 ? [model] : []), ...(mocks > 1 ? [tool] : [])];
}

/** The records of a run that say that something was supplied. */
const markedRecords = (journal: Journal, runId: string) =>
  new RunReader(journal, journal.row(runId))
    .timeline()
    .flatMap(({ seq, supplied, mocked }) => (supplied !== null || mocked > 0 ? [[seq, supplied, mocked]] : []));

test('a supplied run of any flow replays, compares and exports, and each says what was supplied', async () => {
  const total = { pins: 0, mocks: 0, ended: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 3 }),
      async (seed, choices, mocks) => {
        const graph = soundFlow(seed);
        const executor = await startGraph(space, graph, { n: 2, path: [] });
        const { runId } = executor;
        executor.setSupplied(suppliedOf(graph, choices, mocks));
        const { status } = await driveToEnd(space.journal, executor);
        executor.close();
        const marked = markedRecords(space.journal, runId);
        const count = countMarks(space.journal.database, space.journal.row(runId).run);

        const report = await replayWith(space.journal, runId, graph);
        expect(report).toMatchObject({ divergence: null, steps: report.total });
        expect(report.notes.length > 0).toBe(count > 0);

        const { steps } = compareRuns({ journal: space.journal, runId }, { journal: space.journal, runId });
        expect(steps.flatMap(({ seq, supplied }) => (supplied ? [seq] : []))).toEqual(marked.map(([seq]) => seq));

        const text = capsuleText(makeCapsule(space.journal, runId, { places: [], texts: [] }, new Map()));
        const opened = await openCapsule(text, 'run.capsule.json');
        expect(markedRecords(opened.journal, opened.runId)).toEqual(marked);
        expect(countMarks(opened.journal.database, opened.journal.row(opened.runId).run)).toBe(count);
        expect((await replayWith(opened.journal, opened.runId, graph)).divergence).toBeNull();
        opened.journal.close();

        total.pins += marked.filter(([, supplied]) => supplied !== null).length;
        total.mocks += marked.filter(([, , mocked]) => Number(mocked) > 0).length;
        total.ended += status === 'success' ? 1 : 0;
      },
    ),
    { numRuns: 40, seed: 7 },
  );
  // Otherwise the property says little.
  expect(Math.min(total.pins, total.mocks, total.ended)).toBeGreaterThan(4);
});
