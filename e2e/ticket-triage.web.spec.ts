import { slowness } from '#main/testing/slowness.ts';
import { fillWithTickets } from './fixtures/example-folders.ts';
import { expect, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

test('tickets are scored, the agent asks, looks again, and a person has the final word', async ({ studio }) => {
  await fillWithTickets(studio.folder);
  const window = new StudioPage(await studio.start());
  const { page } = window;
  await window.drawn(14);
  await window.run();

  await expect(page.getByText('May payouts of this customer be stopped', { exact: false }).first()).toBeVisible({
    timeout: 45_000 * slowness,
  });
  await window.decide('Call first');

  await expect(page.getByText('Call the customer, then decide about the payouts.').first()).toBeVisible();
  await page
    .getByRole('textbox', { name: /Decision/ })
    .or(page.getByRole('combobox', { name: /Decision/ }))
    .first()
    .click();
  await page.getByRole('option', { name: 'go' }).click();
  await window.decide('Submit');
  await expect(window.nothingWaits).toBeVisible();
  await expect(window.runStatus).toHaveText('done');
  // Five transitions for each of 42 tickets, and what comes before and after: the loop ran on under one F5.
  await expect.poll(async () => Number((await window.tab('Timeline').textContent())?.replace(/\D/g, ''))).toBeGreaterThan(210);
  // From 200 steps on, each round is one line.
  await page.getByRole('listbox', { name: 'Transitions' }).press('End');
  await expect.poll(async () => Number(await window.transitions.last().getAttribute('aria-setsize'))).toBeLessThan(80);
  await page.getByRole('tab', { name: 'State' }).click();
  const report = page.getByRole('tabpanel', { name: 'State' });
  await expect(report).toContainText('Report');
  await expect(report).toContainText('go');
});
