import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails with what axe finds serious or critical in what is in sight now. `what` says what that is. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Colours are judged when fades have ended.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'));
  // In one page: the desktop window opens no second one for axe.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const findings = serious.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`) }));
  expect(findings, what).toEqual([]);
}
