import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluateAt } from '#main/debug/evaluate.ts';
import { type FindRequest, findInRun } from '#main/debug/find.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { createRun, recorderOf, stepRecord, temporaryFolder } from '#main/journal/testing.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { Json } from '#shared/json.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { documentOf, TestWorkspace } from './testing.ts';

/** Searches in parts, as a service does; `between` decides how often a search is interrupted. */
function search(journal: Journal, runId: string, request: Omit<FindRequest, 'begun'>, between = () => true): number | null {
  const row = journal.row(runId);
  for (let [from, begun] = [request.from, false]; ; begun = true) {
    const { seq, next } = findInRun(journal, row, { ...request, from, begun }, between);
    if (seq !== null || next === null) return seq;
    from = next;
  }
}

describe('a search', () => {
  let space: TestWorkspace;
  beforeEach(() => {
    space = new TestWorkspace();
    space.write(
      'item.flow.json',
      documentOf('Item', 'Out', [
        { kind: 'work', from: 'Item', to: 'Mid', expr: '{n: input.n * 2}' },
        { kind: 'work', from: 'Mid', to: 'Out' },
      ]),
    );
  });
  afterEach(() => space.remove());

  const loop = documentOf('N', 'Z', [
    { kind: 'either', from: 'N', to: ['More', 'Z'], expr: 'input.n > 0' },
    { kind: 'work', from: 'More', to: 'N', expr: '{n: input.n - 1}' },
  ]);
  const around = (kind: 'flow' | 'each'): Json => {
    const [input, output] = kind === 'each' ? ['In', 'Back'] : ['Item', 'Out'];
    const nodes: Json[] = [
      { kind: 'either', from: 'N', to: ['More', 'Z'], expr: 'input.n > 0' },
      { kind: 'work', from: 'More', to: input, expr: kind === 'each' ? '[input, {n: 40}]' : 'input' },
      kind === 'each' ? { kind, from: input, to: output, flow: './item.flow.json' } : { kind, flow: './item.flow.json' },
      { kind: 'work', from: output, to: 'N', expr: kind === 'each' ? '{n: input[0].n / 2 - 1}' : '{n: input.n / 2 - 1}' },
    ];
    const list: Json = kind === 'each' ? { type: 'array', items: {} } : {};
    return {
      pravah: 1,
      name: 'Around',
      input: 'N',
      output: 'Z',
      schemas: { N: {}, More: {}, [input]: list, [output]: list, Z: {} },
      nodes,
    };
  };
  const expressions = [
    'states.N.n < 3',
    'states.More.n === 1',
    'n === 2',
    'run.steps > 9',
    'states.Mid.n > 3',
    'states.Z.n === 0',
    'true',
    'n',
    'states.N.n === 99',
  ];

  it.each([
    ['a loop', loop],
    ['a nested flow', around('flow')],
    ['an each node', around('each')],
  ])(
    'of %s finds what evaluating after every record finds, in both directions and however often it is interrupted',
    async (_, document) => {
      const executor = await space.start(document, { n: 5 });
      await executor.continue();
      executor.close();
      const row = space.journal.row(executor.runId);
      const [graph, reader] = [space.journal.graphOf(row), new RunReader(space.journal, row)];
      for (const expression of expressions) {
        const holds = Array.from({ length: row.last_seq + 1 }, (__, seq) => {
          const [result] = evaluateAt(graph, reader, seq, [expression]);
          return result !== undefined && 'value' in result && result.value === true;
        });
        for (let from = 0; from <= row.last_seq; from += 1) {
          const after = holds.indexOf(true, from + 1);
          const before = from === 0 ? -1 : holds.lastIndexOf(true, from - 1);
          const found = (direction: 'forth' | 'back') =>
            search(space.journal, executor.runId, { expression, from, direction }, () => false);
          expect([expression, from, found('forth')]).toEqual([expression, from, after < 0 ? null : after]);
          expect([expression, from, found('back')]).toEqual([expression, from, before < 0 ? null : before]);
        }
      }
    },
  );

  it('says why the expression had no value anywhere', async () => {
    const executor = await space.start(loop, { n: 2 });
    await executor.continue();
    const row = space.journal.row(executor.runId);
    const part = findInRun(
      space.journal,
      row,
      { expression: 'states.Absent.n > 1', from: 0, direction: 'forth', begun: false },
      () => true,
    );
    expect(part).toMatchObject({ seq: null, next: null, evaluated: false, fault: expect.stringContaining('null') });
    const other = findInRun(space.journal, row, { expression: 'run.steps', from: 0, direction: 'forth', begun: false }, () => true);
    expect(other.fault).toContain('must be true or false, but is');
    expect(() => findInRun(space.journal, row, { expression: 'n >', from: 0, direction: 'forth', begun: false }, () => true)).toThrow(
      'The expression is invalid',
    );
  });
});

it('a search over states of 100,000 records reads only those that wrote them', { timeout: 120_000 * slowness }, () => {
  const { folder, remove } = temporaryFolder();
  const journal = Journal.open(join(folder, 'runs.db'));
  try {
    const node = (from: string, to: string) => ({
      id: from,
      kind: 'work' as const,
      from: [from],
      to: [to],
      body: { type: 'default' as const },
      path: '',
    });
    const runId = createRun(journal, { n: 0 }, [node('A', 'B'), node('B', 'A'), node('Rare', 'End')]);
    const recorder = recorderOf(journal, runId, 'one');
    const length = 100_000;
    for (let seq = 1; seq <= length; seq += 1) {
      const [from, to] = seq % 2 === 1 ? ['A', 'B'] : ['B', 'A'];
      const rare = seq % 20_000 === 0 ? [{ name: 'Rare', value: { n: seq } }] : [];
      const consumed = seq > 20_000 && rare.length > 0 ? [from, 'Rare'] : [from];
      recorder.commit(stepRecord(seq, null, { node: from, consumed, produced: [{ name: to, value: { n: seq } }, ...rare] }));
    }
    recorder.close();
    const timed = (expression: string, from: number, direction: 'forth' | 'back', expected: number | null) =>
      processorTime(() => expect(search(journal, runId, { expression, from, direction })).toBe(expected));
    const indexed = timed('states.Rare.n > 70000', 0, 'forth', 80_000) + timed('states.Rare.n < 30000', length, 'back', 39_999);
    const whole = timed('n > 99999', 0, 'forth', length);
    process.stdout.write(`A search of 100,000 records: ${indexed.toFixed(0)} ms with the index, ${whole.toFixed(0)} ms without.\n`);
    expect(indexed).toBeLessThan(whole / 4);
  } finally {
    journal.close();
    remove();
  }
});
