import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import type { Json } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { Journal } from './journal.ts';
import { RunReader } from './run-reader.ts';
import { createRun, noControl, recorderOf, stepRecord, temporaryFolder } from './testing.ts';

const { folder, remove } = temporaryFolder();
let journal: Journal;
beforeAll(() => {
  journal = Journal.open(join(folder, 'runs.db'));
});
afterAll(() => {
  journal.close();
  remove();
});

const name = fc.constantFrom('A', 'B', 'C', 'D');
const change = fc.record({
  consumed: fc.uniqueArray(name, { maxLength: 2 }),
  produced: fc.uniqueArray(fc.tuple(name, fc.oneof(fc.nat(), fc.constant('long '.repeat(1000)))), {
    maxLength: 3,
    selector: ([one]) => one,
  }),
  tokens: fc.nat(3),
  agent: fc.option(fc.nat(5), { nil: undefined }),
  pure: fc.boolean(),
});

/** The obvious fold: a list that every step copies. */
function follow(states: readonly (readonly [string, Json])[], step: StepRecord): [string, Json][] {
  const gone = new Set([...step.consumed, ...step.produced.map((state) => state.name)]);
  return [
    ...states.filter(([one]) => !gone.has(one)).map(([one, value]): [string, Json] => [one, value]),
    ...step.produced.map((state): [string, Json] => [state.name, state.value]),
  ];
}

test('every record of a run is read back as it was written, however the run went', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 150 }), (changes) => {
      const runId = createRun(journal, 'input');
      const recorder = recorderOf(journal, runId, 'one');
      let states: [string, Json][] = [['A', 'input']];
      let control: Control = noControl;
      const expected = [{ states, control }];
      changes.forEach(({ consumed: some, produced, tokens, agent, pure }, index) => {
        // A state is never produced while one of its name waits.
        const consumed = [...new Set([...some, ...produced.map(([one]) => one)])];
        const turn = { phase: 'reason', turn: agent ?? 0, attempts: 0, pending: [], seconds: 0, tainted: false, history_start: 0 } as const;
        control = {
          ...control,
          agents: agent === undefined ? {} : { A: turn },
          counters: { ...control.counters, steps: index + 1, tokens: control.counters.tokens + tokens },
        };
        const step = stepRecord(index + 1, 0, {
          consumed,
          produced: produced.map(([one, value]) => ({ name: one, value })),
          control,
          pure,
        });
        states = follow(states, step);
        expected.push({ states, control });
        recorder.commit(step);
      });
      recorder.flush();
      recorder.close();
      const reader = new RunReader(journal, journal.row(runId));
      expect(reader.row.tokens).toBe(control.counters.tokens);
      expected.forEach((was, seq) => {
        const folded = reader.foldAt(seq);
        expect([...folded.states.values()].map((state) => [state.name, state.value])).toEqual(was.states);
        expect(folded.control).toEqual(was.control);
      });
      expect(reader.timeline().map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
    }),
    { seed: 5, numRuns: 25 },
  );
});

test('conversations are read up to any record, each agent by itself', () => {
  const runId = createRun(journal, 0);
  const recorder = recorderOf(journal, runId, 'one');
  const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
  recorder.commit(stepRecord(1, 0, { history: { A: [said('one'), said('two')] } }));
  recorder.commit(stepRecord(2, 0, { history: { B: [said('other')] } }));
  recorder.commit(stepRecord(3, 0, { history: { A: [said('three')] }, pure: false }));
  const reader = new RunReader(journal, journal.row(runId));
  expect(reader.conversation('A', 2)).toEqual([said('one'), said('two')]);
  expect(reader.history()).toEqual({ A: [said('one'), said('two'), said('three')], B: [said('other')] });
});
