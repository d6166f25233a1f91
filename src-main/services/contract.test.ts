import { describe, expect, onTestFinished, test } from 'vitest';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { contractChecks } from '#shared/contract/contract-checks.ts';

async function connected() {
  const { folder } = await temporaryPlaces(onTestFinished);
  return startStudio(onTestFinished, folder);
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

  test('messages that are not calls change nothing', async () => {
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
