import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { storedFiles, storedTexts } from './fixtures/stored-files.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { startWebStudio } from './fixtures/web-studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const file = 'mail.flow.yaml';
const text = `pravah: 1
name: Mail
input: Ask
output: Sent
schemas: { Ask: {}, Draft: {}, Sent: {} }
nodes:
  - kind: work
    title: Write it
    from: Ask
    to: Draft
  - kind: work
    title: Send it
    from: Draft
    to: Sent
`;

const onDisk = (studio: StudioUnderTest) => readFile(join(studio.folder, file), 'utf8');

class Window extends StudioPage {
  async name(node: string, title: string): Promise<void> {
    await this.node(node).click();
    await this.page.getByLabel('Title').fill(title);
  }

  get choice() {
    return this.page.getByRole('region', { name: 'Another version of this flow' });
  }
}

async function first(studio: StudioUnderTest): Promise<Window> {
  await writeFile(join(studio.folder, file), text);
  const window = new Window(await studio.start());
  await window.drawn(2);
  return window;
}

/** One more tab of the same studio. */
async function second({ page }: Window): Promise<Window> {
  const tab = await page.context().newPage();
  await tab.goto(new URL(page.url()).origin);
  const window = new Window(tab);
  await window.drawn(2);
  return window;
}

/** Lets nothing that a page sends reach the studio until the returned function is called. */
async function cutOff(page: Page): Promise<() => void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/port/*', async (route) => {
    await opened;
    await route.fallback();
  });
  return () => open();
}

test('two windows share one text, and each undoes only its own edits', async ({ studio }) => {
  const one = await first(studio);
  const two = await second(one);
  await one.name('Ask', 'Compose');
  await expect(two.node('Ask')).toContainText('Compose');
  await two.name('Draft', 'Deliver');
  await expect(one.node('Draft')).toContainText('Deliver');
  await expect(one.unsaved).toHaveCount(1);
  await expect(two.unsaved).toHaveCount(1);

  // The edit of the first window comes before that of the second, and is taken back alone.
  await one.page.locator('.react-flow__pane').click({ position: { x: 20, y: 250 } });
  await one.page.keyboard.press('Control+z');
  await expect(one.node('Ask')).toContainText('Write it');
  await expect(two.node('Ask')).toContainText('Write it');
  await expect(one.node('Draft')).toContainText('Deliver');
  await one.page.keyboard.press('Control+Shift+Z');
  await expect(two.node('Ask')).toContainText('Compose');
  await expect(two.node('Draft')).toContainText('Deliver');

  // A reload, and a crash, lose neither.
  await one.page.reload();
  await expect(one.node('Ask')).toContainText('Compose');
  await expect(one.node('Draft')).toContainText('Deliver');
  await two.page.keyboard.press('Control+s');
  await expect(two.unsaved).toHaveCount(0);
  await expect(one.unsaved).toHaveCount(0);
  expect(await onDisk(studio)).toBe(text.replace('Write it', 'Compose').replace('Send it', 'Deliver'));
});

test('edits of one line made at the same time are both kept, and the user chooses', async ({ studio }) => {
  const one = await first(studio);
  const two = await second(one);
  const connect = await cutOff(two.page);
  await two.name('Ask', 'Second');
  await one.name('Ask', 'First');
  await expect(one.node('Ask')).toContainText('First');
  await expect.poll(() => storedFiles(join(studio.folder, '.pravah/drafts'))).toHaveLength(1);
  connect();
  await expect(two.choice).toContainText('could not be merged');
  await expect(two.node('Ask')).toContainText('First');
  await expect(one.choice).toBeVisible();
  await expectAccessible(two.page, 'the choice between two versions', 'section[aria-label="Another version of this flow"]');

  await two.choice.getByRole('button', { name: 'Compare' }).click();
  const dialog = two.page.getByRole('dialog');
  await expect(dialog).toContainText('title: First');
  await expect(dialog).toContainText('title: Second');
  await dialog.getByRole('button', { name: 'Use the other version' }).click();
  await expect(two.choice).toBeHidden();
  await expect(two.node('Ask')).toContainText('Second');
  await expect(one.node('Ask')).toContainText('Second');
  await expect(one.choice).toBeHidden();

  // As one step of undo.
  await two.page.locator('.react-flow__pane').click({ position: { x: 20, y: 250 } });
  await two.page.keyboard.press('Control+z');
  await expect(one.node('Ask')).toContainText('First');
});

test('both versions can be kept, the other one as a flow of its own', async ({ studio }) => {
  const one = await first(studio);
  const two = await second(one);
  const connect = await cutOff(two.page);
  await two.name('Ask', 'Second');
  await one.name('Ask', 'First');
  await expect.poll(() => storedFiles(join(studio.folder, '.pravah/drafts'))).toHaveLength(1);
  connect();
  await two.choice.getByRole('button', { name: 'Keep both' }).click();
  await expect(two.choice).toBeHidden();
  await expect(two.node('Ask')).toContainText('Second');
  await expect(one.choice).toBeHidden();
  await expect(one.node('Ask')).toContainText('First');
  expect(await readFile(join(studio.folder, 'mail-other-edits.flow.yaml'), 'utf8')).toContain('title: Second');
});

test('two studios on one folder share unsaved edits, and a crash of one loses nothing', async ({ studio, webBrowser }) => {
  const one = await first(studio);
  const page = await webBrowser?.newPage();
  if (!page) throw new Error('the web host is tested in a browser');
  const other = await startWebStudio(page, { folder: studio.folder, home: studio.home, env: {} });
  const two = new Window(page);
  await two.drawn(2);
  await one.name('Ask', 'Compose');
  await expect(two.node('Ask')).toContainText('Compose');
  await two.name('Draft', 'Deliver');
  await expect(one.node('Draft')).toContainText('Deliver');

  const connect = await cutOff(page);
  await two.name('Ask', 'Second');
  await one.name('Ask', 'First');
  await expect
    .poll(() => storedTexts(join(studio.folder, '.pravah/drafts')))
    .toEqual(expect.arrayContaining([expect.stringContaining('title: First')]));
  connect();
  await expect(two.choice).toContainText('could not be merged');
  await other.kill();
  await page.close();
  await expect(one.choice).toBeVisible();
  await one.choice.getByRole('button', { name: 'Keep this version' }).click();
  await expect(one.choice).toBeHidden();
  await expect(one.node('Ask')).toContainText('First');
  await one.page.keyboard.press('Control+s');
  await expect(one.unsaved).toHaveCount(0);
  expect(await onDisk(studio)).toBe(text.replace('Write it', 'First').replace('Send it', 'Deliver'));
});
