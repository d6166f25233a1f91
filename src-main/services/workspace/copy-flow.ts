import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { FlowError } from '#shared/run/error.ts';
import type { FolderSession } from './folder-session.ts';

/** A file that a copy would write; `path` is relative to both folders. */
export interface PlannedFile {
  readonly path: string;
  readonly exists: boolean;
}

/** Returns what a flow needs to run elsewhere: document, layout, referenced files, and settings if the target has none. */
export async function planFlowCopy({ background, folder }: FolderSession, path: string, target: string): Promise<PlannedFile[]> {
  const needed = await background.call('filesOfFlow', { path });
  const planned = await Promise.all(needed.map(async (file) => ({ path: file, exists: await isThere(join(target, file)) })));
  const settings = (await isThere(join(folder, settingsFile))) && !(await isThere(join(target, settingsFile)));
  return settings ? [...planned, { path: settingsFile, exists: false }] : planned;
}

const settingsFile = 'pravah.json';

/**
 * Copies a flow with its dependencies into another folder. Throws `Conflict` if one of the files already exists there or would
 * end up outside through a link. After any failure, nothing is copied.
 */
export async function copyFlow(session: FolderSession, path: string, target: string): Promise<void> {
  const plan = await planFlowCopy(session, path, target);
  const taken = plan.filter(({ exists }) => exists).map((file) => file.path);
  if (taken.length > 0 || target === session.folder) throw conflict(target, `already contains ${taken.join(', ')}`);
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

/** Returns the real path of a file inside the folder; refuses links to files outside. */
async function insideOf(folder: string, path: string): Promise<string> {
  const real = await realpath(join(folder, path));
  if (real.startsWith(folder + sep)) return real;
  throw new FlowError('Conflict', `${path} is a link to a file outside ${folder}. Nothing was copied.`, { details: { path } });
}

/** Creates a folder below `target`, after checking the real path of its nearest existing parent. */
async function makeFolderInside(target: string, folder: string): Promise<void> {
  let nearest = folder;
  while (!(await isThere(nearest))) nearest = dirname(nearest);
  const real = await realpath(nearest);
  if (real !== target && !real.startsWith(target + sep)) throw conflict(target, `contains a link at ${nearest} to another folder`);
  await mkdir(folder, { recursive: true });
}

function conflict(target: string, why: string): FlowError {
  return new FlowError('Conflict', `${target} ${why}. Nothing was copied. Choose another folder, or move the existing files.`, {
    details: { folder: target },
  });
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
