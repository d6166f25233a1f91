import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exceptions, phrases, phrasesIn } from './phrases.ts';
import { ROOT, sourceFiles } from './source-files.ts';

const pages = globSync(['*.md', 'docs/*.md'], { cwd: ROOT });
const files = [...sourceFiles(), ...globSync('bench/**/*.{ts,mjs}', { cwd: ROOT }), ...pages].map((file) => file.replaceAll('\\', '/'));
const found = (file: string) => phrasesIn(file, readFileSync(join(ROOT, file), 'utf8'));

test('rewritten code and documentation contain no phrase that reads as translated', () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap(found)).toEqual([]);
});

test.each(exceptions)('$file still needs its exception for “$phrase”', ({ file, phrase }) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  expect(phrases.some(({ name, pattern }) => (phrase === '*' || phrase === name) && pattern.test(text))).toBe(true);
});

test.each([
  ['anew', 'lays it out anew'],
  ['to be had', 'The tool is not to be had here.'],
  ['is none', 'its schema is none'],
  ['mend', 'Mend the flow.'],
  ['no more', "label: 'Trust it no more'"],
  ['nobody', 'Nobody knows'],
  ['somebody', 'asks somebody'],
  ['so many', 'each time so many pieces'],
  ['word for word', 'word for word'],
  ['comes to nothing', 'which comes to nothing'],
  ['is through', 'the run is through.'],
])('reports “%s”', (name, text) => {
  expect(phrasesIn('src-shared/planted.ts', text)).toEqual([expect.stringContaining(`“${name}”`)]);
});

test.each(['null if there is none', 'no more than ten', 'The only way in is through the host.', 'recommended'])('allows “%s”', (text) => {
  expect(phrasesIn('src-shared/planted.ts', text)).toEqual([]);
});
