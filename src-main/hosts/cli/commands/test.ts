import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { type CapsuleVerdict, testCapsule } from '#main/capsule/test-capsule.ts';
import { updateCapsule } from '#main/capsule/update-capsule.ts';
import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printDivergence } from '#main/hosts/cli/output/history-output.ts';
import { countOf, printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { CapsuleCoverage, percentOf, printCoverage } from '#main/hosts/cli/session/capsule-coverage.ts';
import { readCapsuleFile } from '#main/hosts/cli/session/run-source.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { fileFailure } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';

export interface TestOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly update?: boolean;
  readonly allowSupplied?: boolean;
  readonly coverage?: boolean;
  /** The least coverage in percent; implies `coverage`. */
  readonly min?: number;
}

const capsuleName = /\.capsule\.json$/i;

/** `pravah test [FILE|FOLDER…]`: replays capsules with the current flows. Defaults to all capsules of this folder. */
export async function test(named: readonly string[], options: TestOptions): Promise<number> {
  const given = named.length > 0 ? named : [options.folder ?? '.'];
  const files = given.flatMap(capsulesAt);
  if (files.length === 0)
    throw new UsageError(`No capsules (*.capsule.json) found in ${given.join(', ')}. Create one with: pravah export-run.`);
  const coverage = options.coverage || options.min !== undefined ? new CapsuleCoverage() : null;
  const counts = { same: 0, differs: 0, broken: 0, updated: 0 };
  for (const file of files) {
    const folder = await chooseWorkspace(options.folder, file);
    await trustOf(folder, options);
    const text = readCapsuleFile(file);
    const verdict = await testCapsule(text, file, folder, options.allowSupplied);
    const updated = options.update === true && verdict.verdict === 'differs' && (await update(file, text, folder));
    if (verdict.verdict !== 'broken') await coverage?.add(text, file, folder);
    counts[updated ? 'updated' : verdict.verdict] += 1;
    if (options.json) printLine(JSON.stringify({ file, updated, ...verdict }));
    else printVerdict(file, verdict, updated);
  }
  const measured = (await coverage?.results()) ?? [];
  for (const each of measured) {
    if (options.json) printLine(JSON.stringify({ type: 'coverage', ...each }));
    else printCoverage(each);
  }
  const { same, differs, broken, updated } = counts;
  if (options.json) printLine(JSON.stringify({ type: 'summary', ...counts }));
  else printLine(`${same} same, ${differs} different, ${broken} broken${options.update ? `, ${updated} updated` : ''}`);
  const low = measured.filter((each) => percentOf(each) < (options.min ?? 0));
  for (const each of low) printNote(`The coverage of ${each.flow} is below ${options.min} %.`);
  return differs + broken + low.length === 0 ? exitCodes.success : exitCodes.error;
}

/** Stores the current result as the new expectation. Returns whether that succeeded. */
async function update(file: string, text: string, folder: string): Promise<boolean> {
  try {
    const updated = capsuleText(await updateCapsule(text, file, folder));
    await replaceFile(resolve(file), updated).catch((error: unknown) => {
      throw fileFailure('could not be updated', file, error);
    });
    return true;
  } catch (error) {
    printNote(error instanceof Error ? error.message : String(error));
    return false;
  }
}

function printVerdict(file: string, verdict: CapsuleVerdict, updated: boolean): void {
  if (verdict.verdict === 'broken') {
    printLine(`${styled('red', 'broken')}   ${file}\n  ${verdict.error.message}`);
    return;
  }
  const { divergence, steps, total } = verdict.report;
  printLine(`${divergence ? styled('red', 'differs') : styled('green', 'same   ')}  ${file}  ${steps} of ${countOf(total, 'step')}`);
  if (divergence) printDivergence(divergence);
  if (updated) printLine(`  ${styled('green', 'updated')}`);
}

/** Returns the capsules at a path: the file itself, or all in a folder and its subfolders, except hidden ones and `node_modules`. */
function capsulesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`No such file or folder: ${path}.`);
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : capsulesAt(join(path, entry.name));
      return capsuleName.test(entry.name) ? [join(path, entry.name)] : [];
    });
}
