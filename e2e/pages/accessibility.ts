import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Fails with what axe finds serious or critical in what is in sight now, in both colour schemes: everything in the light one, and in
 * the dark one the contrast of its colours, which are all that differs. `what` says what that is. `part` selects what alone has come
 * to a screen that was looked at before.
 */
export async function expectAccessible(page: Page, what: string, part?: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    // Colours are judged when fades have ended.
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'));
    // In one page: the desktop window opens no second one for axe. What passes is not told, which takes as long as the looking.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    if (part !== undefined) axe.include(part);
    const rules = scheme === 'dark' ? { runOnly: { type: 'rule' as const, values: ['color-contrast'] } } : {};
    const { violations } = await axe.options({ ...rules, resultTypes: ['violations'] }).analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const findings = serious.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }));
    expect(findings, `${what}, ${scheme}`).toEqual([]);
  }
}
