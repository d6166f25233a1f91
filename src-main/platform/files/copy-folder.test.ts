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
