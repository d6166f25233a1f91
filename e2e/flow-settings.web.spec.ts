import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const flow = `pravah: 1
name: One
input: A
output: B
schemas: { A: {}, B: {} }
nodes:
  - { kind: work, title: Step, from: A, to: B }
`;

test("the flow's form sets how far its runs work ahead, and removes what is the default", async ({ studio }) => {
  const file = join(studio.folder, 'one.flow.yaml');
  await writeFile(file, flow);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(1);
  await window.tab('Flow').last().click();
  const ahead = page.getByRole('textbox', { name: 'Nodes at once' });
  await ahead.fill('4');
  await page.getByRole('combobox', { name: 'May start early' }).click();
  await page.getByRole('option', { name: 'Also reading' }).click();
  await page.screenshot({ path: test.info().outputPath('flow-settings.png') });
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toMatch(/parallel:[\s\S]*ahead: 4[\s\S]*effects: read/);
  await ahead.fill('');
  await page.getByRole('combobox', { name: 'May start early' }).click();
  await page.getByRole('option', { name: 'Model calls', exact: true }).click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(flow);
});
