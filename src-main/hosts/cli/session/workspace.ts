import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { findWorkspace } from '#main/workspace/find-workspace.ts';

/**
 * Real path of the workspace: `--folder`, else the nearest parent of `near` (a flow's file; default: the current folder) with `pravah.json`
 * that belongs to the user. Prints it to standard error if it is a parent folder.
 */
export async function chooseWorkspace(folder: string | undefined, near?: string): Promise<string> {
  if (folder !== undefined) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`Invalid --folder: ${folder} is not a folder.`);
    return realpathSync.native(folder);
  }
  const start = near === undefined ? process.cwd() : dirname(resolve(near));
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) return start;
  const found = await findWorkspace(start);
  if (found.notice) printNote(found.notice);
  if (found.above) printNote(`Workspace: ${found.folder}`);
  return found.folder;
}
