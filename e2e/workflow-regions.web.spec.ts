import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/studio.ts';
import { expectAccessible } from './pages/accessibility.ts';
import { StudioPage } from './pages/studio-page.ts';

const expr = (name: string, expression: string, ...keys: readonly string[]) =>
  `  - { name: ${name}, type: expr, expression: '${expression}', input_keys: [${keys.join(', ')}], output_key: ${name} }\n`;

/** A loop of three rounds around a sequence, in which two branches run in parallel. */
const workflow = `name: pricing
agents:
${expr('price', '19.5')}${expr('doubled', 'price * 2', 'price')}${expr('squared', 'price ** 2', 'price')}
  - { name: both, type: parallel, sub_agents: [doubled, squared] }
${expr('total', 'doubled + squared', 'doubled', 'squared')}
  - { name: settle, type: sequential, sub_agents: [price, both, total] }
orchestration: { type: loop, agents: [settle], max_iterations: 3 }
`;

test('the regions of a workflow are folded to cards with their run, helper nodes are small, agents show what they write', async ({
  studio,
}, testInfo) => {
  await writeFile(join(studio.folder, 'workflow.yaml'), workflow);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.tab('Flows').click();
  await page.getByRole('button', { name: 'workflow.yaml PyFlow' }).click();
  await window.drawn(9);
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const region = (type: string) => page.locator(`[data-region="${type}"]`);
  await expect(region('sequential').first()).toContainText('settle: in sequence');
  await expect(region('parallel').first()).toContainText('both: in parallel');
  await expect(region('loop').first()).toContainText('pricing: loop');
  await expect(node('total').locator('[data-writes="total"]')).toHaveText('total');
  await expect(node('doubled_done+squared_done').locator('[data-gate="join"]')).toBeVisible();
  const [gate, agent] = [await node('end').boundingBox(), await node('total').boundingBox()];
  expect((gate?.width ?? 0) / (agent?.width ?? 1)).toBeLessThan(0.7);
  expect((gate?.height ?? 0) / (agent?.height ?? 1)).toBeLessThan(0.7);
  await expectAccessible(page, 'the regions of a workflow');
  await page.screenshot({ path: testInfo.outputPath('open.png') });

  await page.getByRole('button', { name: 'Fold both' }).click();
  await expect(node('doubled')).toHaveCount(0);
  const card = node('group:region:parallel both');
  await expect(card).toContainText('both');
  await expect(card).toContainText('4 nodes');
  await expect(region('parallel')).toHaveCount(0);
  await window.startPaused();
  await window.give('Continue', 'F5');
  await expect(window.runStatus).toHaveText('done');
  await expect(card).toContainText('4 of 4 ran');
  await expectAccessible(page, 'a folded region');
  await page.screenshot({ path: testInfo.outputPath('folded.png') });

  await card.dblclick();
  await expect(node('doubled')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.screenshot({ path: testInfo.outputPath('ran.png') });
  await node('doubled').click();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search commands' }).fill('Fold or unfold the group');
  await page.keyboard.press('Enter');
  await expect(card).toBeVisible();
  await page.getByRole('button', { name: 'Fold settle' }).click();
  await expect(card).toHaveCount(0);
  await expect(node('group:region:sequential settle')).toContainText('6 nodes');
});
