// node bench/parallel.ts [ROUNDS]: how long a run takes whose model calls overlap, in milliseconds, and what working ahead costs a chain of 1,000 nodes in
// which nothing can overlap, in processor time.
import { agentLoop } from '#main/agents/agent-loop.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { each, flowOf, fork, join, type NodeSketch, pure, quietContext, work } from '#main/engine/testing/flows.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

/** A model that answers after `duration` milliseconds. */
const slow = (duration: number): ModelClient => ({
  complete: async () => {
    await new Promise((resolve) => setTimeout(resolve, duration));
    return {
      message: { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      finish_reason: 'stop',
      usage: { tokens_in: 1, tokens_out: 1 },
    };
  },
});

const agent = (from: string, to: string): NodeSketch => ({
  kind: 'agent',
  from: [from],
  to: [to],
  body: { type: 'agent', agent: { model: 'slow://x', mode: 'chat' } },
});

/** A fork into this many agents, joined again. */
function branches(count: number): FlowGraph {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const joins = numbers.slice(1).map((at) => {
    const last = at === 1 ? 'R0' : `J${at - 1}`;
    return join(
      [last, `R${at}`],
      at === count - 1 ? 'Z' : `J${at}`,
      pure((one: Json, other: Json) => [one, other]),
    );
  });
  return flowOf([
    fork(
      'A',
      numbers.map((at) => `B${at}`),
    ),
    ...numbers.map((at) => agent(`B${at}`, `R${at}`)),
    ...joins,
  ]);
}

const list = each('L', 'M', flowOf([agent('I', 'O')]));
const items = flowOf([{ ...list, body: { ...list.body, parallel: 10 } as NodeSketch['body'] }]);
const cases: readonly (readonly [string, FlowGraph, Json, number])[] = [
  ['5 branches of 300 ms', branches(5), {}, 300],
  ['a fork of 2 of 300 ms', branches(2), {}, 300],
  ['20 items of 100 ms, 10 at once', items, Array.from({ length: 20 }, (_, n) => n), 100],
];
const rounds = Number(process.argv[2] ?? 5);
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

for (const [name, graph, input, duration] of cases) {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    await FlowRuntime.new<unknown>(graph, input).toEnd(quietContext({ models: () => slow(duration), agentLoop }));
    // The first round loads the agent loop.
    if (round > 0) times.push(performance.now() - started);
  }
  console.log(`${name}: ${middle(times).toFixed(0)} ms`);
}

const chain = flowOf(
  Array.from({ length: 1000 }, (_, n) =>
    work(
      `S${n}`,
      `S${n + 1}`,
      pure(({ i }: { i: number }) => ({ i: i + 1 })),
    ),
  ),
  { limits: { steps: 2000 } },
);
const ratios: number[] = [];
for (let round = 0; round < rounds * 3; round += 1) {
  const sample = async (ahead: number): Promise<number> => {
    const graph = { ...chain, parallel: { ahead } };
    // The clock of processor time may be as coarse as 10 ms.
    const runs = Array.from({ length: 100 }, () => FlowRuntime.new<unknown>(graph, { i: 0 }));
    const ctx = quietContext();
    const before = process.threadCpuUsage();
    for (const run of runs) await run.toEnd(ctx);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const alone = await sample(1);
  ratios.push((await sample(8)) / alone);
}
console.log(`a chain of 1,000 with ahead 8, to one with ahead 1: ${middle(ratios).toFixed(3)}`);
