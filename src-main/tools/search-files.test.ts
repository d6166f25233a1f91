import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { searchFilesTool } from './search-files.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  await workspace.write('a.txt', 'alpha\r\nbeta alpha\n\nALPHA');
  await workspace.write('sub/b.md', 'no\nalphabet\n');
});
afterEach(() => workspace[Symbol.asyncDispose]());

const search = (query: string, input: { path?: string; pattern?: string; limit?: number } = {}) =>
  workspace.call(searchFilesTool, { query, ...input });

describe('search_files', () => {
  test('finds lines, with their file and number', async () => {
    expect(await search('alpha$')).toEqual([
      { path: 'a.txt', line: 1, text: 'alpha' },
      { path: 'a.txt', line: 2, text: 'beta alpha' },
    ]);
    expect(await search('(?i)^alpha')).toEqual([
      { path: 'a.txt', line: 1, text: 'alpha' },
      { path: 'a.txt', line: 4, text: 'ALPHA' },
      { path: 'sub/b.md', line: 2, text: 'alphabet' },
    ]);
  });

  test('search_files respects path, pattern and limit', async () => {
    expect(await search('alpha', { path: 'sub' })).toEqual([{ path: 'sub/b.md', line: 2, text: 'alphabet' }]);
    expect(await search('alpha', { pattern: '*.md' })).toEqual([{ path: 'sub/b.md', line: 2, text: 'alphabet' }]);
    expect(await search('alpha', { path: 'sub/b.md' })).toEqual([{ path: 'sub/b.md', line: 2, text: 'alphabet' }]);
    expect(await search('alpha', { limit: 1 })).toHaveLength(1);
  });

  test('search_files skips binary files, files with secrets and links that lead outside', async () => {
    await workspace.write('b.bin', Uint8Array.of(...Buffer.from('alpha'), 0));
    await workspace.write('.env', 'alpha=1');
    await workspace.link('z', '/etc/hostname');
    expect(await search('alpha=|.', { pattern: '{.env,b.bin,z}' })).toEqual([]);
    expect((await refusal(search('alpha', { path: '.env' }))).variant).toBe('Denied');
  });

  test.each(['(a', 'a(?=b)', '(a)\\1', '[z-a]', 'a{2000}'])('says that %j cannot be searched for', async (query) => {
    const error = await refusal(search(query));
    expect([error.variant, error.options.details]).toEqual(['Deserialize', { field: 'query' }]);
  });

  test.each(['(a+)+$', '(a|aa)*c', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){20}'])('takes linear time for %s', async (query) => {
    await workspace.write('a.txt', `${'a'.repeat(5000)}!`);
    await search(query);
  });
});
