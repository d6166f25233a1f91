import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { Journal } from '#main/journal/journal.ts';
import { createRun, recorderOf, stepRecord, temporaryFolder } from '#main/journal/testing.ts';
import { slowness } from '#main/testing/slowness.ts';
import { processorTime } from '#shared/testing/processor-time.ts';
import { iterationOf, iterationsOf } from './iteration-view.ts';
import { detailOf, stateAt, timelineOf } from './run-views.ts';

const length = 100_000;
/** Milliseconds of processor time. Each look takes under 100 on a quiet machine; this limit shows that none reads all of the run. */
const patience = 1000;

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[times.length >> 1] as number;
}

test('a run of 100,000 steps is opened, and shown at any of them, without reading all of it', { timeout: 120_000 * slowness }, () => {
  const { folder, remove } = temporaryFolder();
  const journal = Journal.open(join(folder, 'runs.db'));
  try {
    const runId = createRun(journal, { n: 0 });
    const recorder = recorderOf(journal, runId, 'one');
    for (let seq = 1; seq <= length; seq += 1) recorder.commit(stepRecord(seq, { n: seq, text: `what step ${seq} made` }));
    recorder.flush();
    recorder.close();

    const opened = Array.from({ length: 5 }, () =>
      processorTime(() => {
        const detail = detailOf(journal, runId, Date.now());
        expect(detail.timeline).toMatchObject({ total: length, from: length - 499 });
        expect(detail.current.tallies).toEqual({ A: { count: length, turns: 0, tokens: 0, duration_ms: length } });
      }),
    );
    const random = seededRandom(7);
    const jumped = Array.from({ length: 50 }, () => {
      const seq = 1 + Math.floor(random() * length);
      return processorTime(() => {
        const at = stateAt(journal, runId, seq);
        expect(at).toMatchObject({ seq, states: [{ value: { n: seq }, previous: { n: seq - 1 } }], tallies: { A: { count: seq } } });
        expect(timelineOf(journal, runId, seq, 500).entries[0]).toMatchObject({ seq, produced: ['A'] });
      });
    });
    const browsed = Array.from({ length: 50 }, () => {
      const index = 1 + Math.floor(random() * (length - 100));
      const subject = { run_id: runId, node: 'A', nested: false };
      return processorTime(() => {
        const { total, iterations } = iterationsOf(journal, { ...subject, from: index, limit: 50 });
        expect(total).toBe(length);
        expect(iterations.map(({ to_seq }) => to_seq)).toEqual(Array.from({ length: 50 }, (_, at) => index + at));
        expect(iterationOf(journal, { ...subject, index }).iteration).toMatchObject({ from_seq: index, output: [{ value: { n: index } }] });
        expect(iterationOf(journal, { ...subject, seq: index }).iteration?.index).toBe(index);
      });
    });
    process.stdout.write(`Iterations of a run of ${length} steps: ${median(browsed).toFixed(1)} ms (median).\n`);
    const timings = `opened in ${median(opened).toFixed(1)} ms, shown at a step in ${median(jumped).toFixed(1)} ms (medians; at most ${Math.max(...jumped).toFixed(1)})`;
    process.stdout.write(`A run of ${length} steps: ${timings}.\n`);
    expect(median(opened)).toBeLessThan(patience);
    expect(median(jumped)).toBeLessThan(patience);
    expect(median(browsed)).toBeLessThan(patience);
  } finally {
    journal.close();
    remove();
  }
});
