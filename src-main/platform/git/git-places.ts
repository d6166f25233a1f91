import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isOurs } from '#main/platform/owner.ts';
import { minimalEnvironment } from '#main/platform/programs/environment.ts';
import { findProgram } from '#main/platform/programs/find-program.ts';
import { refusedGit } from './git-call.ts';
import { type GitSetting, readSettings } from './read-settings.ts';

/** A folder that git uses when called in a trusted folder. */
interface GitPlace {
  /** Real path, or the path as written if it does not exist. */
  readonly path: string;
  readonly ours: boolean;
}

/** Maximum nesting of shared object stores; git's own limit. */
const mostAlternates = 5;

/**
 * Returns the folders outside a trusted folder that git uses when called there: the working tree above it, the repository of a worktree,
 * submodule repositories and shared object stores. Sorted; empty without git or a repository.
 */
export async function gitPlacesOutside(folder: string): Promise<string[]> {
  const places = await gitPlaces(folder).catch(() => []);
  const outside = places.map(({ path }) => path).filter((path) => relative(folder, path).split(/[/\\]/)[0] === '..');
  return [...new Set(outside)].sort();
}

/** Throws ToolError `ForbiddenCommand` if the repository leads to a folder of another user. */
export async function checkOwners(folder: string): Promise<void> {
  const foreign = (await gitPlaces(folder)).find(({ ours }) => !ours);
  if (foreign) {
    throw refusedGit(
      `git is blocked here: the repository leads to ${foreign.path}, which belongs to another user. Work in your own clone.`,
      {
        file: foreign.path,
      },
    );
  }
}

async function gitPlaces(folder: string): Promise<GitPlace[]> {
  const top = await repositoryAbove(folder);
  if (top === null) return [];
  const found = new Map<string, GitPlace>();
  const add = async (path: string) => {
    const real = await realpath(path).catch(() => path);
    if (!found.has(real)) found.set(real, { path: real, ours: await isOwn(real) });
    return real;
  };
  const addRepository = async (entry: string): Promise<void> => {
    const gitFolder = await gitFolderOf(entry);
    if (gitFolder === null) return;
    const [repository, common] = [await add(gitFolder), await add(await commonFolder(gitFolder))];
    for (const { key, value } of await settingsOf(folder, join(common, 'config'))) {
      if (key === 'core.worktree') await add(resolve(repository, value));
    }
    await addAlternates(join(common, 'objects'), add);
  };
  await add(top);
  await addRepository(join(top, '.git'));
  for (const { key, value } of await settingsOf(folder, join(top, '.gitmodules'))) {
    if (/^submodule\..*\.path$/s.test(key)) await addRepository(join(top, value, '.git'));
  }
  return [...found.values()];
}

/** Finds the repository like git does: the nearest folder with a `.git`, from `folder` upwards, on the same file system. */
async function repositoryAbove(folder: string): Promise<string | null> {
  const { dev } = await stat(folder);
  for (let current = folder; ; current = dirname(current)) {
    if ((await stat(current)).dev !== dev) return null;
    if (await lstat(join(current, '.git')).catch(() => null)) return current;
    if (dirname(current) === current) return null;
  }
}

/** Resolves a `.git`: the folder itself, or the target of a `.git` file. */
async function gitFolderOf(entry: string): Promise<string | null> {
  const found = await stat(entry).catch(() => null);
  if (found === null || found.isDirectory()) return found && entry;
  const target = /^gitdir: (.*?)\s*$/s.exec(await readText(entry))?.[1];
  return target === undefined ? null : resolve(dirname(entry), target);
}

async function commonFolder(gitFolder: string): Promise<string> {
  const target = (await readText(join(gitFolder, 'commondir'))).trim();
  return target === '' ? gitFolder : resolve(gitFolder, target);
}

async function addAlternates(objects: string, add: (path: string) => Promise<string>, depth = 0): Promise<void> {
  if (depth > mostAlternates) return;
  const lines = (await readText(join(objects, 'info', 'alternates'))).split('\n');
  for (const line of lines.filter((text) => text.trim() !== '' && !text.startsWith('#'))) {
    await addAlternates(await add(resolve(objects, line)), add, depth + 1);
  }
}

async function settingsOf(folder: string, file: string): Promise<GitSetting[]> {
  if (!(await stat(file).catch(() => null))) return [];
  const call = { program: await findProgram('git', folder), args: [], cwd: folder, env: minimalEnvironment() };
  return readSettings({ ...call, signal: new AbortController().signal }, file).catch(() => []);
}

async function isOwn(path: string): Promise<boolean> {
  return stat(path).then(isOurs, () => true);
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
