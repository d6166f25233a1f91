// Pravah with asynchronous handlers, as Mastra's, LangGraph's and XState's invoked promises are. Runs in the harness copy's folder peers/.
import { createContext, defineFlow, FlowRuntime, jsonSchema, left, right, state } from 'pravah-studio/runtime';
import { initial } from '../lib/common.mjs';

export const meta = { title: 'Pravah, async handlers', packages: [] };

const ctx = await createContext();
const Count = jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] });
const finish = async (run) => {
  for (let step = await run.next(ctx); ; step = await run.next(ctx)) if (step.type === 'done') return step.output;
};

export async function chain(n, bytes) {
  const states = Array.from({ length: n + 1 }, (_, k) => state(`S${k}`, Count));
  const begun = defineFlow({ input: states[0], output: states[n], limits: { steps: n } });
  const flow = states.slice(1).reduce((flow, to, k) => flow.work(states[k], to, async (s) => ({ ...s, i: s.i + 1 })), begun);
  const built = flow.build();
  return { run: () => finish(FlowRuntime.new(built, initial(bytes))) };
}

export async function loop(k) {
  const [Work, Either, Done] = ['Work', 'Either', 'Done'].map((name) => state(name, Count));
  const flow = defineFlow({ input: Work, output: Done, limits: { steps: 2 * k } })
    .work(Work, Either, async (s) => ({ i: s.i + 1 }))
    .either(Either, [Work, Done], async (s) => (s.i < k ? left(s) : right(s)))
    .build();
  return { run: () => finish(FlowRuntime.new(flow, { i: 0 })) };
}

export async function forkJoin() {
  const [Start, A, B, A2, B2, Done] = ['Start', 'A', 'B', 'A2', 'B2', 'Done'].map((name) => state(name, Count));
  const flow = defineFlow({ input: Start, output: Done })
    .fork(Start, [A, B])
    .work(A, A2, async () => ({ i: 1 }))
    .work(B, B2, async () => ({ i: 1 }))
    .join([A2, B2], Done, async (a, b) => ({ i: a.i + b.i }))
    .build();
  return { run: () => finish(FlowRuntime.new(flow, { i: 0 })) };
}
