import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPage } from '#main/hosts/web/testing/browser.ts';
import { startHost } from '#main/hosts/web/testing/started-host.ts';
import { contractChecks } from '#shared/contract/contract-checks.ts';
import { type HttpExchange, linesOf, openHttpTextPort } from '#shared/contract/http-text-port.ts';
import type { contract } from '#shared/contract/index.ts';

/** A page's requests, made from here. */
function exchangeWith(port: number, headers: Readonly<Record<string, string>>): HttpExchange {
  const post = async (path: string, init: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, ...init });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  return {
    async open(path) {
      const abort = new AbortController();
      const { body } = await post(path, { signal: abort.signal });
      if (!body) throw new Error('no body');
      return { lines: linesOf(body.pipeThrough(new TextDecoderStream())), cancel: () => abort.abort() };
    },
    async send(path, body) {
      await post(path, { body });
    },
  };
}

async function connected() {
  const host = await startHost(onTestFinished);
  const { callHeaders } = await openPage(host.port, host.newUrl());
  const port = await openHttpTextPort(exchangeWith(host.port, callHeaders));
  onTestFinished(() => port.close());
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port }));
  return { host, client, port };
}

describe('over HTTP', () => {
  test.each(contractChecks)('$title', async ({ run }) => {
    await run((await connected()).client);
  });

  test('a call and a stream fail when the host ends under them, and the page learns it', async () => {
    const { host, client, port } = await connected();
    let closed = 0;
    port.on('close', () => {
      closed += 1;
    });
    const stream = await client.app.heartbeat({ interval_ms: 60_000 });
    await stream.next();
    const next = stream.next().then(
      () => 'item',
      () => 'failed',
    );
    await host.close();
    expect(await next).toBe('failed');
    await expect(client.app.info()).rejects.toThrow();
    expect(closed).toBe(1);
  });
});
