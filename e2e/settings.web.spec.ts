import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const key = 'sk-typed-by-a-person-0123456789abcdef';

/** A server on this machine that lists one model to who brings the key, as OpenAI does. */
async function modelServer() {
  const server = createServer((request, response) => {
    const allowed = request.headers.authorization === `Bearer ${key}`;
    const body = allowed
      ? { object: 'list', data: [{ id: 'small-model', object: 'model', created: 0, owned_by: 'test' }] }
      : { error: { message: 'Incorrect key' } };
    response.writeHead(allowed ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.close() };
}

test('a key is typed in, tested, and nowhere on the page again; a model is chosen for new agents and for one run', async ({ studio }) => {
  test.slow();
  const server = await modelServer();
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start({ OPENAI_BASE_URL: server.address, OPENAI_API_KEY: '' }));
  const { page } = window;
  await window.drawn(8);
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Models and keys' }).click();
  const openAi = settings.getByRole('listitem').filter({ hasText: 'OpenAI' });
  await expect(openAi).toContainText('No key.');
  await openAi.getByRole('button', { name: 'Test OpenAI' }).click();
  await expect(openAi.getByRole('alert')).toContainText('needs a key');

  // By keyboard alone, from the button to the field and back.
  await openAi.getByRole('button', { name: 'Enter key for OpenAI' }).press('Enter');
  await expect(openAi.getByRole('textbox', { name: 'API key for OpenAI' })).toBeFocused();
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await expect(openAi).toContainText('Key saved');
  await openAi.getByRole('button', { name: 'Test OpenAI' }).click();
  await expect(openAi).toContainText('1 model: small-model');
  await expectAccessible(page, 'the settings of models', '[role="dialog"]');

  await settings.getByLabel('Model of new agents').fill('openai://small-model');
  await settings.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(settings).toContainText('New agents use this model.');
  await settings.getByRole('tab', { name: 'Folder' }).click();
  await settings.getByRole('button', { name: 'Trust this folder' }).click();
  await expect(settings.getByRole('button', { name: 'Revoke trust' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);

  const seen = await page.evaluate(
    () => document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
  );
  expect(seen).not.toContain(key);
  expect(await readFile(join(studio.home, 'keys.json'), 'utf8')).not.toContain(key);
  expect(await readFile(join(studio.home, 'models.json'), 'utf8')).toContain('openai://small-model');

  // The agent of the flow is scripted; for this run alone the same script is named by hand, and its answers are recorded.
  await page.keyboard.press('F5');
  const dialog = page.getByRole('dialog', { name: 'Start a run' });
  await dialog.getByText('Models for this run').click();
  await dialog.getByLabel('Model of Write release notes').fill('script://models/missing.json');
  await dialog.getByRole('button', { name: /^Run/ }).click();
  await window.allowIfAsked();
  await expect(window.runStatus).toHaveText('failed');
  await expect(page.getByText('Script models/missing.json does not exist').first()).toBeVisible();

  await window.run();
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await page.getByRole('button', { name: 'More about this run' }).click();
  await page.getByRole('menuitem', { name: /Save model responses/ }).click();
  const recording = page.getByRole('dialog', { name: /Save model responses/ });
  await recording.getByLabel('File in this folder').fill('models/release-notes.script.json');
  await recording.getByRole('button', { name: 'Save' }).click();
  await expect(recording).toContainText('already exists');
  await recording.getByLabel('File in this folder').fill('models/again.script.json');
  await recording.getByRole('button', { name: 'Save' }).click();
  await expect(recording).toHaveCount(0);
  expect(JSON.parse(await readFile(join(studio.folder, 'models/again.script.json'), 'utf8')).turns.length).toBeGreaterThan(0);
  server.close();
});
