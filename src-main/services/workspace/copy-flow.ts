import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { FolderSession } from '#main/services/workspace/folder-session.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** A file that a copy would write; `path` is relative to both folders. */
export interface PlannedFile {
  readonly path: string;
  readonly exists: boolean;
}

/** What a flow needs to run elsewhere: its document and layout, files that it names, and the settings where the other folder has none. */
export async function planFlowCopy({ background, folder }: FolderSession, path: string, target: string): Promise<PlannedFile[]> {
  const needed = await background.call('filesOfFlow', { path });
  const planned = await Promise.all(needed.map(async (file) => ({ path: file, exists: await isThere(join(target, file)) })));
  const settings = (await isThere(join(folder, settingsFile))) && !(await isThere(join(target, settingsFile)));
  return settings ? [...planned, { path: settingsFile, exists: false }] : planned;
}

const settingsFile = 'pravah.json';

/**
 * Copies a flow with what it needs into another folder. Throws `Conflict` when one of the files is there already, or would
 * land outside by a link; nothing has been copied then, nor after any other failure.
 */
export async function copyFlow(session: FolderSession, path: string, target: string): Promise<void> {
  const plan = await planFlowCopy(session, path, target);
  const taken = plan.filter(({ exists }) => exists).map((file) => file.path);
  if (taken.length > 0 || target === session.folder) throw conflict(target, `has ${taken.join(', ')} already`);
  const copied: string[] = [];
  try {
    for (const file of plan) {
      const to = join(target, file.path);
      await makeFolderInside(target, dirname(to));
      await copyFile(await insideOf(session.folder, file.path), to, constants.COPYFILE_EXCL);
      copied.push(to);
    }
  } catch (error) {
    await Promise.all(copied.map((file) => rm(file, { force: true })));
    throw error;
  }
}

/** Real path of a file that a flow needs; one that a link takes from elsewhere is not the folder's to give. */
async function insideOf(folder: string, path: string): Promise<string> {
  const real = await realpath(join(folder, path));
  if (real.startsWith(folder + sep)) return real;
  throw new FlowError('Conflict', `${path} is a link that leads out of ${folder}. Nothing was copied.`, { details: { path } });
}

/** Makes a folder below `target`. Judged by the real path of what is there before anything is made. */
async function makeFolderInside(target: string, folder: string): Promise<void> {
  let nearest = folder;
  while (!(await isThere(nearest))) nearest = dirname(nearest);
  const real = await realpath(nearest);
  if (real !== target && !real.startsWith(target + sep)) throw conflict(target, `has a link at ${nearest} that leads out of it`);
  await mkdir(folder, { recursive: true });
}

function conflict(target: string, why: string): FlowError {
  return new FlowError('Conflict', `${target} ${why}. Nothing was copied. Choose another folder, or move what is there.`, {
    details: { folder: target },
  });
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
