import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { FlowDocuments } from './flow-documents.ts';

// Processes start in seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const path = 'a.flow.yaml';
const program = join(import.meta.dirname, '..', 'testing', 'editing-process.ts');
/** Two nodes with lines between them, so that edits of both can be merged. */
const flow =
  'pravah: 1\nname: A\nnodes:\n  - kind: work\n    title: one 0\n    from: A\n    to: B\n  - kind: work\n    title: two 0\n    from: B\n    to: C\n';

interface Editor {
  readonly child: ChildProcess;
  /** Edits reported as stored. */
  readonly kept: string[];
  /** Resolves when N edits are reported as stored. */
  until(count: number): Promise<void>;
}

/** A process that edits the line of its word, with numbers from `first` on. */
function editor(folder: string, word: string, first = 1): Editor {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, folder, path, word, String(first)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const kept: string[] = [];
  let wake = () => {};
  createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', (line) => {
    kept.push(line);
    wake();
  });
  child.stdin?.write('edit\n');
  return {
    child,
    kept,
    async until(count) {
      while (kept.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

async function kill({ child }: Editor): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** All versions of the flow that a studio finds which starts now. */
async function found(folder: string): Promise<string[]> {
  const documents = new FlowDocuments(folder, () => undefined);
  const { text, draft, others } = await documents.at(path).read();
  documents.close();
  return [text, draft?.text ?? '', ...others.map((other) => other.text)];
}

const highest = (texts: readonly string[], word: string) =>
  Math.max(...texts.map((text) => Number(new RegExp(`${word} (\\d+)`).exec(text)?.[1] ?? -1)));

test('a killed process loses no edit that it has acknowledged', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, path), flow);
  for (const count of [1, 4, 9, 23]) {
    const one = editor(folder, 'one', count * 1000);
    await one.until(count);
    await kill(one);
    expect(highest(await found(folder), 'one')).toBeGreaterThanOrEqual(Number(one.kept.at(-1)));
  }
  expect(await readFile(join(folder, path), 'utf8')).toBe(flow);
});

test('two processes that edit one flow at once keep every edit, and so does a kill of either', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, path), flow);
  const [one, two] = [editor(folder, 'one'), editor(folder, 'two')];
  await Promise.all([one.until(10), two.until(10)]);
  await kill(one);
  const seen = two.kept.length;
  await two.until(seen + 5);
  await kill(two);
  const texts = await found(folder);
  for (const { kept } of [one, two]) {
    const last = Number(kept.at(-1)?.replace('refused ', ''));
    expect(highest(texts, kept === one.kept ? 'one' : 'two'), JSON.stringify(texts)).toBeGreaterThanOrEqual(last);
  }
});
