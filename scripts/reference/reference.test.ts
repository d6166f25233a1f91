import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { ROOT } from '#scripts/checks/source-files.ts';
import { undocumentedExports, writeReference } from './reference.ts';

const written = join(ROOT, 'docs/reference');
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pravah-reference-'));
  await writeReference(folder);
}, 120_000 * slowness);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pagesOf = (of: string) =>
  readdirSync(of, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();

test('the reference has a page for everything that the package exports (else: npm run reference)', () => {
  expect(pagesOf(written)).toEqual(pagesOf(folder));
});

test('the pages of the reference are what the docstrings say (else: npm run reference)', () => {
  const stale = pagesOf(written).filter((path) => readFileSync(join(written, path), 'utf8') !== readFileSync(join(folder, path), 'utf8'));
  expect(stale).toEqual([]);
});

test('every export has a sentence about it', { timeout: 120_000 * slowness }, async () => {
  expect(await undocumentedExports()).toEqual([]);
});
