import { expect, test } from 'vitest';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { packagesAreInstalled } from './packages.mjs';

const lock = (packages: Record<string, unknown>) => JSON.stringify({ packages });
const WANTED = lock({
  '': { name: 'self' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/@a/darwin-arm64': { version: '1.0.0', optional: true },
});

test.each([
  ['what the lock file names, without other platforms', lock({ 'node_modules/a': { version: '1.0.0' } }), true],
  ['another version', lock({ 'node_modules/a': { version: '1.0.1' } }), false],
  ['less', lock({}), false],
  ['a lock file that was cut off', '{"packages": {"node_mod', false],
])('with %s in node_modules, packages are installed: %s', (_title, installed, expected) => {
  using folder = temporaryFolder({ 'package-lock.json': WANTED, 'node_modules/.package-lock.json': installed });
  expect(packagesAreInstalled(folder.path)).toBe(expected);
});

test('without node_modules, packages are not installed', () => {
  using folder = temporaryFolder({ 'package-lock.json': WANTED });
  expect(packagesAreInstalled(folder.path)).toBe(false);
});
