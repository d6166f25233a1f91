import { Agent, request } from 'node:http';

/** What clients at once have measured. Times are in milliseconds. */
export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly failed: number;
}

export interface Call {
  readonly url: string;
  readonly token?: string;
  readonly body: string;
  /** Whether an answer says that what was asked for is done. */
  readonly succeeded: (status: number, body: string) => boolean;
}

/** Makes a call by this many clients, each as fast as it gets answers, for this time. */
export async function underLoad(call: Call, clients: number, seconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let failed = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const client = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      const { status, body } = await post(call, agent);
      if (!call.succeeded(status, body)) failed += 1;
      else if (performance.now() < until) times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p95: percentile(times, 0.95), failed };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Sends JSON and reads the answer. */
export function post(
  { url, token, body }: Pick<Call, 'url' | 'token' | 'body'>,
  agent?: Agent,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((done, fail) => {
    const sent = request(url, { method: 'POST', headers, ...(agent && { agent }) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, body: text }));
      response.on('error', fail);
    });
    sent.on('error', fail).end(body);
  });
}
