import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { isMissing } from '#main/platform/file-failure.ts';
import { isOurs } from '#main/platform/owner.ts';
import { type GitCall, refusedGit } from './git-call.ts';
import { settingFault } from './harmless-settings.ts';
import { readSettings } from './read-settings.ts';

/** Maximum number of entries in `.git`; a repository with more is rejected. */
const mostEntries = 500_000;

/** Files that make a repository use another one, with their effect. */
const leads: readonly (readonly [path: string, what: string])[] = [
  ['commondir', 'takes its data from another repository'],
  ['objects/info/alternates', 'takes objects from another repository'],
  ['objects/info/http-alternates', 'takes objects from another address'],
];

/**
 * Checks the repository of an untrusted folder: `.git` must be a plain folder of the same user, without links or references elsewhere, and
 * its configuration and its submodules' must be harmless. Returns whether there is a repository. Throws ToolError `ForbiddenCommand` with
 * what was found and what to do.
 *
 * Race conditions: the folder could change between this check and git's own reading. Under the studio only git itself writes `.git`, and
 * the git commands allowed in untrusted folders write nothing that is checked here. Another program of the user still could.
 */
export async function checkPlainRepository(call: GitCall, folder: string): Promise<boolean> {
  const gitFolder = join(folder, '.git');
  const found = await lstat(gitFolder).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found === null) return false;
  if (!found.isDirectory()) {
    const what = found.isSymbolicLink() ? 'a link' : 'a file that leads to another repository';
    throw refusal('.git', `is ${what}, not a folder`);
  }
  if (!isOurs(found)) throw refusal('.git', `belongs to another user (uid ${found.uid})`);
  const repositories = await repositoriesIn(gitFolder);
  for (const repository of repositories) {
    const isSubmodule = repository !== gitFolder;
    await checkRepository({ call, folder, repository, isSubmodule });
  }
  return true;
}

interface Checked {
  readonly call: GitCall;
  readonly folder: string;
  /** The submodule's git folder. */
  readonly repository: string;
  readonly isSubmodule: boolean;
}

/** Checks the repository of a submodule and returns whether it is checked out. Throws like `checkPlainRepository`. */
export async function checkSubmodule(call: GitCall, folder: string, path: string): Promise<boolean> {
  const name = `${path}/.git`;
  const gitFolder = join(folder, path, '.git');
  const found = await lstat(gitFolder).catch(() => null);
  if (found === null) return false;
  if ((await realpath(join(folder, path))) !== join(folder, path)) throw refusal(path, 'is a submodule behind a link');
  if (found.isDirectory()) {
    for (const repository of await repositoriesIn(gitFolder, name)) await checkRepository({ call, folder, repository, isSubmodule: true });
    return true;
  }
  if (!found.isFile()) throw refusal(name, 'is a link, not a folder');
  const target = /^gitdir: (.*?)\s*$/s.exec(await readFile(gitFolder, 'utf8'))?.[1] ?? '';
  const real = await realpath(resolve(folder, path, target)).catch(() => '');
  // Everything in .git/modules was checked with `.git` itself.
  if (!real.startsWith(join(folder, '.git', 'modules') + sep)) throw refusal(name, 'leads to a repository outside .git/modules');
  return true;
}

/** Returns the git folder and those of submodules in it. Throws if it contains anything other than files and folders. */
async function repositoriesIn(gitFolder: string, name = '.git'): Promise<string[]> {
  const found = [gitFolder];
  let entries = 0;
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (++entries > mostEntries) throw refusal(name, `contains more than ${mostEntries} files`);
      if (entry.isDirectory()) await walk(path);
      else if (!entry.isFile()) throw refusal(join(name, relative(gitFolder, path)), 'is a link or a special file, not a file');
      else if (entry.name === 'HEAD' && path.startsWith(join(gitFolder, 'modules') + sep)) found.push(folder);
    }
  };
  await walk(gitFolder);
  return found;
}

async function checkRepository({ call, folder, repository, isSubmodule }: Checked): Promise<void> {
  for (const [path, what] of leads) {
    const file = join(repository, path);
    if (await exists(file)) throw refusal(relative(folder, file), what);
  }
  for (const name of ['config', 'config.worktree']) {
    const file = join(repository, name);
    if (!(await exists(file))) continue;
    for (const { key, value } of await readSettings(call, file)) {
      if (isSubmodule && key === 'core.worktree' && isInside(folder, resolve(repository, value))) continue;
      const fault = settingFault(key, value);
      if (fault) throw settingRefusal(key, relative(folder, file), fault);
    }
  }
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder + sep);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function refusal(file: string, what: string) {
  return refusedGit(
    `git is blocked here: the folder is not trusted, and ${file} ${what}. Trust the folder if you know where its repository comes from.`,
    { file },
  );
}

function settingRefusal(key: string, file: string, fault: string) {
  const unset = `git config --file ${shellWord(file)} --unset-all ${shellWord(key)}`;
  return refusedGit(
    `git is blocked here: the folder is not trusted, and ${file} sets ${JSON.stringify(key)}, which ${fault}. Trust the folder, or remove the setting: ${unset}`,
    { file, key },
  );
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
