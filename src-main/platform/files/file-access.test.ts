import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileChange } from '#main/engine/ports/recorder.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { FlowError } from '#shared/run/error.ts';
import { removeFile, writeBytes } from './change-file.ts';
import { hashOf, readBytes } from './file-access.ts';
import { type PathScope, resolveWritable } from './resolve-path.ts';

let workspace: TestWorkspace;
let scope: PathScope;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  scope = { working_dir: workspace.folder, writable: [], protected_files: new Set() };
});
afterEach(() => workspace[Symbol.asyncDispose]());

describe('writing what was made from a former content', () => {
  test('is refused when the file has changed since', async () => {
    await workspace.write('a.txt', 'old');
    const path = await resolveWritable(scope, 'a.txt');
    const before = await readBytes(scope, path);
    await writeFile(path.real, 'from another program');
    const error = await refusal(writeBytes(scope, path, Buffer.from('new'), hashOf(before)));
    expect(error.options.details).toMatchObject({ code: 'CHANGED' });
    expect(await workspace.read('a.txt')).toBe('from another program');
  });

  test('is refused when a file has appeared', async () => {
    const path = await resolveWritable(scope, 'a.txt');
    await writeFile(path.real, 'from another program');
    await refusal(writeBytes(scope, path, Buffer.from('new'), null));
    expect(await workspace.read('a.txt')).toBe('from another program');
  });

  test('happens when it is still the same', async () => {
    await workspace.write('a.txt', 'old');
    const path = await resolveWritable(scope, 'a.txt');
    await writeBytes(scope, path, Buffer.from('new'), hashOf(Buffer.from('old')));
    expect(await workspace.read('a.txt')).toBe('new');
  });
});

describe('what a file holds is kept before it is replaced', () => {
  test('and where it cannot be, the file stays as it is', async () => {
    await workspace.write('a.txt', 'old');
    const path = await resolveWritable(scope, 'a.txt');
    const keepFile = () => {
      throw new FlowError('SnapStoreError', 'The disk is full.');
    };
    await expect(writeBytes({ ...scope, keepFile }, path, Buffer.from('new'))).rejects.toMatchObject({ variant: 'SnapStoreError' });
    await expect(removeFile({ ...scope, keepFile }, path, hashOf(Buffer.from('old')) as string)).rejects.toThrow('full');
    expect(await workspace.read('a.txt')).toBe('old');
  });

  test('with the hashes of both contents, and without a content that stays', async () => {
    await workspace.write('a.txt', 'old');
    const path = await resolveWritable(scope, 'a.txt');
    const kept: FileChange[] = [];
    const keeping = { ...scope, keepFile: (change: FileChange) => kept.push(change) };
    await writeBytes(keeping, path, Buffer.from('old'));
    await writeBytes(keeping, path, Buffer.from('new'));
    const [before_hash, after_hash] = [hashOf(Buffer.from('old')), hashOf(Buffer.from('new'))];
    expect(kept).toEqual([
      { path: 'a.txt', before_hash, after_hash: before_hash, note: '', before: null },
      { path: 'a.txt', before_hash, after_hash, note: '', before: Buffer.from('old') },
    ]);
  });
});
