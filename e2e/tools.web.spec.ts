import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { repository } from './fixtures/studio-process.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const server = { command: process.execPath, args: [join(repository, 'src-main', 'mcp', 'testing', 'wayward-server.ts')] };

test('tools are found, tried by the rules that hold for flows, and those of an MCP server are approved first', async ({ studio }) => {
  test.slow();
  await writeFile(join(studio.folder, 'pravah.json'), JSON.stringify({ mcp_servers: { it: server }, approve: { write_file: 'always' } }));
  await writeFile(join(studio.folder, 'notes.md'), 'remember the milk\n');
  const page = await studio.start();
  const window = new StudioPage(page);
  await page.getByRole('button', { name: 'Browse and try…' }).click();
  const browser = page.getByRole('dialog', { name: 'Tools' });
  const tools = browser.getByRole('navigation', { name: 'Tools' });
  const outcome = browser.getByRole('status', { name: 'Result' });
  const call = browser.getByRole('button', { name: 'Call the tool' });

  await test.step('a tool is called with what is filled in', async () => {
    await tools.getByRole('textbox').fill('read file');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(browser.getByRole('heading', { name: 'read_file' })).toBeVisible();
    await expect(browser.getByRole('table', { name: 'Input' })).toContainText('Path relative to the working folder');
    await browser.getByLabel('path').fill('notes.md');
    await call.click();
    await window.consent.getByRole('button', { name: 'Allow and run' }).click();
    await expect(outcome).toContainText('remember the milk');
    await browser.getByLabel('path').fill('../secret');
    await call.click();
    await expect(outcome).toContainText('leads outside the working folder');
    await expectAccessible(page, 'the tool browser');
  });

  await test.step('one that asks shows what it would change, and waits', async () => {
    await tools.getByRole('textbox').fill('write_file');
    await tools.getByRole('button', { name: /write_file/ }).click();
    await browser.getByLabel('path').fill('notes.md');
    await browser.getByLabel('content').fill('remember the bread\u202e \n');
    await call.click();
    await window.consent.getByRole('button', { name: 'Allow and run' }).click();
    await expect(outcome.getByRole('group', { name: 'Changes to notes.md' })).toContainText('breadU+202E·');
    const approve = outcome.getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toHaveAttribute('data-ready', 'true');
    await approve.click();
    await expect(outcome).toContainText('bytes');
  });

  await test.step('a server is started once the folder is trusted, and what it offers is approved', async () => {
    await page.keyboard.press('Escape');
    await window.trustFolder();
    await page.getByRole('button', { name: 'Browse and try…' }).click();
    await tools.getByRole('button', { name: /^it / }).click();
    await browser.getByRole('button', { name: 'Start', exact: true }).click();
    await browser.getByRole('checkbox', { name: 'greet' }).check();
    await expectAccessible(page, 'an MCP server');
    await browser.getByRole('button', { name: 'Approve this tool' }).click();
    await tools.getByRole('button', { name: /^greet/ }).click();
    await browser.getByLabel('name').fill('Ada');
    await call.click();
    await window.consent.getByRole('button', { name: 'Allow and run' }).click();
    await expect(outcome).toContainText('hello Ada');
  });

  await test.step('all that was allowed on the way is listed in the settings, and taken back', async () => {
    await page.keyboard.press('Escape');
    await expect(browser).toHaveCount(0);
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('tab', { name: 'Permissions' }).click();
    const allowed = settings.getByRole('region', { name: studio.folder });
    await expect(allowed).toContainText('open now');
    await expect(allowed).toContainText('MCP server it greet');
    await expect(allowed).toContainText('Try write_file');
    await allowed.getByText(/^may .*change files/).click();
    await expect(allowed).toContainText('Change files: any file of this folder');
    await expectAccessible(page, 'the permissions');
    await allowed.getByRole('button', { name: 'Revoke: MCP server it' }).press('Enter');
    await expect(settings).toContainText('No tools of it are approved.');
    await expect(allowed).not.toContainText('MCP server it');
    await allowed.getByRole('button', { name: `Revoke all in ${studio.folder}` }).click();
    await expect(settings).toContainText('Nothing is allowed.');
    await settings.getByRole('tab', { name: 'Folder' }).click();
    await expect(settings.getByRole('button', { name: 'Trust this folder' })).toBeVisible();
  });
});
