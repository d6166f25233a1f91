import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHistory } from '#resources/examples/make-release-history.mjs';
import type { StartedElectron } from './fixtures/electron-studio.ts';
import { proposedHeading } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const subjects = (folder: string) => execFileSync('git', ['log', '--format=%s'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');

test('the first start opens an example with a history, whose flow is then used in another repository', async ({ studio }) => {
  const window = new StudioPage(await studio.startWithoutFolder());
  const { page } = window;
  await window.drawn(8);
  await expect(page).toHaveTitle(/release-notes\.flow\.yaml/);
  await expect(page.getByText('Trusted folder')).toBeVisible();
  expect(subjects(join(studio.home, 'examples', 'release-notes'))).toHaveLength(9);

  const other = join(studio.home, '..', 'elsewhere');
  await mkdir(other);
  makeHistory(other);
  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('button', { name: 'More for release-notes.flow.yaml' }).click();
  if (studio.host === 'electron') await answerFolderDialog(studio, other);
  await page.getByRole('menuitem', { name: 'Use this flow in another folder…' }).click();
  if (studio.host === 'web') await chooseFolder(window, other);
  const dialog = page.getByRole('dialog', { name: 'Use this flow in another folder' });
  await expect(dialog).toContainText('models/release-notes.script.json');
  expect(existsSync(join(other, 'release-notes.flow.yaml'))).toBe(false);
  await dialog.getByRole('button', { name: 'Copy and open' }).click();

  await expect(page).toHaveTitle(/release-notes\.flow\.yaml.*elsewhere/);
  await window.trustFolder();
  await window.run();
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await window.decide('Approve');
  await expect(window.runStatus).toHaveText('done');
  expect(await readFile(join(other, 'CHANGELOG.md'), 'utf8')).toContain(proposedHeading);
});

/** The dialog itself belongs to the system; a test answers in its place. */
async function answerFolderDialog(studio: StudioUnderTest, folder: string): Promise<void> {
  await (studio.running as StartedElectron).app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, folder);
}

async function chooseFolder({ page }: StudioPage, folder: string): Promise<void> {
  const path = page.getByRole('textbox', { name: 'Folder' });
  // It begins with a folder of its own, which must not arrive between selecting the text and replacing it.
  await expect(path).not.toHaveValue('');
  await path.fill(folder);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open this folder' }).click();
}
