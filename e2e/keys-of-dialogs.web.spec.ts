import { fillWithReleaseNotes } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

async function open(studio: StudioUnderTest): Promise<StudioPage> {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  return window;
}

test('keys that are typed right after the palette was opened reach its field', async ({ studio }) => {
  const { page } = await open(studio);
  await page.locator('[data-canvas]').focus();
  // As fast as keys can follow: each in the task after the one before.
  const typed = await page.evaluate(async () => {
    const nextTask = () => new Promise((resolve) => setTimeout(resolve));
    const press = (key: string, more: KeyboardEventInit = {}) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
      );
    press('k', { code: 'KeyK', ctrlKey: true });
    await nextTask();
    for (const letter of 'undo') {
      if (press(letter)) document.execCommand('insertText', false, letter);
      await nextTask();
    }
    return document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null;
  });
  expect(typed).toBe('undo');
  await expect(
    page
      .getByRole('option', { name: /^Undo/ })
      .or(page.getByRole('button', { name: /^Undo/ }))
      .first(),
  ).toBeVisible();
});

test('a dialog that is closed is gone at once, and the next key is a command', async ({ studio }) => {
  const window = await open(studio);
  const { page } = window;
  await window.card('Sort by kind').click();
  await page.keyboard.press('Control+d');
  await expect(window.card('Sort by kind')).toHaveCount(2);
  await page.keyboard.press('Control+Alt+z');
  await expect(page.getByRole('dialog')).toBeVisible();
  const left = await page.evaluate(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve));
    const dialogs = document.querySelectorAll('[role="dialog"]').length;
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true }));
    return dialogs;
  });
  expect(left).toBe(0);
  await expect(window.card('Sort by kind')).toHaveCount(1);
});
