import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#scripts/checks/source-files.ts';
import { missingBinaries, platform } from './missing-binaries.mjs';

test('the lock file is complete: a clean installation works on every platform', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  expect(Object.keys(missingBinaries(packages)), 'run “npm run complete-lock”').toEqual([]);
});

test('a platform that the lock file lacks is added with the version that is wanted', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: { '@tool/linux-x64-musl': '2.0.0', '@tool/win32-x64-msvc': '2.0.0' },
    },
    'node_modules/@tool/win32-x64-msvc': { version: '2.0.0' },
  };
  expect(missingBinaries(packages)).toEqual({
    'node_modules/@tool/linux-x64-musl': { version: '2.0.0', dev: true, optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  });
});

test('the platform of a package is read from its name', () => {
  expect(platform('@oxc-parser/binding-linux-arm-gnueabihf')).toEqual({ os: ['linux'], cpu: ['arm'], libc: ['glibc'] });
  expect(platform('@biomejs/cli-darwin-arm64')).toEqual({ os: ['darwin'], cpu: ['arm64'] });
  expect(platform('@node-llama-cpp/mac-arm64-metal')).toEqual({ os: ['darwin'], cpu: ['arm64'] });
  expect(platform('@node-llama-cpp/win-x64-vulkan')).toEqual({ os: ['win32'], cpu: ['x64'] });
  expect(() => platform('fsevents')).toThrow('does not say');
});
