// Pravah as a peer of the harness: handlers return at once, as XState's do. Runs in a scratch copy of the harness, in its folder peers/.
import { createContext, defineFlow, FlowRuntime, jsonSchema, left, openJournal, right, state } from 'pravah-studio/runtime';
import { initial } from '../lib/common.mjs';

export const meta = { title: 'Pravah', packages: [], durableModes: ['pure', 'effect'] };

// #region user:chain
const ctx = await createContext();
const Count = jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] });
const finish = async (run) => {
  for (let step = await run.next(ctx); ; step = await run.next(ctx)) if (step.type === 'done') return step.output;
};
const chainOf = (n, options) => {
  const states = Array.from({ length: n + 1 }, (_, k) => state(`S${k}`, Count));
  const begun = defineFlow({ input: states[0], output: states[n], limits: { steps: n } });
  return states
    .slice(1)
    .reduce((flow, to, k) => flow.work(states[k], to, (s) => ({ ...s, i: s.i + 1 }), options), begun)
    .build();
};
export async function chain(n, bytes) {
  const flow = chainOf(n);
  return { run: () => finish(FlowRuntime.new(flow, initial(bytes))) };
}
// #endregion

// #region user:loop
export async function loop(k) {
  const [Work, Either, Done] = ['Work', 'Either', 'Done'].map((name) => state(name, Count));
  const flow = defineFlow({ input: Work, output: Done, limits: { steps: 2 * k } })
    .work(Work, Either, (s) => ({ i: s.i + 1 }))
    .either(Either, [Work, Done], (s) => (s.i < k ? left(s) : right(s)))
    .build();
  return { run: () => finish(FlowRuntime.new(flow, { i: 0 })) };
}
// #endregion

// #region user:forkJoin
export async function forkJoin() {
  const [Start, A, B, A2, B2, Done] = ['Start', 'A', 'B', 'A2', 'B2', 'Done'].map((name) => state(name, Count));
  const flow = defineFlow({ input: Start, output: Done })
    .fork(Start, [A, B])
    .work(A, A2, () => ({ i: 1 }))
    .work(B, B2, () => ({ i: 1 }))
    .join([A2, B2], Done, (a, b) => ({ i: a.i + b.i }))
    .build();
  return { run: () => finish(FlowRuntime.new(flow, { i: 0 })) };
}
// #endregion

// #region user:durableChain
export async function durableChain(n, bytes, dir, mode) {
  const journal = await openJournal(`${dir}/pravah.db`);
  const flow = chainOf(n, { pure: mode === 'pure' });
  return { run: () => finish(journal.start(flow, initial(bytes))), close: async () => journal.close() };
}
// #endregion
