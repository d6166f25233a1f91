import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pravah } from './fixtures/command-line.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

/** An exported conversation of this many messages. */
function exported(key: string, count: number): string {
  const entries = Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Message ${index + 1}.` }],
    entry: {
      entry_id: `${key} ${index}`,
      exchange: `${key} ${index - (index % 2)}`,
      position: index + 1,
      kind: 'message',
      run_id: 'elsewhere',
      node: 'Clerk',
      seq: 1,
      created_at: 1,
      ...(index % 2 === 1 && { ends: true }),
    },
  }));
  return JSON.stringify({ pravah_conversation: 1, key, entries });
}

test('a conversation of 10,000 messages that was imported into a fresh folder is listed, and only messages in sight are mounted', async ({
  studio,
}) => {
  test.slow(); // Runs a command first.
  const { folder, home } = studio;
  await writeFile(join(folder, 'pravah.json'), '{}');
  const file = join(home, 'long.json');
  await writeFile(file, exported('customer/long', 10_000));
  expect((await pravah({ folder, home }, ['conversations', 'import', file])).code).toBe(0);
  const { page } = new StudioPage(await studio.start());
  await page.getByRole('tab', { name: 'Chats' }).click();
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /^customer\/long/ })).toContainText(
    '10,000 messages',
  );

  await page.keyboard.press('Control+Shift+C');
  const chat = page.getByRole('log', { name: 'Messages of the conversation' });
  const rows = chat.locator('[data-index]');
  await expect(chat.getByText('Message 10000.')).toBeVisible();
  await page.getByRole('button', { name: 'Show earlier messages' }).click();
  await expect(page.getByRole('button', { name: 'Show earlier messages' })).toHaveCount(0);
  const scrollTo = (where: 'start' | 'end', message: string) =>
    expect(async () => {
      await chat.evaluate((element, end) => element.scrollTo({ top: end ? element.scrollHeight : 0 }), where === 'end');
      await expect(chat.getByText(message, { exact: true })).toBeVisible({ timeout: 1000 });
    }).toPass();
  await scrollTo('start', 'Message 1.');
  expect(await rows.count()).toBeLessThan(100);
  await scrollTo('end', 'Message 10000.');
  expect(await rows.count()).toBeLessThan(100);

  // Another import, in a terminal: it is listed once the user comes back to the window.
  await writeFile(file, exported('customer/short', 2));
  expect((await pravah({ folder, home }, ['conversations', 'import', file])).code).toBe(0);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /^customer\/short/ })).toBeVisible();
});
