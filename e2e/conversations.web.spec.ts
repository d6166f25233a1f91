import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pravah } from './fixtures/command-line.ts';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = `pravah: 1
name: Talk
input: Message
output: Reply
schemas:
  Message: { type: object, properties: { id: { type: string }, text: { type: string } }, required: [id, text] }
  Reply: {}
nodes:
  - kind: agent
    from: Message
    to: Reply
    agent: { model: "script://answers.json", mode: chat, prompt: "{text}", conversation: { scope: workspace, key: "customer/{id}" } }
`;

test('what agents remember is listed, read, exported, emptied and erased; a fork’s branch is adopted', async ({ studio }) => {
  test.slow(); // Runs commands first.
  const { folder, home } = studio;
  await writeFile(join(folder, 'pravah.json'), '{}');
  await writeFile(join(folder, 'talk.flow.yaml'), flow);
  await writeFile(join(folder, 'answers.json'), JSON.stringify({ turns: [{ text: 'It left on Monday.' }] }));
  const talk = async (id: string, text: string) => {
    const { code, lines } = await pravah({ folder, home }, [
      'run',
      join(folder, 'talk.flow.yaml'),
      '--input',
      JSON.stringify({ id, text }),
    ]);
    expect(code).toBe(0);
    return String(lines.find(({ run_id }) => run_id !== undefined)?.run_id);
  };
  await talk('7', 'Where is my parcel?');
  const second = await talk('7', 'And the invoice?');
  await talk('8', 'Hello');
  const fork = await pravah({ folder, home }, ['fork', second, '--step', '0']);
  const forked = String(fork.lines.find(({ run_id }) => run_id !== undefined)?.run_id);
  expect((await pravah({ folder, home }, ['continue', forked])).code).toBe(0);

  const window = new StudioPage(await studio.start());
  const { page } = window;
  await page.getByRole('tab', { name: 'Chats' }).click();
  const list = page.getByRole('list', { name: 'Conversations' });
  await expect(list.getByRole('button')).toHaveCount(2);
  await expect(list.getByRole('button', { name: /^customer\/7.*It left on Monday/ })).toContainText('4 messages');
  await expectAccessible(page, 'the list of conversations');

  await list.getByRole('button', { name: /^customer\/7/ }).click();
  const dialog = page.getByRole('dialog', { name: 'customer/7' });
  await expect(dialog).toContainText('Where is my parcel?');
  await expect(dialog).toContainText('And the invoice?');
  await expectAccessible(page, 'a conversation', '[role="dialog"]');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toBe('customer-7.json');
  await dialog.getByRole('button', { name: 'Adopt' }).click();
  await expect(dialog.getByText('And the invoice?')).toHaveCount(2);
  await expect(dialog.getByRole('button', { name: 'Adopt' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Empty' }).click();
  await expect(dialog).not.toContainText('Where is my parcel?');
  await dialog.getByRole('button', { name: 'Erase…' }).click();
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(list.getByRole('button')).toHaveCount(1);

  // A message leads to the step that made it.
  await list.getByRole('button', { name: /^customer\/8/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^run .*, step 1/ })
    .first()
    .click();
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
});
