import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { type CapsuleVerdict, testCapsule } from '#main/capsule/test-capsule.ts';
import { updateCapsule } from '#main/capsule/update-capsule.ts';
import { trustOf } from '#main/hosts/cli/consent.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/exit-codes.ts';
import { printDivergence } from '#main/hosts/cli/history-output.ts';
import { readCapsuleFile } from '#main/hosts/cli/run-source.ts';
import { printLine, printNote, styled } from '#main/hosts/cli/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/workspace.ts';
import { fileFailure } from '#main/workspace/file-failure.ts';
import { replaceFile } from '#main/workspace/replace-file.ts';

export interface TestOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly update?: boolean;
}

const capsuleName = /\.capsule\.json$/i;

/** `pravah test [FILE|FOLDER…]`, without one all of this folder: computes the runs of capsules again with the flows as they are now. */
export async function test(named: readonly string[], options: TestOptions): Promise<number> {
  const given = named.length > 0 ? named : [options.folder ?? '.'];
  const files = given.flatMap(capsulesAt);
  if (files.length === 0)
    throw new UsageError(`There is no capsule (*.capsule.json) in ${given.join(', ')}. \`pravah export-run\` makes them.`);
  const counts = { same: 0, differs: 0, broken: 0, updated: 0 };
  for (const file of files) {
    const folder = await chooseWorkspace(options.folder, file);
    await trustOf(folder, options);
    const text = readCapsuleFile(file);
    const verdict = await testCapsule(text, file, folder);
    const updated = options.update === true && verdict.verdict === 'differs' && (await update(file, text, folder));
    counts[updated ? 'updated' : verdict.verdict] += 1;
    if (options.json) printLine(JSON.stringify({ file, updated, ...verdict }));
    else tell(file, verdict, updated);
  }
  const { same, differs, broken, updated } = counts;
  if (options.json) printLine(JSON.stringify({ type: 'summary', ...counts }));
  else printLine(`${same} the same, ${differs} different, ${broken} broken${options.update ? `, ${updated} updated` : ''}`);
  return differs + broken === 0 ? exitCodes.success : exitCodes.error;
}

/** Writes what comes of the run now in the place of what is expected. Answers whether it could. */
async function update(file: string, text: string, folder: string): Promise<boolean> {
  try {
    const updated = capsuleText(await updateCapsule(text, file, folder));
    await replaceFile(resolve(file), updated).catch((error: unknown) => {
      throw fileFailure('cannot be updated', file, error);
    });
    return true;
  } catch (error) {
    printNote(error instanceof Error ? error.message : String(error));
    return false;
  }
}

function tell(file: string, verdict: CapsuleVerdict, updated: boolean): void {
  if (verdict.verdict === 'broken') {
    printLine(`${styled('red', 'broken')}   ${file}\n  ${verdict.error.message}`);
    return;
  }
  const { divergence, steps, total } = verdict.report;
  printLine(`${divergence ? styled('red', 'differs') : styled('green', 'same   ')}  ${file}  ${steps} of ${total} steps`);
  if (divergence) printDivergence(divergence);
  if (updated) printLine(`  ${styled('green', 'updated')}`);
}

/** The capsules that a path names: the file itself, or those in a folder and the folders below, hidden ones and `node_modules` aside. */
function capsulesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file and no folder ${path}.`);
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : capsulesAt(join(path, entry.name));
      return capsuleName.test(entry.name) ? [join(path, entry.name)] : [];
    });
}
