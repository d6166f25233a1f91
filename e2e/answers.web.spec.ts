import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pravah } from './fixtures/command-line.ts';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { storedFiles } from './fixtures/stored-files.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const approval = `pravah: 1
name: Reply
input: Mail
output: Sent
schemas:
  Mail: { type: object, properties: { text: { type: string }, score: { type: integer } }, required: [text], default: { text: Dear Ann, score: 3 } }
  Decision:
    type: object
    properties:
      text: { type: string, title: Text }
      score: { type: integer, title: Score }
      approved: { type: boolean, title: Approved }
      token: { type: string, title: Token, format: password }
    required: [text, approved]
  Draft: { type: object, properties: { text: { type: string }, score: { type: integer } } }
  Sent: { type: object, properties: { sent: { type: boolean, title: Send it?, description: It cannot be taken back. } }, required: [sent] }
nodes:
  - { kind: work, from: Mail, to: Draft }
  - { kind: suspend, title: Approve the reply, from: Draft, to: Decision }
  - { kind: suspend, from: Decision, to: Sent }
`;

const draftFiles = (studio: StudioUnderTest) => storedFiles(join(studio.folder, '.pravah', 'answers'));
const restored = (window: StudioPage) => window.page.getByRole('status', { name: 'Unfinished answer restored' });

async function runToApproval(studio: StudioUnderTest): Promise<StudioPage> {
  await writeFile(join(studio.folder, 'reply.flow.yaml'), approval);
  const window = new StudioPage(await studio.start());
  await window.drawn(3);
  await window.run();
  await expect(window.page.getByRole('heading', { name: 'Needs your input: Approve the reply' })).toBeVisible();
  return window;
}

test('an edited approval that was not sent is there again after the host was killed, and can be discarded', async ({ studio }) => {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  await window.trustFolder();
  await window.run();
  await window.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await window.page.getByRole('textbox', { name: /content/ }).fill('Half of what I want to say');
  await expect.poll(() => draftFiles(studio)).toHaveLength(1);
  const [file = ''] = await draftFiles(studio);
  expect((await stat(join(studio.folder, '.pravah', 'answers', file))).mode & 0o777).toBe(0o600);
  await studio.kill();

  const again = new StudioPage(await studio.start());
  await again.drawn(8);
  await again.openWaiting('write_file wants to change a file');
  await expect(restored(again)).toContainText('Restored your unfinished answer');
  await expect(again.page.getByRole('textbox', { name: /content/ })).toHaveValue('Half of what I want to say');
  await expect(again.page.getByRole('button', { name: 'Approve as edited' })).toBeVisible();
  await restored(again).getByRole('button', { name: 'Discard' }).click();
  await expect(again.page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  await expect.poll(() => draftFiles(studio)).toHaveLength(0);
});

test('a form begins with what the state says, an answer begun is restored without its secrets, and yes or no are buttons', async ({
  studio,
}) => {
  const window = await runToApproval(studio);
  const { page } = window;
  await expect(page.getByText('Filled in from the state')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /Text/ })).toHaveValue('Dear Ann');
  await expect(page.getByRole('textbox', { name: /Score/ }).or(page.getByRole('spinbutton', { name: /Score/ }))).toHaveValue('3');
  await expect(page.getByRole('checkbox', { name: /Approved/ })).not.toBeChecked();
  expect(await draftFiles(studio)).toEqual([]);
  await page.getByRole('textbox', { name: /Text/ }).fill('Dear Ann, thank you');
  await page.getByLabel(/Token/).fill('hunter2-hunter2');
  await expect.poll(() => draftFiles(studio)).toHaveLength(1);
  await studio.kill();

  const again = new StudioPage(await studio.start());
  // The inbox knows the title although the run is not open.
  await again.openWaiting('Needs your input: Approve the reply');
  await expect(restored(again)).toContainText('Secret fields are not stored');
  await expect(again.page.getByRole('textbox', { name: /Text/ })).toHaveValue('Dear Ann, thank you');
  await expect(again.page.getByLabel(/Token/)).toHaveValue('');
  await again.decide('Submit');

  await expect(again.page.getByRole('heading', { name: 'Needs your input: Decision' })).toBeVisible();
  await expect(again.page.getByText('Send it?')).toBeVisible();
  expect(await draftFiles(studio)).toEqual([]);
  await again.decide('No');
  await expect(again.runStatus).toHaveText('done');
  await again.tab('Output').click();
  await expect(again.page.getByRole('tabpanel', { name: 'Output' })).toContainText('false');
});

test('two windows do not overwrite each other’s answers, and an answer from elsewhere drops both', async ({ studio }) => {
  const one = await runToApproval(studio);
  const second = await one.page.context().newPage();
  await second.goto(one.page.url());
  const two = new StudioPage(second);
  await two.openWaiting('Needs your input: Approve the reply');
  const text = (window: StudioPage) => window.page.getByRole('textbox', { name: /Text/ });
  await text(one).fill('From the first window');
  await expect.poll(() => draftFiles(studio)).toHaveLength(1);
  await text(two).fill('From the second window');
  const conflict = second.getByRole('status', { name: 'Answer changed in another window' });
  await conflict.getByRole('button', { name: 'Use the other answer' }).click();
  await expect(text(two)).toHaveValue('From the first window');
  await expect(conflict).toBeHidden();

  const [run] = (await pravah(studio, ['runs'])).lines;
  const payload = '{"text": "By command", "approved": true}';
  await pravah(studio, ['resume', String(run?.run_id), '--tool-id', 'Draft::suspend', '--payload', payload]);
  await expect(one.page.getByRole('heading', { name: 'Needs your input: Decision' })).toBeVisible();
  await expect(one.notices.filter({ hasText: 'Already answered' })).toBeVisible();
  await expect.poll(() => draftFiles(studio)).toEqual([]);
});

test('an answer given while no studio runs drops its draft at the next start', async ({ studio }) => {
  const window = await runToApproval(studio);
  await window.page.getByRole('textbox', { name: /Text/ }).fill('Half');
  await expect.poll(() => draftFiles(studio)).toHaveLength(1);
  await studio.kill();
  const [run] = (await pravah(studio, ['runs'])).lines;
  await pravah(studio, ['resume', String(run?.run_id), '--tool-id', 'Draft::suspend', '--payload', '{"text": "x", "approved": true}']);
  expect(await draftFiles(studio)).toHaveLength(1);
  await studio.start();
  await expect.poll(() => draftFiles(studio)).toEqual([]);
});
