import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '#shared/contract/index.ts';
import { bridgedPort } from './fixtures/bridged-port.ts';
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
  await writeFile(join(other, 'a.flow.yaml'), waits);
  await writeFile(join(other, 'deep', 'second.flow.yaml'), waits);
  const page = await studio.start();
  const again = (args: readonly string[]) => startSecondInstance({ folder: studio.folder, home: studio.home, env: {} }, args);
  expect(await again(['--folder', other])).toBe(0);
  await expect(page).toHaveTitle(/a\.flow\.yaml.*other/);
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

test('a link shows the run that waits, and answers nothing', async ({ studio }) => {
  await writeFile(join(studio.folder, 'waits.flow.yaml'), waits);
  const page = await studio.start();
  const client = createORPCClient<ContractRouterClient<typeof contract>>(new RPCLink({ port: await bridgedPort(page) }));
  const { run_id } = await client.runs.start({ flow_path: 'waits.flow.yaml', text: waits, input: {} });
  await client.runs.continue({ run_id });
  await expect.poll(async () => (await client.runs.get({ run_id })).status).toBe('suspended');
  await page.reload();
  const again = (link: string) => startSecondInstance({ folder: studio.folder, home: studio.home, env: {} }, [link]);
  expect(await again(`pravah://run/${run_id}?approve=true`)).toBe(0);
  expect(await again(`pravah://run/${run_id}`)).toBe(0);
  await expect(page.getByRole('tab', { name: /Inbox/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('waits').first()).toBeVisible();
  const reloaded = createORPCClient<ContractRouterClient<typeof contract>>(new RPCLink({ port: await bridgedPort(page) }));
  expect((await reloaded.runs.get({ run_id })).status).toBe('suspended');
});
