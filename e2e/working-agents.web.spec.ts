import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const agent = (title: string, from: string, to: string, port: number) => `
  - kind: agent
    title: ${title}
    from: ${from}
    to: ${to}
    agent: { model: "ollama://127.0.0.1:${port}/talker", mode: chat, preamble: "You are ${title}." }`;

const flow = (port: number) => `pravah: 1
name: Branches
input: Question
output: Answer
schemas: { Question: {type: object}, Left: {}, Right: {}, One: {type: string}, Other: {type: string}, Answer: {} }
nodes:
  - { kind: fork, title: Split, from: Question, to: [Left, Right] }${agent('Anna', 'Left', 'One', port)}${agent('Bert', 'Right', 'Other', port)}
  - { kind: join, title: Merge, from: [One, Other], to: Answer, run: "(one, other) => [one, other]" }
`;

test('agents at work at once are both marked, each with its own text, until the turn of the second has come', async ({ studio }) => {
  const open = new Map<string, ServerResponse>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const name = /You are (\w+)/.exec(body)?.[1] ?? '';
    response.write(`${JSON.stringify({ message: { role: 'assistant', content: `${name} thinks` }, done: false })}\n`);
    open.set(name, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (name: string) =>
    open.get(name)?.end(`${JSON.stringify({ message: { role: 'assistant', content: '.' }, done: true, done_reason: 'stop' })}\n`);
  try {
    await writeFile(join(studio.folder, 'branches.flow.yaml'), flow((server.address() as AddressInfo).port));
    const window = new StudioPage(await studio.start());
    const { page } = window;
    await window.drawn(4);
    await window.run();
    await expect(window.card('Anna')).toContainText('turn 1');
    await expect(window.card('Bert')).toContainText('turn 1');
    await window.tab('Conversation').click();
    const log = page.getByRole('log', { name: 'Conversation' });
    await expect(log).toContainText('Anna thinks');
    await log.getByText('Bert', { exact: true }).click();
    await expect(log).toContainText('Bert thinks');
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: test.info().outputPath(`working-${theme}.png`) });
    }
    end('Bert');
    await expect(window.card('Bert')).toContainText('done ahead');
    await expect(window.card('Anna')).toContainText('turn 1');
    end('Anna');
    await expect(window.runStatus).toHaveText('done');
    await expect(window.card('Bert')).not.toContainText('done ahead');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
