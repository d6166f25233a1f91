import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '#main/platform/files/file-access.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { ToolError } from '#shared/run/error.ts';
import { readFileTool } from './read-file.ts';
import { writeFileTool } from './write-file.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const write = (path: string, content = 'new') => workspace.call(writeFileTool, { path, content });
/** Everything in the folder, by name: nothing may be left behind. */
const names = async () => (await readdir(workspace.folder, { recursive: true })).sort();

describe('write_file', () => {
  test('writes the text and says how many bytes it has', async () => {
    expect(await write('a.txt', 'größe')).toEqual({ path: 'a.txt', bytes: 7 });
    expect(await workspace.read('a.txt')).toBe('größe');
    expect(await names()).toEqual(['a.txt']);
  });

  test('makes the folders on the way', async () => {
    await write('a/b/c.txt');
    expect(await workspace.read('a/b/c.txt')).toBe('new');
  });

  test('keeps the permissions of a file that it replaces', async () => {
    await workspace.write('run.sh', 'old');
    await chmod(workspace.path('run.sh'), 0o750);
    await write('run.sh');
    expect((await stat(workspace.path('run.sh'))).mode & 0o777).toBe(0o750);
  });

  test('never changes another name of the file it replaces', async () => {
    await writeFile(join(workspace.outside, 'original.txt'), 'original');
    await link(join(workspace.outside, 'original.txt'), workspace.path('hard.txt'));
    await write('hard.txt');
    expect(await readFile(join(workspace.outside, 'original.txt'), 'utf8')).toBe('original');
    expect(await workspace.read('hard.txt')).toBe('new');
  });

  test('writes to where a link inside the folder leads, and leaves the link', async () => {
    await workspace.write('real.txt', 'old');
    await workspace.link('alias.txt', 'real.txt');
    await workspace.link('later.txt', 'made.txt');
    await write('alias.txt');
    await write('later.txt');
    expect([await workspace.read('real.txt'), await workspace.read('made.txt')]).toEqual(['new', 'new']);
  });

  test.each([
    ['.git/config'],
    ['.GIT/config'],
    ['.g\u0131t/config'],
    ['sub/.git/hooks/post-checkout'],
    ['.git'],
    ['.pravah/runs.db'],
    ['pravah.json'],
    ['sub/PRAVAH.JSON'],
    ['.env'],
    ['.env.local'],
    ['main.flow.yaml'],
    ['main.layout.json'],
  ])('is denied %s', async (path) => {
    expect((await refusal(write(path))).variant).toBe('Denied');
    expect(await names()).toEqual([]);
  });

  test('write_file denies files from which code is loaded, before the user is asked', async () => {
    await workspace.write('main.flow.json', JSON.stringify({ nodes: [{ kind: 'work', from: 'A', to: 'B', module: './code/price.ts' }] }));
    await workspace.write('code/price.ts', 'old');
    const context = await workspace.context();
    expect((await refusal(writeFileTool.admit?.({ path: 'code/price.ts', content: '' }, context) as Promise<unknown>)).variant).toBe(
      'Denied',
    );
  });

  test('asks for each write of a protected path that pravah.json lists as writable', async () => {
    await workspace.write('pravah.json', JSON.stringify({ writable: ['docs/*.flow.yaml'] }));
    const context = await workspace.context();
    expect(await writeFileTool.admit?.({ path: 'docs/a.flow.yaml', content: '' }, context)).toBe('always');
    expect(await writeFileTool.admit?.({ path: 'docs/a.txt', content: '' }, context)).toBe('never');
  });

  test('write_file rejects text that UTF-8 cannot encode', async () => {
    expect((await refusal(write('a.txt', 'half \ud800'))).variant).toBe('Deserialize');
    expect(await names()).toEqual([]);
  });

  test('does not replace a folder', async () => {
    await mkdir(workspace.path('folder'));
    expect((await refusal(write('folder'))).variant).toBe('Io');
    expect(await names()).toEqual(['folder']);
  });

  test('shows what it would change, with the hash of what is there', async () => {
    const context = await workspace.context();
    const input = { path: './sub/../a.txt', content: 'new' };
    expect(await writeFileTool.preview?.(input, context)).toEqual({ path: 'a.txt', before: null, after: 'new', before_hash: null });
    await workspace.write('a.txt', 'old');
    expect(await writeFileTool.preview?.(input, context)).toEqual({
      path: 'a.txt',
      before: 'old',
      after: 'new',
      before_hash: hashOf(Buffer.from('old')),
    });
  });
});

// What plays the other side: it swaps the folder `d` for a link to the outside and back until it is killed. A folder that a write made in
// between is moved out of the way.
const swapper = `
const { renameSync } = require('node:fs');
const [base] = process.argv.slice(1);
const folder = base + '/d', kept = base + '/kept', link = base + '/link';
let made = 0;
function move(from, to) {
  for (;;) {
    try { return renameSync(from, to); } catch {}
    try { renameSync(to, base + '/made-' + made++); } catch {}
  }
}
process.stdout.write('ready');
for (;;) { move(folder, kept); move(link, folder); move(folder, link); move(kept, folder); }
`;

describe('a folder that is swapped for a link all the time', () => {
  test('never leads a write or a read out of the working folder', async () => {
    await workspace.write('d/inside.txt', 'inside');
    await writeFile(join(workspace.outside, 'inside.txt'), 'outside');
    await symlink(workspace.outside, workspace.path('link'));
    const child = spawn(process.execPath, ['-e', swapper, workspace.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    try {
      await once(child.stdout, 'data');
      const context = await workspace.context();
      let done = 0;
      let refused = 0;
      for (let round = 0; round < 400; round++) {
        const written = await attempt(() => writeFileTool.call({ path: `d/new-${round}.txt`, content: 'x' }, context));
        const text = await attempt(() => readFileTool.call({ path: 'd/inside.txt' }, context));
        expect(text).not.toBe('outside');
        if (written === null) refused++;
        else done++;
      }
      // Both sides were at work all the time.
      expect([done > 0, refused > 0, child.exitCode]).toEqual([true, true, null]);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    expect(await readdir(workspace.outside)).toEqual(['inside.txt']);
  });
});

/** The result, or null when the tool refused. */
async function attempt<T>(call: () => T | Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
