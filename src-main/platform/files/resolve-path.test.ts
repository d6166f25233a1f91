import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { type PathScope, resolvePath, resolveReadable, resolveWritable } from './resolve-path.ts';

let workspace: TestWorkspace;
let scope: PathScope;

beforeEach(async () => {
  workspace = await TestWorkspace.make();
  scope = { working_dir: workspace.folder, writable: [], protected_files: new Set() };
  await workspace.write('real/fine.txt', 'fine');
  await writeFile(join(workspace.outside, 'secret.txt'), 'secret');
});
afterEach(() => workspace[Symbol.asyncDispose]());

const place = async (raw: string) => (await resolvePath(scope, raw)).segments.join('/');

describe('a path inside', () => {
  test.each([
    ['.', ''],
    ['', ''],
    ['real/fine.txt', 'real/fine.txt'],
    ['./real//./fine.txt', 'real/fine.txt'],
    ['real/../real/fine.txt', 'real/fine.txt'],
    ['not/there/yet.txt', 'not/there/yet.txt'],
    ['real/', 'real'],
    ['..hidden/x', '..hidden/x'],
    ['...', '...'],
  ])('%j is %j', async (raw, expected) => {
    expect(await place(raw)).toBe(expected);
  });

  test('may be absolute', async () => {
    expect(await place(workspace.path('real/fine.txt'))).toBe('real/fine.txt');
  });

  test('may lead through links that stay inside', async () => {
    await workspace.link('alias', 'real');
    await workspace.link('deep/up', '../real');
    await workspace.link('absolute', workspace.path('real'));
    await workspace.link('to-come', 'real/new.txt');
    expect(await place('alias/fine.txt')).toBe('real/fine.txt');
    expect(await place('deep/up/fine.txt')).toBe('real/fine.txt');
    expect(await place('absolute/fine.txt')).toBe('real/fine.txt');
    expect(await place('to-come')).toBe('real/new.txt');
  });

  test('may be named by a link to the folder itself from outside', async () => {
    const { symlink } = await import('node:fs/promises');
    await symlink(workspace.folder, join(workspace.outside, 'back'));
    expect(await place(join(workspace.outside, 'back/real/fine.txt'))).toBe('real/fine.txt');
  });
});

describe('a path that leads out is PathEscape', () => {
  const spelled = [
    '..',
    '../outside/secret.txt',
    'real/../../outside/secret.txt',
    './/..//outside',
    'a/b/c/../../../../outside/new.txt',
    '../workspace-and-more/x',
    '/',
    '/etc/hostname',
    '/proc/self/cwd/x',
    '/proc/self/root/etc/passwd',
    '..\\outside\\secret.txt',
    'real\\..\\..\\outside',
    '\\\\server\\share',
    'fine.txt\0.png',
    '\0',
  ];
  test.each(spelled)('by its spelling: %j', async (raw) => {
    expect((await refusal(resolvePath(scope, raw))).variant).toBe('PathEscape');
  });

  test('by a neighbour whose name begins like the folder', async () => {
    await mkdir(`${workspace.folder}-and-more`);
    expect((await refusal(resolvePath(scope, `${workspace.folder}-and-more/x`))).variant).toBe('PathEscape');
  });

  const links: [string, string, string][] = [
    ['a folder link', '../outside', 'link/secret.txt'],
    ['a folder link to a file that is not there', '../outside', 'link/made.txt'],
    ['a file link', '../outside/secret.txt', 'link'],
    ['a dangling link', '../outside/not-yet.txt', 'link'],
    ['a dangling link to a folder that is not there', '../nowhere/deep/down', 'link/x'],
    ['a link to the root', '/', 'link/etc/hostname'],
    ['a link to the working folder of the process', '/proc/self/cwd', 'link/x'],
    ['a link that goes out and comes back', '../outside/../../../..', 'link/x'],
  ];
  test.each(links)('by %s', async (_name, target, raw) => {
    await workspace.link('link', target);
    expect((await refusal(resolvePath(scope, raw))).variant).toBe('PathEscape');
  });

  test('by a chain of links', async () => {
    await workspace.link('one', 'two');
    await workspace.link('two', 'real/three');
    await workspace.link('real/three', '../../outside/new.txt');
    expect((await refusal(resolvePath(scope, 'one'))).variant).toBe('PathEscape');
  });

  test('by .. after a link, which the system counts from where the link leads', async () => {
    await workspace.link('real/in', '../deep/er');
    await mkdir(workspace.path('deep/er'), { recursive: true });
    await workspace.link('out', 'real/in/../../../outside/secret.txt');
    expect((await refusal(resolvePath(scope, 'out'))).variant).toBe('PathEscape');
  });
});

test('links that go round in circles are refused', async () => {
  await workspace.link('a', 'b');
  await workspace.link('b', 'a');
  expect((await refusal(resolvePath(scope, 'a'))).variant).toBe('Io');
});

test('a path beyond every limit is refused', async () => {
  expect((await refusal(resolvePath(scope, 'x/'.repeat(3000)))).variant).toBe('Io');
  expect((await refusal(resolvePath(scope, `${'x'.repeat(300)}/y`))).variant).toBe('Io');
});

test('whatever the segments are, the result lies inside and has no dots left', async () => {
  await workspace.link('alias', 'real');
  await workspace.link('link', '../outside');
  const segment = fc.constantFrom('..', '.', '', 'real', 'alias', 'link', 'fine.txt', 'new', '...', ' ', '~');
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 8 }), async (parts) => {
      const found = await resolvePath(scope, parts.join('/')).catch(() => null);
      if (!found) return;
      expect(found.real === workspace.folder || found.real.startsWith(`${workspace.folder}/`)).toBe(true);
      expect(found.segments).not.toContain('..');
    }),
    { numRuns: 500, seed: 20261121 },
  );
});

describe('protection', () => {
  test('goes by where a link leads', async () => {
    await workspace.write('.git/config', '');
    await workspace.link('innocent.txt', '.git/config');
    await workspace.link('folder', '.git');
    for (const raw of ['innocent.txt', 'folder/config', 'folder/hooks/post-commit']) {
      expect((await refusal(resolveWritable(scope, raw))).variant).toBe('Denied');
    }
    expect((await resolveReadable(scope, 'innocent.txt')).protection).toBe('read_only');
  });

  test('goes by the name too, where the protected name is a link', async () => {
    await workspace.link('pravah.json', 'real/fine.txt');
    await workspace.link('.env', 'real/fine.txt');
    expect((await refusal(resolveWritable(scope, 'pravah.json'))).variant).toBe('Denied');
    expect((await refusal(resolveReadable(scope, '.env'))).variant).toBe('Denied');
  });

  test('covers the files that code is loaded from', async () => {
    await workspace.write('handlers/price.ts', '');
    await workspace.link('alias.ts', 'handlers/price.ts');
    const strict = { ...scope, protected_files: new Set([workspace.path('handlers/price.ts')]) };
    expect((await refusal(resolveWritable(strict, 'alias.ts'))).variant).toBe('Denied');
    expect((await resolveReadable(strict, 'handlers/price.ts')).protection).toBe('read_only');
  });

  test('is lifted for what pravah.json lists, and only for that', async () => {
    const open = { ...scope, writable: ['docs/*.flow.yaml'] };
    expect((await resolveWritable(open, 'docs/a.flow.yaml')).protection).toBe('read_only');
    expect((await refusal(resolveWritable(open, 'docs/deeper/a.flow.yaml'))).variant).toBe('Denied');
    expect((await refusal(resolveWritable(open, 'a.flow.yaml'))).variant).toBe('Denied');
  });
});
