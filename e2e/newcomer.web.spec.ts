import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { proposedHeading } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

/** The most inputs that the way from the start to an approved change may take. */
const most = 40;

/** A user whose inputs are counted: each click, each key, each text that is typed. */
class CountedUser {
  readonly page: Page;
  inputs = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.inputs += 1;
    await target.click();
  }

  async doubleClick(target: Locator): Promise<void> {
    this.inputs += 2;
    await target.dblclick();
  }

  async press(key: string): Promise<void> {
    this.inputs += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.inputs += 1;
    await this.page.keyboard.type(text);
  }

  /** Presses Tab until the button of this name has the focus. */
  async tabTo(name: string, within: Locator): Promise<void> {
    const button = within.getByRole('button', { name, exact: true });
    await expect(button).toBeVisible();
    // A dialog or a card takes the focus a moment after it appears.
    await expect(within.locator(':focus')).toHaveCount(1);
    while (!(await button.evaluate((element) => element === document.activeElement))) {
      expect(this.inputs).toBeLessThan(most);
      await this.press('Tab');
    }
  }
}

async function begin(studio: StudioUnderTest): Promise<{ window: StudioPage; user: CountedUser }> {
  const page = await studio.start();
  await expect(page.getByRole('button', { name: /^Release notes/ })).toBeVisible();
  return { window: new StudioPage(page), user: new CountedUser(page) };
}

/** Continues after the approval, since a run that was stepped pauses after each step, and counts. */
async function ends({ home }: StudioUnderTest, window: StudioPage, user: CountedUser, proceed: () => Promise<void>): Promise<void> {
  await expect(window.runStatus).toHaveText(/^(done|paused)$/);
  if ((await window.runStatus.textContent()) === 'paused') await proceed();
  const { inputs } = user;
  const file = join(home, 'examples', 'release-notes', 'CHANGELOG.md');
  await expect(async () => expect(await readFile(file, 'utf8')).toContain(proposedHeading)).toPass();
  await expect(window.runStatus).toHaveText('done');
  expect(inputs).toBeLessThanOrEqual(most);
  test.info().annotations.push({ type: 'inputs', description: String(inputs) });
}

test('a newcomer with a mouse starts, breaks, steps, looks back, edits, continues and approves in at most 40 inputs', async ({
  studio,
}) => {
  const { window, user } = await begin(studio);
  const { page } = window;
  await user.click(page.getByRole('button', { name: /^Release notes/ }));
  await window.drawn(8);

  // The card under the pointer has a spot for a breakpoint.
  await window.card('Merge lists').hover();
  await user.click(window.card('Merge lists').getByRole('button', { name: 'Set a breakpoint (F9)' }));
  await user.click(window.command('Run'));
  await user.click(page.getByRole('dialog', { name: 'Start a run' }).getByRole('button', { name: /^Run/ }));
  await user.click(window.consent.getByRole('button', { name: 'Allow and run' }));
  await expect(page.getByText(/^Paused at breakpoint 1/)).toBeVisible();

  await expect(window.command('Over')).toHaveAttribute('aria-disabled', 'false');
  await user.click(window.command('Over'));
  await expect(window.card('Write release notes')).toHaveAttribute('data-status', 'next');
  await user.click(window.command('Back'));
  await expect(window.card('Merge lists')).toHaveAttribute('data-status', 'next');
  await user.click(window.command('Latest'));

  await user.doubleClick(window.card('Write release notes').getByTitle('Write release notes'));
  await user.press('Control+a');
  await user.type('Write the notes');
  await user.press('Enter');
  await user.click(window.command('Continue with the edited flow'));
  await expect(window.card('Write the notes')).toHaveAttribute('data-status', /next|running|waiting/);
  await window.continueUntilAsked(() => user.click(window.command('Continue')));
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toHaveAttribute('data-ready', 'true');
  await user.click(approve);
  await ends(studio, window, user, () => user.click(window.command('Continue')));
});

test('a newcomer with a keyboard does the same in at most 40 inputs', async ({ studio }) => {
  const { window, user } = await begin(studio);
  const { page } = window;
  const command = async (title: string) => {
    await user.press('Control+k');
    await expect(page.getByRole('textbox', { name: 'Search commands' })).toBeFocused();
    await user.type(title);
    await user.press('Enter');
  };
  const goTo = async (title: string) => {
    await user.press('Control+p');
    await expect(page.getByRole('textbox', { name: 'Search nodes and flows' })).toBeFocused();
    await user.type(title);
    await user.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('.react-flow__node:focus')).toContainText(title);
  };
  await command('Open the example “Release notes”');
  await window.drawn(8);

  await goTo('Merge lists');
  await user.press('F9');
  await user.press('F5');
  await expect(page.getByRole('textbox', { name: 'Since' })).toBeFocused();
  await user.press('Control+Enter');
  await user.tabTo('Allow and run', window.consent);
  await user.press('Enter');
  await expect(page.getByText(/^Paused at breakpoint 1/)).toBeVisible();

  await expect(window.command('Over')).toHaveAttribute('aria-disabled', 'false');
  await user.press('F10');
  await expect(window.card('Write release notes')).toHaveAttribute('data-status', 'next');
  await user.press('Alt+F10');
  await expect(window.card('Merge lists')).toHaveAttribute('data-status', 'next');
  await user.press('F5');

  await goTo('Write release notes');
  await user.press('F2');
  await user.press('Control+a');
  await user.type('Write the notes');
  await user.press('Enter');
  await expect(window.command('Continue with the edited flow')).toBeVisible();
  await command('Continue with the edited flow');
  await expect(window.card('Write the notes')).toHaveAttribute('data-status', /next|running|waiting/);
  await window.continueUntilAsked(() => user.press('F5'));
  await expect(window.command('Answer')).toHaveAttribute('aria-disabled', 'false');
  await user.press('F5');
  await expect(page.locator('[data-waiting-card]')).toBeFocused();
  await user.tabTo('Approve', page.getByRole('complementary', { name: 'Inspector' }));
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveAttribute('data-ready', 'true');
  await user.press('Enter');
  await ends(studio, window, user, () => user.press('F5'));
});
