// The cases of parallel.ts with other libraries: programs that run each case twice and print, as JSON, the milliseconds of the second run.

/** A case: steps that wait, beside each other, at most `atOnce` at a time. */
export interface ParallelCase {
  readonly count: number;
  readonly duration: number;
  readonly atOnce: number;
}

const measured = `
const times = [];
for (const one of CASES) {
  const run = await make(one);
  await run();
  const start = performance.now();
  await run();
  times.push(performance.now() - start);
}
console.log(JSON.stringify(times));
`;

const programs = {
  'LangGraph.js': `
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph';
import { setTimeout as pause } from 'node:timers/promises';
const make = async ({ count, duration, atOnce }) => {
  const State = Annotation.Root({ done: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }) });
  const wait = async () => { await pause(duration); return { done: ['done'] }; };
  const numbers = Array.from({ length: count }, (_, index) => index);
  const graph = new StateGraph(State);
  if (atOnce < count) graph.addNode('item', wait).addConditionalEdges(START, () => numbers.map(() => new Send('item', {})), ['item']).addEdge('item', END);
  else {
    for (const at of numbers) graph.addNode('b' + at, wait).addEdge(START, 'b' + at);
    graph.addNode('join', async () => ({})).addEdge(numbers.map((at) => 'b' + at), 'join').addEdge('join', END);
  }
  const app = graph.compile();
  return async () => {
    const { done } = await app.invoke({}, { maxConcurrency: atOnce });
    if (done.length !== count) throw new Error(done.length + ' results');
  };
};
`,
  Mastra: `
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
const make = async ({ count, duration, atOnce }) => {
  const wait = (id) => createStep({ id, inputSchema: z.any(), outputSchema: z.string(), execute: async () => { await pause(duration); return 'done'; } });
  const numbers = Array.from({ length: count }, (_, index) => index);
  const flow = createWorkflow({ id: 'p', inputSchema: z.any(), outputSchema: z.any() });
  const built = atOnce < count ? flow.foreach(wait('item'), { concurrency: atOnce }) : flow.parallel(numbers.map((at) => wait('b' + at)));
  const workflow = built.commit();
  return async () => {
    const { status, result } = await (await workflow.createRun()).start({ inputData: atOnce < count ? numbers : {} });
    if (status !== 'success' || Object.keys(result).length !== count) throw new Error(status);
  };
};
`,
} as const;

/** The program of each library. */
export function peerPrograms(cases: readonly ParallelCase[]): [name: string, program: string][] {
  return Object.entries(programs).map(([name, program]) => [name, program + measured.replace('CASES', JSON.stringify(cases))]);
}
