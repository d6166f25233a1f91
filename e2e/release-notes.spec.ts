import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pravah } from './fixtures/command-line.ts';
import { fillWithReleaseNotes, proposedHeading } from './fixtures/example-folders.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { StudioPage } from './pages/studio-page.ts';

const question = 'write_file wants to change a file';

const changelogOf = (studio: StudioUnderTest) => readFile(join(studio.folder, 'CHANGELOG.md'), 'utf8');

async function openReleaseNotes(studio: StudioUnderTest): Promise<StudioPage> {
  await fillWithReleaseNotes(studio.folder);
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  await window.trustFolder();
  return window;
}

async function runToTheQuestion(studio: StudioUnderTest): Promise<StudioPage> {
  const window = await openReleaseNotes(studio);
  await window.run();
  await expect(window.page.getByRole('heading', { name: question })).toBeVisible();
  return window;
}

test('a person steps to the approval, edits what is proposed, approves, and finds it on disk', async ({ studio }) => {
  const window = await openReleaseNotes(studio);
  const { page } = window;
  await window.startPaused();
  for (let step = 1; step <= 6; step++) await window.step('F11', step);
  await expect(window.card('Merge lists')).toHaveAttribute('data-status', 'ran');
  await expect(window.card('Write release notes')).toHaveAttribute('data-status', 'next');
  await expect(window.card('Say so')).not.toHaveAttribute('data-status', /.*/);

  // Any earlier step can be looked at, with the states as they were.
  await window.transitions.filter({ hasText: 'Sort by kind' }).click();
  const states = page.getByRole('group', { name: 'State map' });
  await expect(states.getByText('Features', { exact: true })).toBeVisible();
  await expect(states.getByText('Fixes', { exact: true })).toBeVisible();
  await expect(states.getByText('Draft', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Back to latest' }).click();
  await expect(states.getByText('Draft', { exact: true })).toBeVisible();

  await window.give('Continue', 'F5');
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
  await expect(window.card('Write release notes')).toHaveAttribute('data-status', 'waiting');
  await expect(page.getByRole('group', { name: 'Changes to CHANGELOG.md' })).toContainText(proposedHeading);
  expect(await changelogOf(studio)).not.toContain(proposedHeading);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const content = page.getByRole('textbox', { name: /content/ });
  await content.fill((await content.inputValue()).replace('Export invoices as CSV', 'Invoices can be exported as CSV'));
  await expect(page.getByRole('group', { name: 'Changes to CHANGELOG.md' })).toContainText('Invoices can be exported as CSV');
  await window.decide('Approve as edited');
  await expect(window.nothingWaits).toBeVisible();
  await expect(window.runStatus).toHaveText('done');
  await expect(window.card('Write release notes')).toHaveAttribute('data-status', 'ran');
  const changelog = await changelogOf(studio);
  expect(changelog).toContain(proposedHeading);
  expect(changelog).toContain('Invoices can be exported as CSV');

  // The conversation keeps what the model asked for beside what ran.
  await page.getByRole('tab', { name: 'Conversation' }).click();
  const call = page.getByRole('button', { name: /write_file .* edited/ });
  await call.click();
  await expect(page.getByText('Input from the model')).toBeVisible();
  const ran = page.getByRole('list', { name: 'Input used, edited by the user' });
  await expect(ran.locator('del')).toContainText('Export invoices as CSV');
  await expect(ran.locator('ins')).toContainText('Invoices can be exported as CSV');
});

test('a refusal with its reason reaches the agent, which proposes something else', async ({ studio }) => {
  const window = await runToTheQuestion(studio);
  const { page } = window;
  const before = await changelogOf(studio);
  await page.getByRole('button', { name: 'Reject…' }).click();
  await expect(page.getByRole('button', { name: 'Reject', exact: true })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Too long.');
  await window.decide('Reject');
  await expect(page.getByRole('group', { name: 'Changes to CHANGELOG.md' })).toContainText('Three fixes (#215, #210, #207)');
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await expect(page.getByText('Too long.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Reject…' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not today.');
  await window.decide('Reject');
  await expect(window.nothingWaits).toBeVisible();
  await expect(window.runStatus).toHaveText('done');
  await page.getByRole('tab', { name: 'State' }).click();
  await expect(page.getByText('withheld').first()).toBeVisible();
  expect(await changelogOf(studio)).toBe(before);
});

test('a run that waits survives the end of its process and is answered after the next start', async ({ studio }) => {
  await runToTheQuestion(studio);
  await studio.kill();
  const window = new StudioPage(await studio.start());
  await window.drawn(8);
  await window.openWaiting(question);
  await window.decide('Approve');
  await expect(window.nothingWaits).toBeVisible();
  await expect(window.runStatus).toHaveText('done');
  expect(await changelogOf(studio)).toContain(proposedHeading);
});

test('a second answer is refused politely and changes nothing', async ({ studio }) => {
  const window = await runToTheQuestion(studio);
  const [run] = (await pravah(studio, ['runs'])).lines;
  const answer = ['resume', String(run?.run_id), '--tool-id', 'Draft::write_file', '--payload'];
  await window.page.getByRole('button', { name: 'Reject…' }).click();
  await window.page.getByRole('textbox', { name: 'Reason' }).fill('Too long.');
  const refuse = window.page.getByRole('button', { name: 'Reject', exact: true });
  await expect(refuse).toHaveAttribute('data-ready', 'true');

  // The command line is first: the run goes on to the agent's next question, and the answer in the window comes too late.
  expect((await pravah(studio, [...answer, '{"approve": false, "reason": "Shorter."}'])).code).toBe(3);
  // The window may have heard of it meanwhile, and the card with the button be gone.
  await refuse.click({ timeout: 2000 }).catch(() => expect(refuse).toHaveCount(0));
  await expect(window.page.getByRole('group', { name: 'Changes to CHANGELOG.md' })).toContainText('Three fixes (#215, #210, #207)');
  const before = await changelogOf(studio);
  expect(before).not.toContain(proposedHeading);

  // The window is first: the command line hears that nothing waits any more.
  await window.decide('Approve');
  await expect(window.nothingWaits).toBeVisible();
  await expect(window.runStatus).toHaveText('done');
  const approved = await changelogOf(studio);
  expect(approved).toContain(proposedHeading);
  const late = await pravah(studio, [...answer, '{"approve": true}']);
  expect(late.code).toBe(1);
  expect(late.lines.at(-1)).toMatchObject({ type: 'end_stream', status: 'error', error: { variant: 'UnexpectedResumption' } });
  expect(await changelogOf(studio)).toBe(approved);
});

test('of two windows that answer at the same time, the second is refused and says why', async ({ studio }) => {
  test.skip(studio.host === 'electron', 'the desktop has one window');
  const window = await runToTheQuestion(studio);
  const other = await anotherWindow(studio, window.page);
  await other.openWaiting(question);
  // Both answers are on their way before the host sees one of them.
  const underWay = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  for (const [index, { page }] of [window, other].entries())
    await page.route('**/port/*', async (route) => {
      if (route.request().postData()?.includes('/runs/resume')) {
        underWay[index]?.resolve();
        await Promise.all(underWay.map(({ promise }) => promise));
      }
      await route.continue();
    });
  await window.decide('Approve');
  await other.decide('Approve');
  const told = async () => [...(await window.notices.allInnerTexts()), ...(await other.notices.allInnerTexts())].join(' ');
  await expect.poll(told).toMatch(/answered/i);
  await expect(window.runStatus).toHaveText('done');
  expect((await changelogOf(studio)).split(proposedHeading)).toHaveLength(2);
});

async function anotherWindow(studio: StudioUnderTest, page: Page): Promise<StudioPage> {
  const { newUrl } = studio.running;
  if (!newUrl) throw new Error('This host has one window.');
  const second = await page.context().newPage();
  await second.goto(await newUrl());
  return new StudioPage(second);
}
