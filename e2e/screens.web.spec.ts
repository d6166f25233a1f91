import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { dialogPicture, picture, writesPictures } from './pages/pictures.ts';
import { StudioPage } from './pages/studio-page.ts';

const pricing = `pravah: 1
name: Pricing
input: Offer
output: Answer
schemas:
  Offer: { type: object }
  Priced: { type: object }
  Answer: { type: object }
nodes:
  - { kind: work, from: Offer, to: Priced, run: "(offer) => ({ total: offer.count * })" }
  - { kind: either, from: Priced, to: [Answer, Rejected] }
`;

const review = `pravah: 1
name: Review
input: Draft
output: Verdict
schemas: { Draft: {}, Text: {}, Picture: {}, TextGood: {}, TextBad: {}, PictureGood: {}, PictureBad: {}, Verdict: {} }
nodes:
  - { kind: fork, from: Draft, to: [Text, Picture] }
  - { kind: either, from: Text, to: [TextGood, TextBad], expr: "true" }
  - { kind: either, from: Picture, to: [PictureGood, PictureBad], expr: "true" }
  - { kind: join, from: [TextGood, PictureGood], to: Verdict, title: Publish }
  - { kind: join, from: [TextBad, PictureBad], to: Verdict, title: Send back }
`;

test('the main screens fit their window, in both schemes and at five sizes', async ({ studio }) => {
  test.slow();
  const window = await openExample(studio);
  const { page } = window;
  await picture(page, 'studio');
  await window.card('Anything new?').click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await picture(page, 'inspector');
  await window.run();
  await expect(page.getByRole('group', { name: 'Changes to CHANGELOG.md' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveAttribute('data-ready', 'true');
  await picture(page, 'run-waiting', true);
  await page.getByRole('tab', { name: 'Flows' }).click();
  await page.getByRole('button', { name: 'zz-pricing', exact: true }).click();
  await window.tab('Problems').click();
  await expect(window.problems.first()).toBeVisible();
  await window.node('Offer').click();
  await picture(page, 'problems');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'zz-review', exact: true }).click();
  await page.getByRole('button', { name: 'Show how', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).press('End');
  await expect(page.getByText('3 / 3')).toBeVisible();
  await picture(page, 'counterexample');
});

async function openExample(studio: StudioUnderTest, settings: Readonly<Record<string, unknown>> = {}): Promise<StudioPage> {
  await fillWithReleaseNotes(studio.folder);
  const file = join(studio.folder, 'pravah.json');
  const own = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...own, ...settings }, null, 2));
  await writeFile(join(studio.folder, 'zz-pricing.flow.yaml'), pricing);
  await writeFile(join(studio.folder, 'zz-review.flow.yaml'), review);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  await window.trustFolder();
  return window;
}

// Other stories look at these screens; here they only sit for their pictures.
if (writesPictures) test('what agents and tools show is taken for the documentation', takePictures);

async function takePictures({ studio }: { readonly studio: StudioUnderTest }): Promise<void> {
  test.slow();
  const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  await mkdir(studio.folder, { recursive: true });
  await writeFile(join(studio.folder, 'everything.mjs'), `await import(${JSON.stringify(pathToFileURL(server).href)});\n`);
  const window = await openExample(studio, { mcp_servers: { everything: { command: 'node', args: ['everything.mjs'] } } });
  const { page } = window;
  await window.card('Write release notes').click();
  await expect(page.getByLabel('User prompt')).toBeVisible();
  await picture(page, 'agent');
  await window.run();
  await expect(page.getByRole('heading', { name: 'write_file wants to change a file' })).toBeVisible();
  await window.decide('Approve');
  await expect(window.runStatus).toHaveText('done');
  await window.tab('Conversation').click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('submit');
  await picture(page, 'conversation');

  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Models and keys' }).click();
  await expect(settings.getByText('OpenAI', { exact: true })).toBeVisible();
  await dialogPicture(page, 'settings-models');
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);

  await page.getByRole('tab', { name: 'Library' }).click();
  await page.getByRole('button', { name: 'Browse and try…' }).click();
  const browser = page.getByRole('dialog', { name: 'Tools' });
  await browser.getByRole('button', { name: /^read_file/ }).click();
  await browser.getByLabel('path').fill('CHANGELOG.md');
  await browser.getByRole('button', { name: 'Call the tool' }).click();
  await window.consent.getByRole('button', { name: 'Allow and run' }).click();
  await expect(browser.getByRole('status', { name: 'Result' })).toContainText('# Changelog');
  await dialogPicture(page, 'tool-browser');
  await browser.getByRole('button', { name: /^everything/ }).click();
  await browser.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(browser.getByRole('checkbox').first()).toBeVisible();
  await dialogPicture(page, 'mcp-server');
}
