import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { Journal } from '#main/journal/journal.ts';
import { JournalConversations } from '#main/journal/journal-conversations.ts';
import { messageText } from '#main/models/message-text.ts';
import { exchangesOf, isFinished } from '#shared/run/kept-conversation.ts';

const soak = process.env.PRAVAH_SOAK !== undefined;
const kills = soak ? 200 : 8;
vi.setConfig({ testTimeout: soak ? 1_800_000 : 240_000 });

const program = join(import.meta.dirname, 'testing', 'talking-process.ts');

/** Starts a process that talks, and waits until it has said something. */
async function talker(file: string, name: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, file, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), once(child, 'close')]);
  return child;
}

test(`${kills} kills of two processes that talk in one conversation lose no entry and double none`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-talk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'runs.db');
  const random = seededRandom(7);
  const talkers = [await talker(file, 'one'), await talker(file, 'two')];
  for (let kill = 0; kill < kills; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random() * 60));
    const victim = kill % 2;
    const child = talkers[victim] as ChildProcess;
    expect(child.exitCode).toBe(null);
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    talkers[victim] = await talker(file, `${victim} after ${kill}`);
  }
  for (const child of talkers) {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
  const rest = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, file, 'rest', 'rest'], { stdio: 'inherit' });
  expect(await once(rest, 'close')).toEqual([0, null]);
  const journal = Journal.open(file);
  onTestFinished(() => journal.close());
  const runs = journal.rows({ limit: 100_000 });
  const entries = new JournalConversations(journal).entries('talk');
  expect(runs.every(({ status }) => status === 'success')).toBe(true);
  expect(entries.map(({ entry }) => entry.position)).toEqual(entries.map((_entry, index) => index + 1));
  expect(entries).toHaveLength(2 * runs.length);
  expect(new Set(entries.map(({ entry }) => entry.entry_id)).size).toBe(entries.length);
  const exchanges = exchangesOf(entries);
  expect(exchanges.every(isFinished)).toBe(true);
  expect(exchanges.every(([asked, answer]) => asked && answer && messageText(answer) === `re: ${messageText(asked)}`)).toBe(true);
});
