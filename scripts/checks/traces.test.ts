import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

// The home folder of `user` is a placeholder. Names of hosts and paths are assembled from parts, so that this file does not match itself.
const TRACES: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'a package registry',
    new RegExp(`\\b[a-z0-9.-]*(${['npmjs', 'npmmirror', 'pypi', 'pythonhosted', 'crates', 'yarnpkg'].join('|')})\\.(org|io|com)\\b`, 'i'),
  ],
  ['a proxy for packages', new RegExp(`\\b(${['proxy', 'sum'].join('|')})\\.golang\\.org\\b|\\brepo1?\\.maven\\b|\\bdeb\\.debian\\b`, 'i')],
  [
    'a home folder',
    new RegExp(
      `(?<![\\w.-])/(${['root', 'home/(?!user\\b)[a-z][a-z0-9_-]*', 'Users/[A-Za-z][A-Za-z0-9_-]*'].join('|')})/(?!\\.\\.)[\\w.-]`,
    ),
  ],
  ['a working folder', new RegExp(`/${'work'}/(${['main', 'shared'].join('|')})\\b`)],
  ['a private key', new RegExp(`-----BEGIN [A-Z ]*${'PRIVATE'} KEY-----`)],
];

function findTraces(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = TRACES.filter(([, pattern]) => pattern.test(line));
    return found.map(([what]) => `${index + 1}: ${what}: ${line.trim().slice(0, 120)}`);
  });
}

test('no tracked file names a registry, a machine path or a key', () => {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).stdout.split('\0').filter(Boolean);
  expect(listed.length).toBeGreaterThan(10);
  const found = listed.flatMap((file) => {
    const bytes = readIfThere(file);
    return bytes.includes(0) ? [] : findTraces(bytes.toString('utf8')).map((trace) => `${file}:${trace}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ['a package registry', `https://registry.${'npmjs'}.org/left-pad`],
  ['a proxy for packages', `https://proxy.${'golang'}.org`],
  ['a home folder', `/home/${'maria'}/project`],
  ['a home folder', `/${'root'}/.cache/file`],
  ['a working folder', `cd /${'work'}/main`],
  ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
])('%s is found', (what, line) => {
  expect(findTraces(`first\n${line}`)).toEqual([expect.stringContaining(`2: ${what}`)]);
});

/** A tracked file may be deleted in the work tree and not yet in a commit. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(join(ROOT, file));
  } catch {
    return Buffer.alloc(0);
  }
}
