import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addFlow, askFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

test('a server is added, its runs are listed and stepped like those of the folder, and its questions answered', async ({ studio }) => {
  test.slow(); // Starts a server as well.
  await using server = await TestServer.start({ 'add.flow.yaml': addFlow, 'ask.flow.yaml': askFlow });
  const caller = await server.caller('read', 'run');
  await caller.post('/v1/runs', { flow: 'add.flow.yaml', input: { n: 1 }, paused: true });
  await writeFile(join(studio.folder, 'own.flow.yaml'), addFlow);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);

  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Servers' }).click();
  await settings.getByLabel('Name').fill('prod');
  await settings.getByLabel('Address').fill(caller.url);
  await settings.getByRole('textbox', { name: 'Token' }).fill('mistyped');
  await settings.getByRole('button', { name: 'Add server' }).click();
  await expect(settings).toContainText('does not take the token');
  await settings.getByRole('textbox', { name: 'Token' }).fill(caller.token);
  await settings.getByRole('button', { name: 'Add server' }).click();
  await expect(settings.getByRole('listitem')).toContainText('The token may: read, run.');
  await expectAccessible(page, 'the settings of servers', '[role="dialog"]');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByText('All flows', { exact: true }).click();
  const run = page.getByRole('row').filter({ hasText: 'prod/' });
  await expect(run).toContainText('paused');
  await run.click();
  await expect(window.runStatus).toHaveText('paused');
  await page.keyboard.press('F11');
  await expect(window.runStatus).toHaveText('done');
  await expect(run).toContainText('done');

  await run.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Take its flow into this folder…' }).click();
  const taking = page.getByRole('dialog', { name: 'New flow' });
  await expect(taking.getByRole('textbox')).toHaveValue('add');
  await taking.getByRole('textbox').fill('taken');
  await page.keyboard.press('Enter');
  await expect(taking).toBeHidden();
  expect(await readFile(join(studio.folder, 'taken.flow.yaml'), 'utf8')).toBe(addFlow);

  await caller.post('/v1/runs', { flow: 'ask.flow.yaml', input: { n: 1 } });
  await page.getByRole('button', { name: 'Inbox: 1 waiting' }).click();
  await page.getByRole('button', { name: /on prod/ }).click();
  await window.decide('Yes');
  await expect(page.getByRole('button', { name: 'Inbox: nothing needs you' })).toBeVisible();
});

test('a flow is deployed on a server after showing what changes there, and again under a new version', async ({ studio }) => {
  test.slow(); // Starts a server as well.
  await using server = await TestServer.start({ 'own.flow.yaml': addFlow });
  const caller = await server.caller('read', 'run', 'manage');
  const file = join(studio.folder, 'add-one.flow.yaml');
  await writeFile(file, addFlow);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  const deploy = async () => {
    await page.getByRole('tab', { name: 'Flows' }).click();
    await page.getByRole('listitem').filter({ hasText: 'add-one' }).getByRole('button').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Deploy…' }).click();
  };
  const dialog = page.getByRole('dialog', { name: 'Deploy add-one.flow.yaml' });

  await deploy();
  await expect(dialog).toContainText('No server is added');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Servers' }).click();
  await settings.getByLabel('Name').fill('prod');
  await settings.getByLabel('Address').fill(caller.url);
  await settings.getByRole('textbox', { name: 'Token' }).fill(caller.token);
  await settings.getByRole('button', { name: 'Add server' }).click();
  await expect(settings.getByRole('listitem')).toContainText('The token may: read, run, manage.');
  await page.keyboard.press('Escape');

  await deploy();
  await expect(dialog.getByRole('status')).toHaveText('add-one is not on prod yet.');
  await expectAccessible(page, 'the deployment of a flow', '[role="dialog"]');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Deployed on prod as add-one@1.').first()).toBeVisible();
  await expect(dialog).toBeHidden();
  const run = await caller.post('/v1/runs?wait=60', { flow: 'add-one', input: { n: 1 } });
  expect(run.body).toMatchObject({ status: 'success', output: { n: 2 } });

  await deploy();
  await expect(dialog.getByRole('status')).toHaveText('prod runs exactly this as add-one@1. Deploying it again changes nothing.');
  await page.keyboard.press('Escape');

  await writeFile(file, addFlow.replace('n + 1', 'n + 2'));
  await deploy();
  await expect(dialog.getByRole('status')).toHaveText('prod runs add-one@1. A new version takes its place.');
  await dialog.getByLabel('Name on the server').fill('not a name');
  await expect(dialog.getByRole('alert')).toContainText("“not a name” can't be the name of a flow on a server.");
  await expect(dialog.getByRole('button', { name: 'Deploy' })).toBeDisabled();
  await dialog.getByLabel('Name on the server').fill('add-one');
  await expect(dialog.getByRole('status')).toContainText('A new version takes its place.');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await expect(page.getByText('Deployed on prod as add-one@2.').first()).toBeVisible();

  await writeFile(file, `${addFlow}  - { kind: suspend, from: B, to: A }\n`);
  await deploy();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Deploy' })).toBeDisabled();
});
