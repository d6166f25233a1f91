import { link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { JsonObject } from '#shared/json.ts';
import { storageTool } from './storage.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const store = (input: JsonObject) => workspace.call(storageTool, input);

describe('storage', () => {
  test('writes, appends exactly what it is given, and reads', async () => {
    expect(await store({ path: 'out/log.txt', action: 'append', data: 'one' })).toEqual({ content: 'one', success: true });
    expect(await store({ path: 'out/log.txt', action: 'append', data: ' two\n' })).toEqual({ content: ' two\n', success: true });
    expect(await store({ path: 'out/log.txt' })).toEqual({ content: 'one two\n', success: true });
    expect(await store({ path: 'out/log.txt', action: 'write' })).toEqual({ content: '', success: true });
    expect(await workspace.read('out/log.txt')).toBe('');
  });

  test('writes data that is not text as JSON', async () => {
    await store({ path: 'a.json', action: 'write', data: { b: [1, null] } });
    expect(await workspace.read('a.json')).toBe('{"b":[1,null]}');
  });

  test.each([
    [{ path: 'missing.txt' }],
    [{ path: 'folder' }],
    [{ path: 'folder', action: 'write', data: 'x' }],
    [{ path: 'a.txt/b.txt', action: 'append', data: 'x' }],
    [{ path: 'b.bin' }],
  ])('answers what ordinarily goes wrong with a result: %j', async (input) => {
    await workspace.write('a.txt', 'a');
    await workspace.write('b.bin', Uint8Array.of(0xff));
    await workspace.write('folder/x', '');
    expect(await store(input)).toMatchObject({ content: null, success: false, error: expect.stringContaining(JSON.stringify(input.path)) });
  });

  test.each([
    [{ path: '../x' }, 'PathEscape'],
    [{ path: '/etc/hostname' }, 'PathEscape'],
    [{ path: '.env' }, 'Denied'],
    [{ path: '.git/config', action: 'append', data: '[alias]' }, 'Denied'],
    [{ path: 'a.flow.json', action: 'write', data: '{}' }, 'Denied'],
  ])('answers a breach of the rules with an error: %j', async (input, variant) => {
    expect((await refusal(store(input))).variant).toBe(variant);
    // The call itself refuses too, whoever forgot to look first.
    expect((await refusal(Promise.resolve(storageTool.call(input, await workspace.context())))).variant).toBe(variant);
  });

  test('appends to a copy, so that a hard link outside stays as it was', async () => {
    await writeFile(join(workspace.outside, 'original.txt'), 'original');
    await link(join(workspace.outside, 'original.txt'), workspace.path('hard.txt'));
    await store({ path: 'hard.txt', action: 'append', data: '!' });
    expect(await readFile(join(workspace.outside, 'original.txt'), 'utf8')).toBe('original');
    expect(await workspace.read('hard.txt')).toBe('original!');
  });

  test('shows what it would change, and nothing for a read', async () => {
    await workspace.write('a.txt', 'one');
    const context = await workspace.context();
    expect(await storageTool.preview?.({ path: 'a.txt', action: 'append', data: ' two' }, context)).toMatchObject({
      before: 'one',
      after: 'one two',
    });
    expect(await storageTool.preview?.({ path: 'a.txt' }, context)).toBeNull();
  });
});
