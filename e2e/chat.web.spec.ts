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
    agent:
      model: "script://answers.json"
      mode: chat
      prompt: "{text}"
      tools: [{ use: write_file, approve: always }]
      conversation: { scope: workspace, key: "customer/{id}" }
`;

test('an agent is talked to, asks for an approval that is edited in the chat, and goes on after a restart', async ({ studio }) => {
  test.slow(); // Starts the studio twice, and runs a command first.
  const { folder, home } = studio;
  const answers = (turns: readonly object[]) => writeFile(join(folder, 'answers.json'), JSON.stringify({ turns }));
  await writeFile(join(folder, 'pravah.json'), '{}');
  await writeFile(join(folder, 'talk.flow.yaml'), flow);
  await answers([{ text: 'It left on Monday.' }]);
  const input = JSON.stringify({ id: '7', text: 'Where is my parcel?' });
  expect((await pravah({ folder, home }, ['run', join(folder, 'talk.flow.yaml'), '--input', input])).code).toBe(0);

  let window = new StudioPage(await studio.start());
  const chat = () => window.page.getByRole('log', { name: 'Messages of the conversation' });
  const box = () => window.page.getByRole('textbox', { name: 'Message' });
  await window.trustFolder();
  await window.page.keyboard.press('Control+Shift+C');
  await expect(chat()).toContainText('It left on Monday.');

  await answers([{ tool_calls: [{ tool: 'write_file', input: { path: 'note.txt', content: 'late' } }] }, { text: 'The note is written.' }]);
  await box().fill('Write that down.');
  await box().press('Enter');
  await window.consent.getByRole('button', { name: 'Allow and run' }).click();
  const approve = chat().getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toBeVisible();
  await expect(window.page.getByText('waits for you')).toBeVisible();
  await expect(window.page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await expectAccessible(window.page, 'a chat that waits');
  await chat().getByRole('button', { name: 'Edit' }).click();
  await chat()
    .getByRole('textbox', { name: /content/i })
    .fill('on time');
  await chat()
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(chat()).toContainText('The note is written.');
  await chat()
    .getByRole('button', { name: /write_file.*edited/ })
    .click();
  await expect(chat()).toContainText('late');
  await expect(chat()).toContainText('on time');
  await expectAccessible(window.page, 'a chat');

  await studio.close();
  await answers([{ text: 'You are welcome.' }]);
  window = new StudioPage(await studio.start());
  await window.page.keyboard.press('Control+Shift+C');
  await expect(chat()).toContainText('The note is written.');
  await box().fill('Thanks.');
  await window.page.getByRole('button', { name: 'Send' }).click();
  await expect(chat()).toContainText('You are welcome.');
  await expect(chat().getByText('Thanks.')).toHaveCount(1);

  // A message leads to the step that made it.
  await chat()
    .getByRole('button', { name: /^step 1/ })
    .last()
    .click();
  await expect(window.runStatus).toHaveAttribute('data-status', 'success');
});
