// npm run bench -- server [--part readers|throughput|step] [--seconds N] [--rounds N]: pravah serve under load, beside the servers of Mastra and LangGraph.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { addFlow, countFlow } from './server/flows.ts';
import { type Measured, percentile, post, underLoad } from './server/load.ts';
import { startLangGraph, startMastra } from './server/peer-servers.ts';
import { measureReaders } from './server/readers.ts';
import { startPravah } from './server/started-server.ts';

const { values } = parseArgs({
  options: { part: { type: 'string' }, seconds: { type: 'string', default: '60' }, rounds: { type: 'string', default: '1' } },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
/** Clients at once. */
const clients = 32;
/** Steps that are timed. */
const timedSteps = 300;

/** Runs of three nodes, completed in a second. Each client waits for the end of its run. */
async function throughput(): Promise<void> {
  const { server, tokens } = await startPravah({ 'add.flow.yaml': addFlow });
  using _ours = server;
  using mastra = await startMastra();
  using langGraph = await startLangGraph();
  const body = (value: object) => JSON.stringify(value);
  const done = (status: number, text: string) => status < 300 && text.includes('"n":4');
  const calls = {
    pravah: {
      url: `${server.url}/v1/runs?wait=60`,
      token: tokens[0] ?? '',
      body: body({ flow: 'add.flow.yaml', input: { n: 1 } }),
      succeeded: done,
    },
    Mastra: { url: `${mastra.url}/api/workflows/add/start-async`, body: body({ inputData: { n: 1 } }), succeeded: done },
    LangGraph: { url: `${langGraph.url}/runs/wait`, body: body({ assistant_id: 'add', input: { n: 1 } }), succeeded: done },
  };
  const entries = Object.entries(calls);
  for (const [, call] of entries) await underLoad(call, 4, 2);
  for (let round = 0; round < rounds; round += 1)
    for (let at = 0; at < entries.length; at += 1) {
      const [name, call] = entries[(at + round) % entries.length] as (typeof entries)[number];
      print(`${name}, ${clients} clients, ${seconds} s`, await underLoad(call, clients, seconds));
    }
}

/** One step of a remote run: until the answer with the new states is there. */
async function remoteStep(): Promise<void> {
  const { server, tokens } = await startPravah({ 'count.flow.yaml': countFlow });
  using _server = server;
  const [token = ''] = tokens;
  const flow = JSON.stringify({ flow: 'count.flow.yaml', input: { n: 0 }, paused: true });
  const { run_id: run } = JSON.parse((await post({ url: `${server.url}/v1/runs`, token, body: flow })).body) as { readonly run_id: string };
  const times: number[] = [];
  for (let made = 0; made < timedSteps; made += 1) {
    const start = performance.now();
    const { status } = await post({ url: `${server.url}/v1/runs/${run}/step`, token, body: '{}' });
    if (status !== 200) throw new Error(`A step was answered with ${status}.`);
    if (made > 0) times.push(performance.now() - start);
  }
  console.log(`remote step: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms (${load()})`);
}

async function readers(): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const { p50, p95, complete, readers: all, memory, rate } = await measureReaders();
    console.log(
      `1,000 readers, ${rate.toFixed(0)} events/s: p50 ${p50} ms, p95 ${p95} ms from commit; ${complete} of ${all} complete; + ${memory.toFixed(0)} MB (${load()})`,
    );
  }
}

function print(name: string, { perSecond, p50, p95, failed }: Measured): void {
  console.log(`${name}: ${perSecond.toFixed(1)} runs/s, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ${failed} failed (${load()})`);
}

function load(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}

const parts: Readonly<Record<string, () => Promise<void>>> = { step: remoteStep, readers, throughput };
for (const [name, part] of Object.entries(parts)) if (values.part === undefined || values.part === name) await part();
