import { mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { isTrusted, setTrusted } from '#main/workspace/trust.ts';
import { journalIdOf, makeProfileFolder, profileFolder, recentlyOpened, rememberFolder, rememberJournalId } from './profile.ts';

let profile: Awaited<ReturnType<typeof temporaryProfile>>;
let folder: string;
beforeEach(async () => {
  profile = await temporaryProfile();
  folder = join(profile.root, 'work');
  await mkdir(folder);
});
afterEach(() => profile[Symbol.asyncDispose]());

describe('the profile folder', () => {
  test.each<[Record<string, string>, NodeJS.Platform, string]>([
    [{ PRAVAH_HOME: '/a' }, 'linux', '/a'],
    [{ PRAVAH_HOME: '/a', XDG_DATA_HOME: '/x' }, 'darwin', '/a'],
    [{ XDG_DATA_HOME: '/x' }, 'linux', '/x/pravah-studio'],
    [{ XDG_DATA_HOME: 'relative' }, 'linux', join(homedir(), '.local/share/pravah-studio')],
    [{}, 'linux', join(homedir(), '.local/share/pravah-studio')],
    [{}, 'darwin', join(homedir(), 'Library/Application Support/Pravah Studio')],
    [{ LOCALAPPDATA: '/local' }, 'win32', '/local/Pravah Studio'],
  ])('for %j on %s is %s', (env, platform, expected) => {
    expect(profileFolder(env, platform)).toBe(expected);
  });

  test('is accessible to its owner only, even if it already existed', async () => {
    await mkdir(profile.home, { mode: 0o755 });
    await makeProfileFolder('journals');
    expect((await stat(profile.home)).mode & 0o777).toBe(0o700);
    await setTrusted(folder, true);
    const [entry] = await readdir(join(profile.home, 'trust'));
    expect((await stat(join(profile.home, 'trust', entry as string))).mode & 0o777).toBe(0o600);
  });
});

describe('trust', () => {
  test('can be granted and revoked by the user', async () => {
    expect(await isTrusted(folder)).toBe(false);
    await setTrusted(folder, true);
    expect(await isTrusted(folder)).toBe(true);
    await setTrusted(folder, false);
    expect(await isTrusted(folder)).toBe(false);
  });

  test('goes by real path', async () => {
    await symlink(folder, join(profile.root, 'alias'));
    await setTrusted(join(profile.root, 'alias'), true);
    expect(await isTrusted(folder)).toBe(true);
    // The link now leads elsewhere, and its name is worth nothing.
    const other = join(profile.root, 'other');
    await mkdir(other);
    await symlink(other, join(profile.root, 'new'));
    await rename(join(profile.root, 'new'), join(profile.root, 'alias'));
    expect(await isTrusted(join(profile.root, 'alias'))).toBe(false);
  });

  test('covers neither parents nor children', async () => {
    await mkdir(join(folder, 'child'));
    await setTrusted(folder, true);
    expect(await isTrusted(join(folder, 'child'))).toBe(false);
    expect(await isTrusted(profile.root)).toBe(false);
  });

  test('is not read from a corrupt entry, nor from one of another folder', async () => {
    await setTrusted(folder, true);
    const other = join(profile.root, 'other');
    await mkdir(other);
    await setTrusted(other, true);
    const names = await readdir(join(profile.home, 'trust'));
    await rename(join(profile.home, 'trust', names[0] as string), join(profile.home, 'trust', names[1] as string));
    expect([await isTrusted(folder), await isTrusted(other)].filter(Boolean)).toHaveLength(0);
    await writeFile(join(profile.home, 'trust', names[1] as string), '{"folder":');
    expect([await isTrusted(folder), await isTrusted(other)]).toEqual([false, false]);
  });

  test('set for many folders at once loses none', async () => {
    const folders = Array.from({ length: 20 }, (_, index) => join(profile.root, `f${index}`));
    await Promise.all(folders.map((name) => mkdir(name)));
    await Promise.all(folders.map((name) => setTrusted(name, true)));
    expect(await Promise.all(folders.map(isTrusted))).toEqual(folders.map(() => true));
  });
});

test('recent folders come latest first', async () => {
  const other = join(profile.root, 'other');
  await mkdir(other);
  await rememberFolder(folder, 1);
  await rememberFolder(other, 2);
  await rememberFolder(folder, 3);
  expect(await recentlyOpened()).toEqual([
    { folder, opened_at: 3 },
    { folder: other, opened_at: 2 },
  ]);
  expect(await recentlyOpened(1)).toHaveLength(1);
});

test("a folder's journal id is remembered outside the folder", async () => {
  expect(await journalIdOf(folder)).toBeNull();
  await rememberJournalId(folder, 'id-1');
  expect(await journalIdOf(folder)).toBe('id-1');
  expect(await readdir(folder)).toEqual([]);
});
