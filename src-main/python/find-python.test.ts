import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPython } from './find-python.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-find-')));
  folder = join(root, 'workspace');
  mkdirSync(join(folder, 'project'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Makes a program; a text that begins with `#!` is a script. */
function program(path: string, text = 'program'): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), 0o755);
  return join(root, path);
}

const find = (environment: Record<string, string>, interpreter?: string) =>
  findPython({ folder, project: join(folder, 'project'), environment, interpreter });

describe.skipIf(process.platform === 'win32')('the interpreter', () => {
  it('is the first of the settings, the environments of project and folder, VIRTUAL_ENV, and the search path', async () => {
    const environment = { PATH: join(root, 'bin'), VIRTUAL_ENV: join(root, 'active') };
    const added = [
      program('bin/python'),
      program('bin/python3'),
      program('active/bin/python'),
      program('workspace/venv/bin/python'),
      program('workspace/.venv/bin/python'),
      program('workspace/project/venv/bin/python'),
    ];
    expect(await find(environment, './venv/bin/python')).toBe(join(folder, 'venv/bin/python'));
    expect(await find(environment)).toBe(added.at(-1));
    for (const next of [4, 3, 2, 1]) {
      rmSync(added[next + 1] as string);
      expect(await find(environment)).toBe(added[next]);
    }
  });

  it('is never found in a folder of the workspace that is on the search path', async () => {
    const own = program('workspace/bin/python3');
    const other = program('bin/python3');
    expect(await find({ PATH: `${dirname(own)}:bin:${dirname(other)}` })).toBe(other);
  });

  it('behind a shim is the one that the shim starts', async () => {
    program('shims/python3', '#!/bin/sh\necho /real/bin/python3.13\n');
    expect(await find({ PATH: join(root, 'shims') })).toBe('/real/bin/python3.13');
  });

  it('that is missing is an error with what was tried', async () => {
    await expect(find({}, 'no-such-python')).rejects.toMatchObject({
      options: { code: 'CONFIG_PYTHON_MISSING', details: { tried: expect.arrayContaining(['/usr/bin/no-such-python']) } },
    });
  });
});
