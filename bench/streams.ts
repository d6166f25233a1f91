// npm run bench -- streams [--rounds N] [--peers DIR]: reading the events of a run, beside callbacks, a bare model call and other libraries.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import manifest from '#package' with { type: 'json' };
import { Installed } from '#tests/package/installed.ts';
import { figureOf, PeersFolder, runProgram, spread } from './peers-folder.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, peers: { type: 'string' } } });
const rounds = Number(values.rounds);
const chunks = 100_000;
/** What a model takes for its first token, in milliseconds. */
const thinking = 200;

/** Milliseconds for the 100,000 events of a loop: read as a stream, or by a callback. */
const loop = (reading: string) => `
import { createContext, defineFlow, jsonSchema, left, right, state } from 'pravah';
const N = state('N', jsonSchema({ type: 'object' })), End = state('End', jsonSchema({ type: 'object' }));
const flow = defineFlow({ input: N, output: End, limits: { steps: 200000, seconds: 600 } })
  .either(N, [N, End], ({ n }) => (n < ${chunks / 2} ? left({ n: n + 1 }) : right({})), { pure: true })
  .build();
let events = 0;
const start = performance.now();
${reading}
if (events < ${chunks}) throw new Error(events + ' events');
console.log(performance.now() - start);
`;
const streamed = loop('for await (const _event of flow.start({ n: 0 }, await createContext()).stream()) events += 1;');
const calledBack = loop('const run = flow.start({ n: 0 }, await createContext({ onEvent: () => { events += 1; } }));\nawait run.toEnd();');

const usage = '{ inputTokens: { total: 1 }, outputTokens: { total: 1 } }';
const mockModel = (version: string) => `
const parts = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: 't' },
  ...Array.from({ length: ${chunks} }, () => ({ type: 'text-delta', id: 't', delta: 'word ' })),
  { type: 'text-end', id: 't' }, { type: 'finish', finishReason: { unified: 'stop' }, usage: ${usage} }];
const model = new MockLanguageModel${version}({ doStream: async () => ({ stream: convertArrayToReadableStream(parts) }) });
`;
/** Programs that read 100,000 chunks of a model's answer, or of a node's own stream, and print the milliseconds. */
const answers: Readonly<Record<string, string>> = {
  pravah: `
import { createContext, defineFlow, jsonSchema, state } from 'pravah';
import { scriptedModel } from 'pravah/testing';
const A = state('A', jsonSchema({ type: 'object' })), B = state('B', jsonSchema({ type: 'string' }));
const flow = defineFlow({ input: A, output: B }).agent(A, B, { model: 'openai://m', mode: 'chat', prompt: 'Hi' }).build();
const text = Array.from({ length: ${chunks} }, () => 'word ');
const ctx = await createContext({ models: () => scriptedModel([{ text }]) });
let read = 0;
const start = performance.now();
for await (const event of flow.start({}, ctx).stream()) if (event.type === 'message') read += event.content.length;
if (read < ${chunks * 5}) throw new Error(read + ' characters');
console.log(performance.now() - start);
`,
  'AI SDK': `
import { streamText } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
${mockModel('V4')}
const start = performance.now();
for await (const _text of streamText({ model, prompt: 'Hi' }).textStream);
console.log(performance.now() - start);
`,
  Mastra: `
import { Agent } from '@mastra/core/agent';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
${mockModel('V3')}
const agent = new Agent({ id: 's', name: 'S', instructions: 'Answer.', model });
const start = performance.now();
for await (const _text of (await agent.stream('Hi')).textStream);
console.log(performance.now() - start);
`,
  'LangGraph.js': `
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
const say = (_state, { writer }) => {
  for (let k = 0; k < ${chunks}; k++) writer('word ');
  return { n: 1 };
};
const graph = new StateGraph(Annotation.Root({ n: Annotation() })).addNode('say', say).addEdge(START, 'say').addEdge('say', END).compile();
const start = performance.now();
for await (const _chunk of await graph.stream({ n: 0 }, { streamMode: 'custom' }));
console.log(performance.now() - start);
`,
};

/** A model's server, in the process of the program that asks it: it thinks, says a token, and a second one later. */
const thinkingServer = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
const line = (event) => 'event: ' + event.type + '\\ndata: ' + JSON.stringify(event) + '\\n\\n';
const message = { id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] };
const server = createServer(async (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  await pause(${thinking});
  response.write(line({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hello', logprobs: [] }));
  await pause(50);
  response.write(line({ type: 'response.output_item.done', output_index: 0, item: message }));
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  response.end(line({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [message], usage } }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = 'http://127.0.0.1:' + server.address().port + '/v1';
`;
/** Milliseconds to the first token, the second time: of a bare client, and of an agent. */
const firstToken = {
  bare: `
import OpenAI from 'openai';
${thinkingServer}
const client = new OpenAI({ apiKey: 'x', baseURL: url });
const ask = async () => {
  const start = performance.now();
  let first;
  const stream = await client.responses.create({ model: 'm', stream: true, input: 'Hi' });
  for await (const _event of stream) first ??= performance.now() - start;
  return first;
};
await ask();
console.log(await ask());
process.exit();
`,
  agent: `
import { createContext, defineFlow, jsonSchema, state } from 'pravah';
${thinkingServer}
const A = state('A', jsonSchema({ type: 'object' })), B = state('B', jsonSchema({ type: 'string' }));
const flow = defineFlow({ input: A, output: B }).agent(A, B, { model: 'openai://m', mode: 'chat', prompt: 'Hi' }).build();
const ctx = await createContext({ env: { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: url }, allow_private: ['127.0.0.1'] });
const ask = async () => {
  const start = performance.now();
  let first;
  for await (const event of flow.start({}, ctx).stream()) {
    if (event.type === 'message') first ??= performance.now() - start;
    if (event.type === 'error') throw new Error(JSON.stringify(event));
  }
  return first;
};
await ask();
console.log(await ask());
process.exit();
`,
};

const zod = `zod@${manifest.dependencies.zod}`;
using library = new Installed('pravah', [zod, `openai@${manifest.dependencies.openai}`]);
using peers = new PeersFolder(
  ['ai@7.0.173', '@mastra/core@1.71.0', '@langchain/langgraph@1.7.3', '@langchain/core@1.4.0', zod],
  values.peers,
);
const samples = new Map<string, number[]>();
const sample = (name: string, folder: string, program: string) => {
  samples.set(name, [...(samples.get(name) ?? []), figureOf(runProgram(folder, program))]);
};
for (let round = 0; round < rounds; round += 1) {
  sample('streamed', library.folder, streamed);
  sample('called back', library.folder, calledBack);
  sample('bare token', library.folder, firstToken.bare);
  sample('agent token', library.folder, firstToken.agent);
  for (const [name, program] of Object.entries(answers)) sample(name, name === 'pravah' ? library.folder : peers.path, program);
}
const of = (name: string) => samples.get(name) ?? [];
const ratios = (name: string, other: string) => of(name).map((figure, round) => figure / (of(other)[round] ?? Number.NaN));
console.log(`${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)} at the end. Medians with ranges.`);
console.log(`100,000 events of a loop, as a stream to a callback: ${spread(ratios('streamed', 'called back'), 2, '×')}`);
console.log(`first token of an agent, to a bare client: ${spread(ratios('agent token', 'bare token'), 3, '×')}`);
for (const name of Object.keys(answers))
  console.log(`100,000 chunks of an answer, ${name}: ${spread(of(name), 0, 'ms')}, ${spread(ratios('pravah', name), 3, '×')}`);
