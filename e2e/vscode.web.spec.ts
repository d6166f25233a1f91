import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { slowness } from '#main/testing/slowness.ts';
import { startInTime } from '#main/testing/start-in-time.ts';
import { repository } from './fixtures/studio-process.ts';

/** The program of an installed code-server: VS Code in a browser. See docs/contributing.md. */
const codeServer = process.env.PRAVAH_CODE_SERVER ?? '';

const flow = `pravah: 1
name: Counting
input: Start
output: Done
schemas: { Start: {}, Count: {}, Again: {}, Done: {} }
nodes:
  - { kind: work, title: Begin, from: Start, to: Count, expr: '{ n: 0 }' }
  - { kind: either, title: Any left, from: Count, to: [Again, Done], expr: n < 3 }
  - { kind: work, title: Add one, from: Again, to: Count, expr: '{ n: n + 1 }' }
`;

test('the packed extension stops a flow at a breakpoint in VS Code, and shows its states', async ({ page }) => {
  test.skip(codeServer === '', 'PRAVAH_CODE_SERVER names no code-server');
  test.setTimeout(180_000 * slowness);
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pravah-vscode-')));
  const [folder, data, extensions] = [join(root, 'workspace'), join(root, 'data'), join(root, 'extensions')];
  await Promise.all([mkdir(folder), mkdir(extensions), mkdir(join(root, 'home'))]);
  await writeFile(join(folder, 'counting.flow.yaml'), flow);
  const settings = JSON.stringify({ 'pravah.path': join(repository, 'bin/pravah'), 'workbench.startupEditor': 'none' });
  for (const scope of ['User', 'Machine']) {
    await mkdir(join(data, scope), { recursive: true });
    await writeFile(join(data, scope, 'settings.json'), settings);
  }
  const env = { ...process.env, HOME: join(root, 'home'), PRAVAH_HOME: join(root, 'home') };
  const common = [codeServer, '--user-data-dir', data, '--extensions-dir', extensions];
  await promisify(execFile)(process.execPath, [...common, '--install-extension', join(repository, 'out/vscode/pravah-0.1.0.vsix')], {
    env,
  });
  const options = [
    '--auth',
    'none',
    '--bind-addr',
    '127.0.0.1:0',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
  ];
  const server = spawn(process.execPath, [...common, ...options], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const address = await startInTime('code-server', async (signal) => {
      for await (const said of createInterface({ input: server.stdout, signal })) {
        const found = /listening on (http:\S+)/.exec(said)?.[1];
        if (found) return found;
      }
      throw new Error('code-server has ended.');
    });
    await page.goto(`${address}?folder=${encodeURIComponent(folder)}`);
    await page.getByRole('treeitem', { name: 'counting.flow.yaml' }).dblclick();
    const lines = page.locator('.editor-instance .view-lines').first();
    await expect(lines).toContainText('name: Counting');
    await page.locator('.view-line').filter({ hasText: 'Add one' }).click();
    await expect(page.getByText(/^Ln 9, Col/)).toBeVisible();
    const breakpoint = page
      .locator('.margin-view-overlays .codicon-debug-breakpoint, .glyph-margin-widgets .codicon-debug-breakpoint')
      .first();
    // VS Code takes the key once the extension has started.
    await expect(async () => {
      await page.keyboard.press('F9');
      await expect(breakpoint).toBeVisible({ timeout: 2000 });
    }).toPass();
    await page.keyboard.press('Control+Shift+d');

    await page.keyboard.press('F5');
    const toolbar = page.locator('.debug-toolbar');
    await expect(toolbar).toBeVisible();
    const stack = page.getByRole('treegrid', { name: 'Debug Call Stack' });
    await expect(stack).toContainText('Begin');
    await page.keyboard.press('F5');
    await expect(stack).toContainText('Add one');
    const variables = page.getByRole('tree', { name: 'Debug Variables' });
    await expect(variables).toContainText('{"n":0}');
    await page.keyboard.press('F5');
    await expect(variables).toContainText('{"n":1}');
    await page.keyboard.press('Shift+F5');
    await expect(toolbar).toBeHidden();
  } finally {
    server.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  }
});
