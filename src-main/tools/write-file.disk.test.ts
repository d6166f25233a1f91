import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { storageTool } from './storage.ts';
import { writeFileTool } from './write-file.ts';

// A disk of its own needs the right to mount one.
let workspace: TestWorkspace;
const disk = () => workspace.path('disk');
const mount = (options: string, folder = disk()) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder]).status === 0;
const unmount = (folder = disk()) => spawnSync('umount', ['-l', folder]).status === 0;

async function mayMount(): Promise<boolean> {
  await using probe = await TestWorkspace.make();
  return process.platform === 'linux' && mount('size=64k', probe.outside) && unmount(probe.outside);
}
const possible = await mayMount();

describe.skipIf(skipUnless(possible, 'writing to a full and to a read-only disk', 'mounting one needs root on Linux'))(
  'on a disk of its own',
  () => {
    beforeEach(async () => {
      workspace = await TestWorkspace.make();
      await mkdir(disk());
      mount('size=256k');
      await workspace.write('disk/a.txt', 'former');
    });
    afterEach(async () => {
      unmount();
      await workspace[Symbol.asyncDispose]();
    });

    const large = 'x'.repeat(400_000);

    test('a write that does not fit says so and leaves the former content and nothing else', async () => {
      const error = await refusal(workspace.call(writeFileTool, { path: 'disk/a.txt', content: large }));
      expect([error.variant, error.message]).toEqual(['Io', expect.stringContaining('disk is full')]);
      expect([await workspace.read('disk/a.txt'), await readdir(disk())]).toEqual(['former', ['a.txt']]);
    });

    test('an append that does not fit answers with an error and leaves the former content', async () => {
      const result = await workspace.call(storageTool, { path: 'disk/a.txt', action: 'append', data: large });
      expect(result).toMatchObject({ success: false, error: expect.stringContaining('disk is full') });
      expect([await workspace.read('disk/a.txt'), await readdir(disk())]).toEqual(['former', ['a.txt']]);
    });

    test('a write to a read-only disk says so', async () => {
      spawnSync('mount', ['-o', 'remount,ro', disk()]);
      const error = await refusal(workspace.call(writeFileTool, { path: 'disk/b.txt', content: 'x' }));
      expect([error.variant, error.message]).toEqual(['Io', expect.stringContaining('read-only')]);
    });
  },
);
