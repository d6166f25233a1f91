import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutIntegrity } from '#scripts/offline/lock/missing-binaries.mjs';
import { ROOT } from './source-files.ts';

const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
const direct = { ...dependencies, ...optionalDependencies, ...devDependencies };

test('every direct dependency has a reason in docs/dependencies.md, and every reason a dependency', () => {
  const rows = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8').matchAll(/^\| (`.+?) \| (.+) \|$/gm);
  const named = [...rows].flatMap(([, packages = '']) => [...packages.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(named.toSorted()).toEqual(Object.keys(direct).toSorted());
});

test('every direct dependency is pinned to one version', () => {
  expect(Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('every package of the lock file has its hash, those of other platforms too (else run npm run complete-lock)', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { integrity?: string }> };
  expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
  expect(withoutIntegrity(lock.packages)).toEqual([]);
  expect(withoutIntegrity({ '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { integrity: 'sha1-x' } })).toHaveLength(2);
});

test('the lock file names no address that a package was downloaded from', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { resolved?: string }> };
  const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined);
  expect(resolved.map(([path]) => path)).toEqual([]);
});
