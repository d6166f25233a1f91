import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { replaceFile } from './replace-file.ts';

let profile: Awaited<ReturnType<typeof temporaryProfile>>;
let file: string;
beforeEach(async () => {
  profile = await temporaryProfile();
  file = join(profile.root, 'a.txt');
});
afterEach(() => profile[Symbol.asyncDispose]());

test('a new file gets its mode, an old one keeps its own', async () => {
  await replaceFile(file, 'one', { mode: 0o600 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await chmod(file, 0o751);
  await replaceFile(file, 'two', { mode: 0o600 });
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['two', 0o751]);
  expect(await readdir(profile.root)).toEqual(['a.txt']);
});

test('a last look that fails leaves everything as it was', async () => {
  await writeFile(file, 'old');
  const check = async () => {
    throw new Error('not any more');
  };
  await expect(replaceFile(file, 'new', { check })).rejects.toThrow('not any more');
  expect([await readFile(file, 'utf8'), await readdir(profile.root)]).toEqual(['old', ['a.txt']]);
});

test('a reader sees the old or the new content and never a part, while many write', async () => {
  const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
  await writeFile(file, contents[0] as string);
  const writing = Promise.all(contents.map((content) => replaceFile(file, content)));
  let done = false;
  void writing.then(() => {
    done = true;
  });
  while (!done) expect(contents).toContain(await readFile(file, 'utf8'));
  await writing;
  expect(await readdir(profile.root)).toEqual(['a.txt']);
});
