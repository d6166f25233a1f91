import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyFolder, mostBytes, sizeOfCopy } from './copy-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pravah-copied-')));
  await mkdir(join(folder, 'inside', '.pravah'), { recursive: true });
  await mkdir(join(folder, '.pravah'));
  await writeFile(join(folder, '.pravah', 'journal.sqlite'), 'journal');
  await writeFile(join(folder, 'inside', '.pravah', 'mine'), 'mine');
  await writeFile(join(folder, 'a.txt'), 'four');
  await symlink('../a.txt', join(folder, 'inside', 'link'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a copy has everything except the journal, keeps links, is private and is deleted', async () => {
  expect(await sizeOfCopy(folder)).toMatchObject({ files: 3, tooLarge: false });
  let copied = '';
  {
    await using copy = await copyFolder(folder);
    copied = copy.folder;
    expect((await readdir(copied)).sort()).toEqual(['a.txt', 'inside']);
    expect(await readlink(join(copied, 'inside', 'link'))).toBe('../a.txt');
    expect(await readFile(join(copied, 'inside', '.pravah', 'mine'), 'utf8')).toBe('mine');
    if (process.platform !== 'win32') expect((await stat(copied)).mode & 0o077).toBe(0);
    await writeFile(join(copied, 'a.txt'), 'changed');
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('four');
  }
  await expect(stat(copied)).rejects.toThrow('ENOENT');
});

test('a folder over the limit is found to be too large without being copied', async () => {
  await writeFile(join(folder, 'large'), '');
  await truncate(join(folder, 'large'), mostBytes);
  expect(await sizeOfCopy(folder)).toMatchObject({ tooLarge: true });
});

/** Calls git in a folder, without the settings of this machine, and returns what it prints. */
function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgSign=false'];
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: tmpdir() };
  return execFileSync('git', [...identity, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

async function repository(): Promise<string> {
  const top = join(folder, 'repository');
  await mkdir(top);
  git(top, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(top, 'a.txt'), 'first');
  git(top, 'add', 'a.txt');
  git(top, 'commit', '--quiet', '--message=first');
  return top;
}

test('a commit, a stash or a deleted branch in the copy of a repository leaves the original as it is', async () => {
  const top = await repository();
  git(top, 'branch', 'kept');
  await writeFile(join(top, 'untracked.txt'), 'untracked');
  await writeFile(join(top, 'a.txt'), 'edited');
  await using copy = await copyFolder(top);
  expect(git(copy.folder, 'status', '--short').split('\n')).toEqual(['M a.txt', '?? untracked.txt']);
  git(copy.folder, 'commit', '--quiet', '--all', '--message=second');
  git(copy.folder, 'branch', '--delete', '--force', 'kept');
  await writeFile(join(copy.folder, 'a.txt'), 'stashed');
  git(copy.folder, 'stash');
  expect(git(top, 'log', '--format=%s', '--all')).toBe('first');
  expect(git(top, 'branch', '--format=%(refname:short)').split('\n')).toEqual(['kept', 'main']);
  expect(git(top, 'status', '--short').split('\n')).toEqual(['M a.txt', '?? untracked.txt']);
});

test('the copy of a linked worktree has its files but no way to the repository of the original', async () => {
  const top = await repository();
  const linked = join(folder, 'linked');
  git(top, 'worktree', 'add', '--quiet', '-b', 'other', linked);
  await using copy = await copyFolder(linked);
  expect(await readdir(copy.folder)).toEqual(['a.txt']);
  expect(() => git(copy.folder, 'commit', '--allow-empty', '--message=second')).toThrow('not a git repository');
  expect(git(top, 'log', '--format=%s', '--all')).toBe('first');
});

test('the copy of a repository with a submodule keeps the repository of the submodule, which is in the copy', async () => {
  const top = await repository();
  const outer = join(folder, 'outer');
  await mkdir(outer);
  git(outer, 'init', '--quiet');
  git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', top, 'inner');
  await using copy = await copyFolder(outer);
  const inner = join(copy.folder, 'inner');
  expect(git(inner, 'rev-parse', '--absolute-git-dir')).toBe(join(copy.folder, '.git', 'modules', 'inner'));
  git(inner, 'commit', '--quiet', '--allow-empty', '--message=second');
  expect(git(join(outer, 'inner'), 'log', '--format=%s', '--all')).toBe('first');
});
