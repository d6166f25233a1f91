import { describe, expect, test } from 'vitest';
import { refusal } from '#main/tools/testing/test-workspace.ts';
import { compileGlob } from './glob.ts';

describe('a glob', () => {
  test.each<[pattern: string, matches: string[], others: string[]]>([
    ['*.md', ['a.md', 'x/y/a.md', '.md'], ['a.mdx', 'a.md/b']],
    ['docs/*.md', ['docs/a.md'], ['docs/x/a.md', 'x/docs/a.md']],
    ['./docs/*.md', ['docs/a.md'], ['x/docs/a.md']],
    ['/docs/*', ['docs/a'], ['x/docs/a']],
    ['docs/**', ['docs/a', 'docs/x/a'], ['docs', 'adocs/a']],
    ['**/a.md', ['a.md', 'x/a.md', 'x/y/a.md'], ['xa.md', 'x/a.md/b']],
    ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['src/a.tsx', 'a.ts']],
    ['?.md', ['a.md', 'ä.md', '😀.md'], ['.md', 'ab.md']],
    ['[a-c].md', ['a.md', 'x/c.md'], ['d.md', 'ab.md']],
    ['[!a-c].md', ['d.md'], ['a.md']],
    ['[]x].md', ['].md', 'x.md'], ['a.md']],
    ['{a,b/c}.md', ['a.md', 'b/c.md'], ['{a,b/c}.md']],
    ['{a,{b,c}}.md', ['a.md', 'b.md', 'c.md'], ['d.md']],
    ['a+(b).md', ['a+(b).md'], ['aab.md', 'ab.md']],
    ['a.md|b.md', ['a.md|b.md'], ['a.md']],
    ['$^\\d.md', ['$^\\d.md'], ['1.md']],
    ['a,b}', ['a,b}'], ['a']],
    ['[ab', ['[ab'], ['a']],
    ['**', ['a', 'x/y'], []],
    ['line\n*', ['line\nx', 'line\n\n'], ['line']],
  ])('%j', async (pattern, matches, others) => {
    const glob = await compileGlob(pattern);
    for (const path of matches) expect([path, glob(path)]).toEqual([path, true]);
    for (const path of others) expect([path, glob(path)]).toEqual([path, false]);
  });

  test.each(['{a,b', '[z-a]', '{{a}', 'x'.repeat(2000)])('%s is refused', async (pattern) => {
    expect((await refusal(compileGlob(pattern))).variant).toBe('Deserialize');
  });
});
