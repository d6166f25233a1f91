import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWorkspace } from './find-workspace.ts';
import { temporaryProfile } from './testing/profile.ts';

test('the workspace is the nearest folder with pravah.json or .pravah, else the folder itself', async () => {
  await using profile = await temporaryProfile();
  const deep = join(profile.root, 'a/b/c');
  await mkdir(deep, { recursive: true });
  expect(await findWorkspace(deep)).toBe(deep);
  await mkdir(join(profile.root, 'a/.pravah'));
  expect(await findWorkspace(deep)).toBe(join(profile.root, 'a'));
  await writeFile(join(profile.root, 'a/b/pravah.json'), '{}');
  expect(await findWorkspace(deep)).toBe(join(profile.root, 'a/b'));
  expect(await findWorkspace(join(profile.root, 'a'))).toBe(join(profile.root, 'a'));
});
