import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Caller, countFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { slowness } from '#main/testing/slowness.ts';

/** Readers of one run, of whom every tenth breaks its connection again and again, and every fiftieth reads nothing. */
const readers = process.env.PRAVAH_SOAK ? 1000 : 300;
/** Numbers that the run counts; each is two steps of two events. */
const counted = 250;

/** Opens a stream. Does not read it. */
function open(caller: Caller, run: string, after: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${caller.token}`, ...(after && { 'last-event-id': after }) };
  return new Promise((done, fail) => {
    get(`${caller.url}/v1/runs/${run}/sse`, { headers, agent: false }, done).on('error', fail);
  });
}

/** Reads a stream to its end, and connects again after each `breakAfter` events. Returns what it read of each step. */
async function readAll(caller: Caller, run: string, breakAfter: number): Promise<string[]> {
  const all: string[] = [];
  for (let after = ''; ; ) {
    const response = await open(caller, run, after);
    if (response.statusCode === 204) return all;
    let text = '';
    let events = 0;
    let ended = false;
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const event of whole) {
        const [, id] = /^id: (.*)$/m.exec(event) ?? [];
        const [, name] = /^event: (.*)$/m.exec(event) ?? [];
        if (id !== undefined) after = id;
        if (name === 'node_enter' || name === 'node_exit') all.push(`${id} ${name}`);
        if (name === 'disconnecting') ended = event.includes('"ended"');
        events += 1;
        if (events === breakAfter) break;
      }
      if (events >= breakAfter) break;
    }
    response.destroy();
    if (ended) return all;
  }
}

/** Resolves to what all read. After a minute it rejects, and says what the run did and who still reads. */
async function allOf(reading: readonly Promise<string[]>[], statusOf: () => Promise<string>): Promise<string[][]> {
  const unfinished = new Set(reading.keys());
  for (const [index, one] of reading.entries()) {
    const done = () => unfinished.delete(index);
    // A reader that is left behind loses its server with the end of the test.
    one.then(done, done);
  }
  const late = new AbortController();
  const tooLong = wait(60_000 * slowness, undefined, { signal: late.signal }).then(async () => {
    throw new Error(`${unfinished.size} of ${reading.length} still read, the first is ${[...unfinished][0]}: ${await statusOf()}`);
  });
  try {
    return await Promise.race([Promise.all(reading), tooLong]);
  } finally {
    late.abort();
    tooLong.catch(() => undefined);
  }
}

it(`${readers} readers of a run each receive every event once and in order, whatever the others do`, { timeout: 300_000 }, async () => {
  await using server = await TestServer.start({ 'count.flow.yaml': countFlow });
  const callers = await Promise.all(Array.from({ length: Math.ceil(readers / 50) }, () => server.caller('read', 'run')));
  const callerOf = (reader: number) => callers[reader % callers.length] as Caller;
  const started = await callerOf(0).post('/v1/runs', { flow: 'count.flow.yaml', input: { n: 0, to: counted }, paused: true });
  const run = String(started.body.run_id);
  const stalled = await Promise.all(Array.from({ length: readers / 50 }, (_, index) => open(callerOf(index), run, '')));
  const reading = Array.from({ length: readers }, (_, index) =>
    readAll(callerOf(index), run, index % 10 === 0 ? 101 : Number.POSITIVE_INFINITY),
  );
  expect(await callerOf(0).post(`/v1/runs/${run}/continue`)).toMatchObject({ status: 202 });
  const received = await allOf(reading, async () => JSON.stringify((await callerOf(0).get(`/v1/runs/${run}`)).body));
  const [first = []] = received;
  expect(first).toHaveLength(2 * (2 * counted + 1));
  expect(new Set(first).size).toBe(first.length);
  for (const each of received) expect(each).toEqual(first);
  for (const response of stalled) response.destroy();
});
