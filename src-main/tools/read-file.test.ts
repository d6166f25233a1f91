import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { readFileTool } from './read-file.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const read = (path: string, lines: { offset?: number; limit?: number } = {}) => workspace.call(readFileTool, { path, ...lines });

describe('read_file', () => {
  test('returns the text unchanged, without its byte-order mark', async () => {
    await workspace.write('a.txt', '\uFEFFone\r\ntwo\n\n');
    expect(await read('a.txt')).toBe('one\r\ntwo\n\n');
    await workspace.write('empty.txt');
    expect(await read('empty.txt')).toBe('');
  });

  test.each([
    [{ offset: 1 }, 'two\nthree'],
    [{ limit: 1 }, 'one\n'],
    [{ offset: 1, limit: 1 }, 'two\n'],
    [{ offset: 2, limit: 5 }, 'three'],
    [{ offset: 9 }, ''],
  ])('returns the lines of %j', async (lines, expected) => {
    await workspace.write('a.txt', 'one\ntwo\nthree');
    expect(await read('a.txt', lines)).toBe(expected);
  });

  test('read_file decodes characters that cross chunk boundaries', async () => {
    const text = `${'x'.repeat(256 * 1024 - 1)}€\n${'é'.repeat(300_000)}`;
    await workspace.write('a.txt', text);
    expect(await read('a.txt')).toBe(text);
  });

  test.each([
    ['bytes that are no UTF-8', Uint8Array.of(0x61, 0xff, 0x62)],
    ['half of a character at the end', Uint8Array.of(0x61, 0xe2, 0x82)],
    ['NUL bytes', Uint8Array.of(0x61, 0, 0x62)],
    ['an encoded surrogate', Uint8Array.of(0xed, 0xa0, 0x80)],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0)],
  ])('refuses %s', async (_name, bytes) => {
    await workspace.write('a.bin', bytes);
    const error = await refusal(read('a.bin'));
    expect([error.variant, error.message]).toEqual(['Io', '"a.bin" is not a UTF-8 text file.']);
  });

  test('refuses more text than a call returns, and says how to read a part', async () => {
    await workspace.write('big.txt', 'line\n'.repeat(3_000_000));
    expect((await refusal(read('big.txt'))).message).toContain('offset and limit');
    expect(await read('big.txt', { offset: 2_999_999 })).toBe('line\n');
  });

  test('read_file stops in a file that exceeds its scan limit', async () => {
    await workspace.write('huge.txt');
    await truncate(workspace.path('huge.txt'), 50 * 1024 ** 3);
    const error = await refusal(read('huge.txt', { offset: 10 }));
    expect(error.variant).toBe('Io');
  });

  test.each([
    ['missing.txt', 'no such file'],
    ['folder', 'a folder'],
    ['a.txt/b', 'part of the path'],
    ['', 'a folder'],
  ])('says what is wrong with %j', async (path, words) => {
    await workspace.write('a.txt');
    await workspace.write('folder/b.txt');
    const error = await refusal(read(path));
    expect([error.variant, error.message.includes(words)]).toEqual(['Io', true]);
  });

  test('does not wait at a named pipe', async () => {
    execFileSync('mkfifo', [workspace.path('pipe')]);
    expect((await refusal(read('pipe'))).message).toContain('not a regular file');
  });

  test.each(['/dev/zero', '/dev/stdin', '/proc/self/environ'])('does not follow a link to %s', async (target) => {
    await workspace.link('endless', target);
    expect((await refusal(read('endless'))).variant).toBe('PathEscape');
  });

  test('read_file never reads .env, under any name', async () => {
    await workspace.write('.env', 'KEY=abcdefgh');
    await workspace.write('sub/.env.local', 'KEY=abcdefgh');
    await workspace.link('notes.txt', '.env');
    for (const path of ['.env', './sub/.env.local', 'notes.txt', '.ENV']) {
      expect([path, (await refusal(read(path))).variant]).toEqual([path, 'Denied']);
    }
  });

  test('stops when the run is cancelled', async () => {
    await workspace.write('a.txt', 'x');
    const signal = AbortSignal.abort();
    await expect(workspace.call(readFileTool, { path: 'a.txt' }, { signal })).rejects.toMatchObject({ variant: 'Cancelled' });
  });
});
