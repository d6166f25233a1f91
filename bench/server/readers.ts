import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pacedFlow } from './flows.ts';
import { percentile, post } from './load.ts';
import { PacedModel } from './paced-model.ts';
import { startPravah } from './started-server.ts';

/** Of 1,000 readers of a run's events: 20 that read nothing, and 50 that connect again every second. */
const [healthy, stalled, reconnecting] = [930, 20, 50];
/** Rounds of the run, of seven events each, and how many milliseconds each takes: 504 events at 50 a second. */
const [rounds, roundTime] = [72, 140];
/** Streams of one token. */
const streams = 40;

export interface ReadersResult {
  /** From the commit of a step until a reader has its last event, in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Readers that received each event once and in order. */
  readonly complete: number;
  readonly readers: number;
  /** What the server's memory grew by at most, in MB. */
  readonly memory: number;
  /** Events in a second that the run really made. */
  readonly rate: number;
}

/** Has 1,000 readers read the events of a run as it happens. */
export async function measureReaders(): Promise<ReadersResult> {
  const model = await PacedModel.start(roundTime);
  const flows = { 'paced.flow.yaml': pacedFlow(model.port, rounds) };
  const { server, tokens } = await startPravah(flows, Math.ceil((healthy + stalled + reconnecting) / streams));
  using _server = server;
  const [token = ''] = tokens;
  const body = JSON.stringify({ flow: 'paced.flow.yaml', input: { n: 0 }, paused: true });
  const started = await post({ url: `${server.url}/v1/runs`, token, body });
  if (started.status !== 201) throw new Error(`The run did not start: ${started.body}`);
  const { run_id: run } = JSON.parse(started.body) as { readonly run_id: string };
  const before = server.memory;
  const open = (at: number, after: string) => openStream(`${server.url}/v1/runs/${run}/sse`, tokens[at % tokens.length] ?? '', after);
  const idle = await Promise.all(Array.from({ length: stalled }, (_, at) => open(at, '')));
  const readers = Array.from({ length: healthy + reconnecting }, (_, at) => new Reader((after) => open(at, after), at < reconnecting));
  await Promise.all(readers.map((reader) => reader.connect()));
  let memory = server.memory - before;
  const watching = setInterval(() => {
    memory = Math.max(memory, server.memory - before);
  }, 250);
  const began = performance.now();
  await post({ url: `${server.url}/v1/runs/${run}/continue`, token, body: '{}' });
  const last = 2 * rounds + 1;
  const slowest = () => readers.some((reader) => reader.seq < last);
  for (let waited = 0; waited < 600 && readers.every((reader) => reader.seq < last); waited += 1) await wait(50);
  const rate = (7 * rounds * 1000) / (performance.now() - began);
  for (let waited = 0; waited < 300 && slowest(); waited += 1) await wait(100);
  clearInterval(watching);
  for (const reader of readers) reader.close();
  for (const response of idle) response.destroy();
  model.close();
  const late = readers.slice(reconnecting).flatMap((reader) => reader.delays);
  const complete = readers.filter((reader) => reader.isComplete(last)).length;
  return { p50: percentile(late, 0.5), p95: percentile(late, 0.95), complete, readers: readers.length, memory, rate };
}

function openStream(url: string, token: string, after: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, ...(after && { 'last-event-id': after }) };
  return new Promise((done, fail) => {
    get(url, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) done(response);
      else fail(new Error(`A stream was answered with ${response.statusCode}.`));
    }).on('error', fail);
  });
}

class Reader {
  readonly delays: number[] = [];
  readonly #open: (after: string) => Promise<IncomingMessage>;
  readonly #reconnects: boolean;
  readonly #ended: string[] = [];
  #after = '';
  #text = '';
  #response: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(open: (after: string) => Promise<IncomingMessage>, reconnects: boolean) {
    this.#open = open;
    this.#reconnects = reconnects;
  }

  /** The last record whose end it has. */
  get seq(): number {
    return Number(this.#ended.at(-1)?.split('.')[0] ?? 0);
  }

  /** Whether it has the end of each record up to this one, once and in order. */
  isComplete(last: number): boolean {
    return this.#ended.length === last && this.#ended.every((id, at) => Number(id.split('.')[0]) === at + 1);
  }

  async connect(): Promise<void> {
    const response = await this.#open(this.#after);
    this.#text = '';
    this.#response = response;
    response.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    response.on('error', () => undefined);
    if (!this.#reconnects) return;
    this.#timer = setTimeout(() => {
      response.destroy();
      if (!this.#closed) void this.connect().catch(() => undefined);
    }, 1000);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#response?.destroy();
  }

  #take(chunk: string): void {
    if (this.#response?.destroyed) return;
    const now = Date.now();
    const whole = (this.#text + chunk).split('\n\n');
    this.#text = whole.pop() ?? '';
    for (const event of whole) {
      if (!event.startsWith('id: ')) continue;
      const id = event.slice(4, event.indexOf('\n'));
      this.#after = id;
      if (!event.includes('event: node_exit')) continue;
      const [, timestamp] = /"timestamp":(\d+)/.exec(event) ?? [];
      this.delays.push(now - Number(timestamp));
      this.#ended.push(id);
    }
  }
}
