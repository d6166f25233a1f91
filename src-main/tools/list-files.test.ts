import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { listFilesTool } from './list-files.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  for (const name of [
    'b.md',
    'a/x.md',
    'a/y.txt',
    'a-b.md',
    'a/deep/z.md',
    '.git/config',
    'a/node_modules/m.md',
    '.pravah/runs.db',
    'ä.md',
  ]) {
    await workspace.write(name);
  }
});
afterEach(() => workspace[Symbol.asyncDispose]());

const list = (input: { path?: string; pattern?: string; limit?: number } = {}) => workspace.call(listFilesTool, input);

describe('list_files', () => {
  test('lists everything below, sorted as text, without what git, the journal and packages hold', async () => {
    const all = ['a-b.md', 'a/deep/z.md', 'a/x.md', 'a/y.txt', 'b.md', 'ä.md'];
    expect(await list()).toEqual(all);
    expect([...all].sort()).toEqual(all);
  });

  test.each([
    [{ path: 'a' }, ['a/deep/z.md', 'a/x.md', 'a/y.txt']],
    [{ path: 'a', pattern: '*.md' }, ['a/deep/z.md', 'a/x.md']],
    [{ path: 'a', pattern: './*.md' }, ['a/x.md']],
    [{ pattern: 'a/**/*.md' }, ['a/deep/z.md', 'a/x.md']],
    [{ pattern: '?.{md,txt}' }, ['a/deep/z.md', 'a/x.md', 'a/y.txt', 'b.md', 'ä.md']],
    [{ pattern: '[!a-w].md' }, ['a/deep/z.md', 'a/x.md', 'ä.md']],
    [{ pattern: 'nothing*' }, []],
    [{ limit: 2 }, ['a-b.md', 'a/deep/z.md']],
    [{ path: '.git' }, ['.git/config']],
    [{ path: 'b.md' }, ['b.md']],
  ])('lists for %j', async (input, expected) => {
    expect(await list(input)).toEqual(expected);
  });

  test('names links and follows none', async () => {
    await workspace.link('loop', '.');
    await workspace.link('out', '../outside');
    expect(await list({ pattern: '*o*' })).toEqual(['loop', 'out']);
    expect((await refusal(list({ path: 'out' }))).variant).toBe('PathEscape');
  });

  test('says what is wrong', async () => {
    expect((await refusal(list({ path: 'missing' }))).variant).toBe('Io');
    expect((await refusal(list({ pattern: '{a,b' }))).variant).toBe('Deserialize');
    expect((await refusal(list({ path: '..' }))).variant).toBe('PathEscape');
  });

  test('list_files matches a pattern that would make a backtracking engine run forever', async () => {
    await workspace.write('a'.repeat(200));
    expect(await list({ pattern: `${'*a'.repeat(100)}b` })).toEqual([]);
  });
});
