import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = `pravah: 1
name: Ask
input: Question
output: Reply
schemas:
  Question: { type: object, properties: { subject: { type: string }, sender: { type: object, properties: { name: { type: string } } } } }
  Reply: { type: object, properties: { answer: { type: string } }, required: [answer] }
nodes:
  - kind: agent
    from: Question
    to: Reply
    agent:
      model: script://answers.json
`;

test('an agent is given a prompt with fields and a mode, and its replicas vote where everybody can see it', async ({ studio }) => {
  await writeFile(join(studio.folder, 'ask.flow.yaml'), flow);
  await writeFile(join(studio.folder, 'answers.json'), JSON.stringify({ turns: [{ output: { answer: 'yes' } }] }));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.node('Question').click();

  const prompt = page.getByLabel('User prompt');
  await prompt.fill('About ');
  await prompt.pressSequentially('{sen');
  await expect(page.getByRole('option', { name: 'sender.name' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(prompt).toHaveValue('About {sender.name}');

  await page.getByRole('combobox', { name: 'Mode', exact: true }).click();
  await page.getByRole('option', { name: /^Redundant/ }).click();
  await page.getByLabel('Replicas').fill('2');
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  const saved = await readFile(join(studio.folder, 'ask.flow.yaml'), 'utf8');
  expect(saved).toContain('About {sender.name}');
  expect(saved).toMatch(/redundant: ?\{? *\n? *replicas: 2/);

  await page.keyboard.press('F5');
  const dialog = page.getByRole('dialog', { name: 'Start a run' });
  await dialog.getByText('JSON', { exact: true }).click();
  await dialog.getByRole('textbox', { name: /JSON/ }).fill('{"sender": {"name": "Ada"}}');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await window.allowIfAsked();
  await expect(window.runStatus).toHaveText('done');
  await window.transitions.filter({ hasText: 'vote' }).first().click();
  await expect(window.states).toContainText('confidence');
});

test('a plan with typed steps is shown with its types, runs, and keeps them when a setting is changed', async ({ studio }) => {
  const planned = `${flow}      mode: plan
      prompt: "{subject}"
      plan:
        steps: { research: { agent: { model: script://research.json } }, draft: { agent: { model: script://draft.json } } }
        fixed:
          - { name: facts, type: research, input: Find facts. }
          - { name: text, type: draft, input: Write., needs: [facts] }
`;
  await writeFile(join(studio.folder, 'ask.flow.yaml'), planned);
  await writeFile(join(studio.folder, 'answers.json'), JSON.stringify({ turns: [{ output: { answer: 'yes' } }] }));
  await writeFile(join(studio.folder, 'research.json'), JSON.stringify({ turns: [{ text: 'Bees fly.' }] }));
  await writeFile(join(studio.folder, 'draft.json'), JSON.stringify({ turns: [{ expect: { contains: 'Bees fly.' }, text: 'On bees.' }] }));
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.node('Question').click();
  await expect(page.getByText('Types of steps: research, draft.')).toBeVisible();
  await expect(page.getByLabel('Each step sees all earlier results')).not.toBeChecked();
  await page.getByLabel('Steps at once').fill('2');
  await page.keyboard.press('Control+s');
  await expect(window.unsaved).toHaveCount(0);
  const saved = await readFile(join(studio.folder, 'ask.flow.yaml'), 'utf8');
  expect(saved).toContain('parallel: 2');
  expect(saved).toContain('research: { agent: { model: script://research.json } }');

  await page.keyboard.press('F5');
  const dialog = page.getByRole('dialog', { name: 'Start a run' });
  await dialog.getByText('JSON', { exact: true }).click();
  await dialog.getByRole('textbox', { name: /JSON/ }).fill('{"subject": "bees"}');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await window.allowIfAsked();
  await expect(window.runStatus).toHaveText('done');
  await window.transitions.filter({ hasText: 'summary' }).first().click();
  await expect(window.states).toContainText('Reply');
});
