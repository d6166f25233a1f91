import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { contractChecks } from '#shared/contract/contract-checks.ts';
import type { contract } from '#shared/contract/index.ts';
import { bridgedPort } from './fixtures/bridged-port.ts';
import { expect, test } from './fixtures/studio.ts';

test('a call and a stream reach the page through its host', async ({ studio }) => {
  const page = await studio.start();
  const pulse = page.locator('[data-beats]');
  await expect(pulse).toHaveAttribute('data-host', studio.host);
  await expect.poll(async () => Number(await pulse.getAttribute('data-beats'))).toBeGreaterThan(1);
});

test('the contract holds in a desktop window', async ({ studio }) => {
  test.skip(studio.host !== 'electron', 'over HTTP the same checks run in web/contract.test.ts');
  const page = await studio.start();
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port: await bridgedPort(page) }));
  for (const { title, run } of contractChecks) await test.step(title, () => run(client));
});
