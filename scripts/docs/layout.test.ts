import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#scripts/checks/source-files.ts';

const pagesIn = (folder: string) => readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
const pages = [...pagesIn('.'), ...pagesIn('docs'), 'scripts/offline/README.md'];

/** Lines of prose of more than 120 columns, as `NUMBER: LINE`. Tables, code blocks and lines that a link makes long are exempt. */
function longLines(text: string): readonly string[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const isExempt = isCode || line.trimStart().startsWith('|') || line.replaceAll(/\]\([^)]*\)/g, ']').length <= 120;
    return line.length > 120 && !isExempt ? [`${index + 1}: ${line}`] : [];
  });
}

test.each(pages)('%s has lines of at most 120 columns', (page) => {
  expect(longLines(readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
});

test('only long lines of prose are reported', () => {
  const long = 'word '.repeat(30).trim();
  expect(longLines(long)).toEqual([`1: ${long}`]);
  expect(longLines(`| ${long} |`)).toEqual([]);
  expect(longLines(`\`\`\`text\n${long}\n\`\`\``)).toEqual([]);
  expect(longLines(`[the page](docs/${'a/'.repeat(60)}page.md)`)).toEqual([]);
});

/** Terms of the field that people search for, with the page that explains them. */
const terms: readonly (readonly [term: string, page: string])[] = [
  ['side effect', 'concepts.md'],
  ['idempotent', 'concepts.md'],
  ['retry', 'models.md'],
  ['stream', 'api.md'],
  ['callback', 'api.md'],
  ['interrupt', 'flow-format.md'],
  ['checkpoint', 'journal.md'],
];
const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');

test.each(terms)('the index leads from “%s” to %s, which uses the term', (term, page) => {
  const row = index.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(term));
  expect(row, 'row of the index').toContain(`(${page}`);
  const [, anchor] = new RegExp(`\\(${page}#([^)]*)\\)`).exec(row ?? '') ?? [];
  const text = readFileSync(join(ROOT, dirname('docs/README.md'), page), 'utf8');
  expect(anchor ? sectionOf(text, anchor) : text.toLowerCase()).not.toBe('');
  expect(text.toLowerCase(), 'text of the page').toContain(term);
});

/** The text below the heading with this anchor, up to the next heading; empty if there is none. */
function sectionOf(text: string, anchor: string): string {
  const sections = text.split(/^#+ /m).map((section) => section.split('\n'));
  const found = sections.find(
    ([title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-') === anchor,
  );
  return found?.slice(1).join('\n').trim() ?? '';
}
