import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FlowWatch, listFlowPaths } from './flow-folder.ts';

async function workspace(files: readonly string[]): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pravah-flows-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), '');
  }
  return folder;
}

/** Starts to watch, and waits until the watch notices things. */
async function watched(folder: string): Promise<string[][]> {
  const reported: string[][] = [];
  const watch = new FlowWatch(folder, (paths) => reported.push([...paths]));
  onTestFinished(() => watch.close());
  await expect
    .poll(async () => {
      await writeFile(join(folder, 'probe.flow.yaml'), String(Math.random()));
      return reported.length;
    })
    .toBeGreaterThan(0);
  return reported;
}

test('flows are found in all folders but those of tools', async () => {
  const folder = await workspace([
    'b.flow.yaml',
    'a/x.flow.json',
    'a/b/c/D.FLOW.YML',
    'a/x.yaml',
    '.git/a.flow.yaml',
    'node_modules/m/a.flow.yaml',
    '.pravah/d.flow.yaml',
  ]);
  expect(await listFlowPaths(folder)).toEqual(['a/b/c/D.FLOW.YML', 'a/x.flow.json', 'b.flow.yaml']);
});

test('links lead nowhere, and a folder that has gone has no flows', async () => {
  const outside = await workspace(['secret.flow.yaml']);
  const folder = await workspace(['a.flow.yaml']);
  await symlink(outside, join(folder, 'link'));
  await symlink(join(outside, 'secret.flow.yaml'), join(folder, 'link.flow.yaml'));
  expect(await listFlowPaths(folder)).toEqual(['a.flow.yaml']);
  expect(await listFlowPaths(join(folder, 'nothing'))).toEqual([]);
});

test('reports changes, also in a new folder, but not of files that are not flows', async () => {
  const folder = await workspace(['a.flow.yaml']);
  const reported = await watched(folder);
  await mkdir(join(folder, 'later'));
  await expect
    .poll(async () => {
      await writeFile(join(folder, 'later/b.flow.yaml'), String(Math.random()));
      return reported.flat();
    })
    .toContain('later/b.flow.yaml');
  await rename(join(folder, 'later/b.flow.yaml'), join(folder, 'later/c.flow.yaml'));
  await expect.poll(() => reported.flat()).toContain('later/c.flow.yaml');
  await writeFile(join(folder, 'notes.txt'), 'x');
  await writeFile(join(folder, 'pravah.json'), '{}');
  await expect.poll(() => reported.some((paths) => paths.length === 0)).toBe(true);
  expect(reported.flat().every((path) => path.endsWith('.flow.yaml'))).toBe(true);
});
