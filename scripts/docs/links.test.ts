import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#scripts/checks/source-files.ts';

const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  'scripts/offline/README.md',
];

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page's headings, as Markdown viewers generate them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
  return new Set(headings.map((title) => title.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')));
}

/** Broken links to files of the repository, as `TARGET`. */
function deadLinks(page: string): readonly string[] {
  const links = [
    ...textOf(page)
      .replaceAll(/`[^`]*`/g, '')
      .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
  ];
  return links.flatMap(([, target = '', anchor]) => {
    const path = target === '' ? page : join(dirname(page), target);
    const isDead = !existsSync(join(ROOT, path)) || (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor));
    return isDead ? [`${target}${anchor === undefined ? '' : `#${anchor}`}`] : [];
  });
}

test.each(pages)('%s links to files and headings that exist', (page) => {
  expect(deadLinks(page)).toEqual([]);
});

test('the index links to every page of the documentation', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const missing = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !index.includes(`(${page.slice(5)}`));
  expect(missing).toEqual([]);
});
