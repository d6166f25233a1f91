import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { findWorkspace } from './find-workspace.ts';

const noStranger = skipUnless(process.getuid?.() === 0, 'workspaces of another user', 'giving files away needs root');
const stranger = 65_534;

afterEach(() => vi.unstubAllEnvs());

/** Folders `a/b/c` in a folder that is the user's home where `home` says so. */
async function folders() {
  const profile = await temporaryProfile();
  const at = (path: string) => join(profile.root, path);
  await mkdir(at('a/b/c'), { recursive: true });
  return { at, [Symbol.asyncDispose]: () => profile[Symbol.asyncDispose]() };
}

const alone = (folder: string) => ({ folder, above: false, notice: null });

test('the workspace is the nearest folder with pravah.json, else the folder itself', async () => {
  await using at = await folders();
  const deep = at.at('a/b/c');
  expect(await findWorkspace(deep)).toEqual(alone(deep));
  await writeFile(at.at('a/pravah.json'), '{}');
  expect(await findWorkspace(deep)).toEqual({ folder: at.at('a'), above: true, notice: null });
  await writeFile(at.at('a/b/pravah.json'), '{}');
  expect(await findWorkspace(deep)).toEqual({ folder: at.at('a/b'), above: true, notice: null });
  expect(await findWorkspace(at.at('a/b'))).toEqual(alone(at.at('a/b')));
});

test('a folder .pravah, or a folder named pravah.json, marks no workspace', async () => {
  await using at = await folders();
  await mkdir(at.at('a/.pravah'));
  await mkdir(at.at('a/b/pravah.json'));
  expect(await findWorkspace(at.at('a/b/c'))).toEqual(alone(at.at('a/b/c')));
});

test('the home folder is a workspace only for what lies in it directly, and nothing above it is one', async () => {
  await using at = await folders();
  vi.stubEnv('HOME', at.at('a/b'));
  await writeFile(at.at('a/b/pravah.json'), '{}');
  await writeFile(at.at('a/pravah.json'), '{}');
  expect(await findWorkspace(at.at('a/b/c'))).toEqual(alone(at.at('a/b/c')));
  expect(await findWorkspace(at.at('a/b'))).toEqual(alone(at.at('a/b')));
  vi.stubEnv('HOME', at.at('a/b/c'));
  expect(await findWorkspace(at.at('a/b/c'))).toEqual(alone(at.at('a/b/c')));
});

test.skipIf(noStranger)('skips the pravah.json of another user in a shared parent folder, with a notice', async () => {
  await using at = await folders();
  await writeFile(at.at('a/pravah.json'), '{}');
  await chmod(at.at('a'), 0o1777);
  chownSync(at.at('a/pravah.json'), stranger, stranger);
  expect(await findWorkspace(at.at('a/b/c'))).toEqual({
    folder: at.at('a/b/c'),
    above: false,
    notice: expect.stringContaining(`${at.at('a/pravah.json')} belongs to another user`),
  });
});

test.skipIf(noStranger)('the search ends at a folder of another user', async () => {
  await using at = await folders();
  await writeFile(at.at('a/pravah.json'), '{}');
  chownSync(at.at('a/b'), stranger, stranger);
  expect(await findWorkspace(at.at('a/b/c'))).toEqual(alone(at.at('a/b/c')));
  await writeFile(at.at('a/b/pravah.json'), '{}');
  const { folder, notice } = await findWorkspace(at.at('a/b/c'));
  expect([folder, notice]).toEqual([at.at('a/b/c'), expect.stringContaining(`${at.at('a/b')} belongs to another user`)]);
});

test('the search ends at the border of a file system', async ({ skip }) => {
  await using at = await folders();
  await writeFile(at.at('a/pravah.json'), '{}');
  const program = fileURLToPath(new URL('find-workspace.ts', import.meta.url));
  const script = `import { findWorkspace } from ${JSON.stringify(program)}; console.log(JSON.stringify(await findWorkspace(process.argv[1])))`;
  const find = (prepare: string) => {
    const line = `${prepare} && mkdir -p "$1/c" && exec "$2" --input-type=module -e "$3" "$1/c"`;
    return spawnSync('unshare', ['-m', 'sh', '-c', line, 'sh', at.at('a/b'), process.execPath, script], { encoding: 'utf8' });
  };
  const plain = find('true');
  const mounted = find('mount -t tmpfs none "$1"');
  skip(plain.status !== 0 || mounted.status !== 0, 'this process may not mount a file system of its own');
  expect(JSON.parse(plain.stdout)).toMatchObject({ folder: at.at('a'), above: true });
  expect(JSON.parse(mounted.stdout)).toEqual(alone(at.at('a/b/c')));
});
