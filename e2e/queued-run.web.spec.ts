import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defaultRunSlots } from '#main/services/runs/run-registry.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = (name: string, port: number) => `pravah: 1
name: ${name}
input: Question
output: Answer
schemas: { Question: { type: object }, Answer: { type: string } }
nodes:
  - kind: agent
    title: Answer it
    from: Question
    to: Answer
    agent: { model: "ollama://127.0.0.1:${port}/silent", preamble: Answer. }
`;

/** A model server that accepts requests and never replies. */
async function silentServer(): Promise<Server & AsyncDisposable> {
  const server = createServer((request) => request.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

test('a run beyond the limit of simultaneous runs is queued, says so, and starts when another run stops', async ({ studio }) => {
  test.skip(availableParallelism() > 12, 'Filling every slot of a machine with more than 12 cores takes too long.');
  test.slow(); // Starts as many runs as the machine takes.
  await using server = await silentServer();
  const { port } = server.address() as AddressInfo;
  const names = Array.from({ length: defaultRunSlots + 1 }, (_, index) => `flow-${index + 1}`);
  for (const name of names) await writeFile(join(studio.folder, `${name}.flow.yaml`), flow(name, port));
  const window = new StudioPage(await studio.start());
  const show = (name: string) => window.page.getByTitle(`${name}.flow.yaml: click to open`).click();
  for (const name of names) {
    await show(name);
    await expect(window.page.getByText(`${name}.flow.yaml`, { exact: true }).first()).toBeVisible();
    await window.run();
    await expect(window.runStatus).toHaveText(name === names.at(-1) ? 'queued' : 'running');
  }
  await expect(window.page.getByText('Queued: the run starts when another one pauses or ends.').first()).toBeVisible();
  await show(names[0] ?? '');
  await expect(window.runStatus).toHaveText('running');
  await window.page.keyboard.press('Shift+F5');
  await expect(window.runStatus).toHaveText('stopped');
  await show(names.at(-1) ?? '');
  await expect(window.runStatus).toHaveText('running');
});
