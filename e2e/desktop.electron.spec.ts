import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StartedElectron, startSecondInstance } from './fixtures/electron-studio.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';

const appOf = (studio: StudioUnderTest) => (studio.running as StartedElectron).app;

const waits = `pravah: 1
name: Waits
input: A
output: B
schemas: { A: { type: object }, B: { type: object } }
nodes:
  - { kind: suspend, from: A, to: B }
`;

test('the menu gives the page its commands', async ({ studio }) => {
  const page = await studio.start();
  const labels = await appOf(studio).evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label.replace('&', '')));
  expect(labels).toEqual(['File', 'Edit', 'View', 'Run', 'Help']);
  await appOf(studio).evaluate(({ Menu }) => {
    const help = Menu.getApplicationMenu()?.items.find(({ label }) => label.includes('Help'));
    help?.submenu?.items.find(({ label }) => label === 'Keyboard Shortcuts')?.click();
  });
  await expect(page.getByRole('dialog')).toContainText('Step over');
});

test('a second start gives its folder, flow file or link to the first and ends', async ({ studio }) => {
  const other = join(studio.home, '..', 'other');
  await mkdir(join(other, 'deep'), { recursive: true });
  await writeFile(join(other, 'pravah.json'), '{}');
  await writeFile(join(other, 'first.flow.yaml'), waits);
  await writeFile(join(other, 'deep', 'second.flow.yaml'), waits);
  const page = await studio.start();
  const again = (args: readonly string[]) => startSecondInstance({ folder: studio.folder, home: studio.home, env: {} }, args);
  expect(await again(['--folder', other])).toBe(0);
  await expect(page).toHaveTitle(/first\.flow\.yaml.*other/);
  expect(await again([join(other, 'deep', 'second.flow.yaml')])).toBe(0);
  await expect(page).toHaveTitle(/second\.flow\.yaml.*other/);
  expect(appOf(studio).windows()).toHaveLength(1);
});

test('the window comes back where it was', async ({ studio }) => {
  await studio.start();
  const bounds = { x: 10, y: 20, width: 1000, height: 700 };
  await appOf(studio).evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds);
  await studio.close();
  await studio.start();
  const now = await appOf(studio).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
  expect(now).toMatchObject({ width: 1000, height: 700 });
});

test('a page that crashes is loaded again', async ({ studio }) => {
  await studio.start();
  const title = await appOf(studio).evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (!contents) return 'no window';
    const gone = new Promise((resolve) => contents.once('render-process-gone', resolve));
    contents.forcefullyCrashRenderer();
    await gone;
    await new Promise<void>((resolve) => contents.once('did-finish-load', () => resolve()));
    return contents.executeJavaScript('document.querySelector("#root").childElementCount > 0');
  });
  expect(title).toBe(true);
});

test('a folder is chosen with the desktop’s own dialog', async ({ studio }) => {
  const chosen = join(studio.home, '..', 'chosen');
  await mkdir(chosen);
  await writeFile(join(chosen, 'mine.flow.yaml'), waits);
  const page = await studio.start();
  // The dialog itself belongs to the system; a test answers in its place.
  await appOf(studio).evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, chosen);
  await page.keyboard.press('Control+O');
  await expect(page).toHaveTitle(/mine\.flow\.yaml.*chosen/);
});
