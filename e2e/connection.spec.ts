import { expect, test } from './fixtures/studio.ts';

test('a call and a stream reach the page through its host', async ({ studio }) => {
  const page = await studio.start();
  await expect(page.getByTestId('host')).toHaveText(studio.host);
  await expect.poll(async () => Number(await page.getByTestId('beats').textContent())).toBeGreaterThan(3);
});
