import { expect, test } from './fixtures/studio.ts';

test('a call and a stream reach the page through its host', async ({ studio }) => {
  const page = await studio.start();
  const pulse = page.locator('[data-beats]');
  await expect(pulse).toHaveAttribute('data-host', studio.host);
  await expect.poll(async () => Number(await pulse.getAttribute('data-beats'))).toBeGreaterThan(1);
});
