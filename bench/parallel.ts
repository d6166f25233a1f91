// npm run bench -- parallel [--rounds N] [--peers DIR] [--alone]: how long a run takes whose model calls overlap, in milliseconds, beside LangGraph.js and
// Mastra in the same round, and what working ahead costs a chain of 1,000 nodes in which nothing can overlap, in processor time.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { agentLoop } from '#main/agents/agent-loop.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import { each, flowOf, fork, join, type NodeSketch, pure, quietContext, work } from '#main/engine/testing/flows.ts';
import manifest from '#package' with { type: 'json' };
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { type ParallelCase, peerPrograms } from './parallel-peers.ts';
import { PeersFolder, spread } from './peers-folder.ts';

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
const cases: readonly (readonly [string, FlowGraph, Json, ParallelCase])[] = [
  ['5 branches of 300 ms', branches(5), {}, { count: 5, duration: 300, atOnce: 5 }],
  ['a fork of 2 of 300 ms', branches(2), {}, { count: 2, duration: 300, atOnce: 2 }],
  ['20 items of 100 ms, 10 at once', items, Array.from({ length: 20 }, (_, n) => n), { count: 20, duration: 100, atOnce: 10 }],
];
const options = {
  rounds: { type: 'string', default: '5' },
  peers: { type: 'string' },
  alone: { type: 'boolean', default: false },
} as const;
const { values } = parseArgs({ options });
const rounds = Number(values.rounds);

/** Milliseconds of each case, the second time: the first run loads the agent loop. */
async function ours(): Promise<number[]> {
  const times: number[] = [];
  for (const [, graph, input, { duration }] of cases) {
    const run = () => FlowRuntime.new<unknown>(graph, input).toEnd(quietContext({ models: () => slow(duration), agentLoop }));
    await run();
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

const packages = ['@mastra/core@1.71.0', '@langchain/langgraph@1.7.3', '@langchain/core@1.4.0', `zod@${manifest.dependencies.zod}`];
using peers = values.alone ? null : new PeersFolder(packages, values.peers);
const programs = peers ? peerPrograms(cases.map(([, , , one]) => one)) : [];
const samples = new Map<string, number[][]>();
for (let round = 0; round < rounds; round += 1) {
  const take = (name: string, times: number[]) => samples.set(name, [...(samples.get(name) ?? []), times]);
  take('Pravah', await ours());
  for (const [name, program] of programs) {
    const { status, stdout, stderr } = (peers as PeersFolder).run(program);
    if (status !== 0) throw new Error(`The program of ${name} failed: ${stderr || stdout}`);
    take(name, JSON.parse(stdout.split('\n').at(-1) ?? '') as number[]);
  }
}
console.log(`${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} at the end. Medians with ranges.`);
for (const [at, [name]] of cases.entries()) {
  const of = (peer: string) => (samples.get(peer) ?? []).map((times) => times[at] ?? Number.NaN);
  const own = of('Pravah');
  console.log(`${name}: ${spread(own, 0, 'ms')}`);
  for (const [peer] of programs) {
    const ratios = of(peer).map((time, round) => (own[round] ?? Number.NaN) / time);
    console.log(`  ${peer}: ${spread(of(peer), 0, 'ms')}; ours to it ${spread(ratios, 3, '×')}`);
  }
}

const middle = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
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
