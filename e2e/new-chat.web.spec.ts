import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
    title: Clerk
    from: Message
    to: Reply
    agent: { model: "script://answers.json", mode: chat, prompt: "{id}: {text}" }
`;

test('any agent is talked to: from the chat panel and from its inspector, each talk with a key of its own', async ({ studio }) => {
  test.slow(); // Makes several runs.
  const { folder } = studio;
  await writeFile(join(folder, 'pravah.json'), '{}');
  const answer = (text: string) => writeFile(join(folder, 'answers.json'), JSON.stringify({ turns: [{ text }] }));
  await answer('Good morning.');
  const window = new StudioPage(await studio.start());
  const { page } = window;
  const chat = page.getByRole('log', { name: 'Messages of the conversation' });
  const box = page.getByRole('textbox', { name: 'Message' });
  await window.trustFolder();

  // A newcomer's empty folder says what to do.
  await page.keyboard.press('Control+Shift+C');
  await page.getByRole('button', { name: 'New…' }).click();
  await expect(page.getByText('No open flow has an agent.')).toBeVisible();
  await expectAccessible(page, 'a new conversation without agents');

  await writeFile(join(folder, 'talk.flow.yaml'), flow);
  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('tabpanel', { name: 'Flows' }).getByRole('button', { name: 'talk', exact: true }).click();
  await window.drawn(1);
  await page.keyboard.press('Control+Shift+C');
  await expect(page.getByRole('combobox', { name: 'Agent' })).toHaveValue('Clerk · talk.flow.yaml');
  await page.getByRole('textbox', { name: 'id' }).fill('7');
  await expectAccessible(page, 'a new conversation');
  await box.fill('Hello');
  await box.press('Enter');
  await expect(chat).toContainText('Good morning.');
  await expect(chat.getByText('7: Hello')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Talk with Clerk' })).toBeVisible();

  await answer('It left on Monday.');
  await box.fill('Where is it?');
  await box.press('Enter');
  await expect(chat).toContainText('It left on Monday.');
  await expect(chat).toContainText('Good morning.');
  await expect(chat).toContainText('7: Where is it?');
  // The agent's title, not the id of its node.
  await expect(chat.locator('[data-role="assistant"]').last()).toContainText('Clerk');

  await window.card('Clerk').click();
  await page.getByRole('tab', { name: 'Node' }).click();
  await page.getByRole('radio', { name: 'Form' }).check({ force: true });
  await page.getByRole('button', { name: 'Try this agent…' }).click();
  await page.getByRole('textbox', { name: 'Key' }).fill('Talk with Clerk');
  await expect(page.getByText('There is a conversation with this key.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Key' }).fill('second');
  await page.getByRole('textbox', { name: 'id' }).fill('8');
  await answer('Second talk.');
  await box.fill('Hello');
  await box.press('Enter');
  await expect(chat).toContainText('Second talk.');
  await expect(chat).not.toContainText('Good morning.');
  await page.getByRole('tab', { name: 'Chats' }).click();
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')).toHaveCount(2);
});
