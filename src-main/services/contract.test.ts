import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { servePort } from '#main/services/serve-port.ts';
import { createServices } from '#main/services/services.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { contractChecks } from '#shared/contract/contract-checks.ts';
import type { contract } from '#shared/contract/index.ts';
import { type ListenTo, readingPort, servingPort } from '#shared/contract/text-port.ts';

const listenTo =
  (port: MessagePort): ListenTo =>
  (name, listener) =>
    port.on(name, (data: unknown) => listener({ data }));

/** Real services behind a pair of ports in memory. */
async function connected() {
  const profile = await temporaryProfile();
  onTestFinished(() => profile[Symbol.asyncDispose]());
  const services = createServices({ host: 'web', notice: null }, { folder: profile.root });
  const { port1, port2 } = new MessageChannel();
  const serving = servingPort(port1, listenTo(port1));
  servePort(services.router, serving);
  const reading = readingPort(port2, listenTo(port2));
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port: reading }));
  onTestFinished(async () => {
    reading.close();
    await services.close();
  });
  return { client, serving, reading };
}

describe('over a pair of ports in memory', () => {
  test.each(contractChecks)('$title', async ({ run }) => {
    await run((await connected()).client);
  });

  test('a stream waits for a reader that takes nothing', async () => {
    const { client, serving } = await connected();
    let room = false;
    const stream = await client.app.heartbeat({ interval_ms: 10 });
    await stream.next();
    for (let sent = 0; sent < 300; sent += 1) serving.postMessage('{"i":"none","t":3,"p":{}}');
    void serving.drained().then(() => {
      room = true;
    });
    expect(room).toBe(false);
    await stream.next();
    await expect.poll(() => room).toBe(true);
  });

  test('messages that are no calls change nothing', async () => {
    const { client, reading } = await connected();
    for (const text of [
      '',
      'null',
      '{}',
      '[]',
      '{"i":1}',
      '{"i":"1","p":null}',
      '{"i":"1","p":{"u":"x"}}',
      '{"i":"1","t":3,"p":{}}',
      '+x',
    ]) {
      reading.postMessage(text);
    }
    await client.app.info();
  });
});
