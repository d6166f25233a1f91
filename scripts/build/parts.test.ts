import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { isFresh, markFresh, PARTS, sourcesHash } from './parts.mjs';

const CHECKOUT = { 'src-main/a.ts': 'a', 'src-main/a.test.ts': 'test', 'src-shared/b.ts': 'b', [PARTS.main.proof]: 'built' };

test('a part is fresh from its build until one of its sources changes', () => {
  using folder = temporaryFolder(CHECKOUT);
  expect(isFresh(folder.path, 'main')).toBe(false);
  markFresh(folder.path, 'main', sourcesHash(folder.path, 'main'));
  expect(isFresh(folder.path, 'main')).toBe(true);
  writeFileSync(join(folder.path, 'src-main/a.test.ts'), 'another test');
  expect(isFresh(folder.path, 'main')).toBe(true);
  writeFileSync(join(folder.path, 'src-shared/b.ts'), 'changed');
  expect(isFresh(folder.path, 'main')).toBe(false);
});

test('a new, a renamed and a lost file make a part stale', () => {
  using folder = temporaryFolder(CHECKOUT);
  const hash = sourcesHash(folder.path, 'main');
  writeFileSync(join(folder.path, 'src-main/c.ts'), '');
  expect(sourcesHash(folder.path, 'main')).not.toBe(hash);
  using renamed = temporaryFolder({ ...CHECKOUT, 'src-main/a.ts': 'b', 'src-shared/b.ts': 'a' });
  expect(sourcesHash(renamed.path, 'main')).not.toBe(hash);
});

test('a part without its output is stale', () => {
  using folder = temporaryFolder({ 'src-main/a.ts': 'a' });
  markFresh(folder.path, 'main', sourcesHash(folder.path, 'main'));
  expect(isFresh(folder.path, 'main')).toBe(false);
});
