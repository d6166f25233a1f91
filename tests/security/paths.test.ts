import { execFileSync } from 'node:child_process';
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { editFileTool } from '#main/tools/edit-file.ts';
import { listFilesTool } from '#main/tools/list-files.ts';
import { readFileTool } from '#main/tools/read-file.ts';
import { searchFilesTool } from '#main/tools/search-files.ts';
import { storageTool } from '#main/tools/storage.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { writeFileTool } from '#main/tools/write-file.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';
import { attack } from './testing/attacked-agent.ts';

/*
 * A tool is asked for a file outside of the folder, by every spelling and every kind of link. All file tools are tried with each; nothing
 * outside may be read, listed, changed or made. How single spellings are judged is tested with `resolvePath`.
 */

const form = abuseClass('path escapes');
const treasure = 'the treasure outside';
/** A name known only to whoever has listed the folder outside. */
const neighbour = 'neighbour.dat';

const attempts: readonly (readonly [tool: Tool, input: (path: string) => JsonObject])[] = [
  [readFileTool, (path) => ({ path })],
  [writeFileTool, (path) => ({ path, content: 'owned' })],
  [editFileTool, (path) => ({ path, old: 'treasure', new: 'owned' })],
  [storageTool, (path) => ({ path, action: 'read' })],
  [storageTool, (path) => ({ path, action: 'append', data: 'owned' })],
  [listFilesTool, (path) => ({ path })],
  [searchFilesTool, (path) => ({ path, query: 'treasure' })],
];

/** A folder with something worth having outside of it. */
async function attacked(): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.make();
  await writeFile(join(workspace.outside, 'secret.txt'), treasure);
  await writeFile(join(workspace.outside, neighbour), '');
  await workspace.write('inside.txt', 'inside');
  return workspace;
}

/** Every file tool fails with this path, or shows nothing; what is outside stays as it is. */
async function nothingBy(workspace: TestWorkspace, path: string): Promise<void> {
  for (const [tool, input] of attempts) {
    const shown: Json = await workspace.call(tool, input(path)).catch(() => null);
    expect(JSON.stringify(shown), `${tool.name} ${path}`).not.toContain(treasure);
    expect(JSON.stringify(shown), `${tool.name} ${path}`).not.toContain(neighbour);
  }
  expect(await readFile(join(workspace.outside, 'secret.txt'), 'utf8')).toBe(treasure);
  expect(await readFile(join(workspace.outside, 'made.txt'), 'utf8').catch(() => null)).toBeNull();
}

const spelled: readonly (readonly [title: string, path: string])[] = [
  ['two dots', '../outside/secret.txt'],
  ['two dots on the way', 'a/b/../../../outside/secret.txt'],
  ['two dots behind a file', 'inside.txt/../../outside/secret.txt'],
  ['backslashes', '..\\outside\\secret.txt'],
  ['a NUL in the middle', '../outside/secret.txt\0.md'],
  ['full-width dots and slashes', '．．／outside／secret.txt'],
  ['a one-dot leader twice', '\u2024\u2024/outside/secret.txt'],
  ['dots with invisible signs between them', '.\u200b./outside/secret.txt'],
  ['encoded dots', '%2e%2e/outside/secret.txt'],
  ['a file URL', 'file:///etc/passwd'],
  ['the home sign', '~/../outside/secret.txt'],
  ['a root of this process', '/proc/self/root/etc/passwd'],
  ['a working folder of this process', '/proc/self/cwd/package.json'],
  ['a file this process has open', '/proc/self/fd/0'],
  ['an encoded separator', '..%2foutside%2fsecret.txt'],
  ['an overlong encoding', '..%c0%afoutside%c0%afsecret.txt'],
  ['dots with a blank behind them', '.. /outside/secret.txt'],
  ['three dots', '.../outside/secret.txt'],
  ['a separator of mathematics', '..\u2215outside\u2215secret.txt'],
  ['a mark of direction in front', '\u202e../outside/secret.txt'],
  ['a place of a network', '//localhost/share/secret.txt'],
  ['a device of this process', '/dev/fd/0'],
  ['the environment of this process', '/proc/self/environ'],
  ['a path longer than any', `${'a/../'.repeat(2_000)}../outside/secret.txt`],
  ['a name longer than any', `${'n'.repeat(300)}/../../outside/secret.txt`],
];
for (const [title, path] of spelled) {
  form(title, async () => {
    await using workspace = await attacked();
    await nothingBy(workspace, path);
  });
}

form('the folder beside, whose name begins alike', async () => {
  await using workspace = await attacked();
  const beside = `${workspace.folder}-more`;
  await mkdir(beside);
  await writeFile(join(beside, 'secret.txt'), treasure);
  await nothingBy(workspace, `${beside}/secret.txt`);
  await nothingBy(workspace, '../workspace-more/secret.txt');
});

const links: readonly (readonly [title: string, target: string, path: string])[] = [
  ['a link to a file', '../outside/secret.txt', 'link'],
  ['a link to a folder', '../outside', 'link/secret.txt'],
  ['a link to a folder, for a new file', '../outside', 'link/made.txt'],
  ['a dangling link', '../outside/made.txt', 'link'],
  ['a link to the root', '/', 'link/etc/passwd'],
  ['a link into this process', '/proc/self/cwd', 'link/package.json'],
  ['a link to the environment of this process', '/proc/self/environ', 'link'],
  ['a link to an open file of this process', '/dev/fd/0', 'link'],
  ['a link with dots behind it', '../outside', 'link/../link/secret.txt'],
  ['a link whose name is two dots in another spelling', '../outside', '．．/secret.txt'],
];
for (const [title, target, path] of links) {
  form(title, async () => {
    await using workspace = await attacked();
    await workspace.link(path.split('/')[0] as string, target);
    await nothingBy(workspace, path);
  });
}

form('a chain of links of which only the last leads out', async () => {
  await using workspace = await attacked();
  await workspace.link('one', 'two');
  await workspace.link('two', 'sub/three');
  await workspace.link('sub/three', '../../outside');
  await nothingBy(workspace, 'one/secret.txt');
});

form('listing and searching a folder that holds a link out', async () => {
  await using workspace = await attacked();
  await workspace.link('sub/link', '../../outside');
  for (const path of ['.', 'sub', 'sub/link']) await nothingBy(workspace, path);
  expect(await workspace.call(searchFilesTool, { query: 'treasure', pattern: '**/../outside/**' })).toEqual([]);
});

form('a hard link: the file’s other name keeps what it says', async () => {
  await using workspace = await attacked();
  const outside = join(workspace.outside, 'secret.txt');
  await link(outside, workspace.path('linked.txt'));
  await workspace.call(writeFileTool, { path: 'linked.txt', content: 'owned' });
  await link(outside, workspace.path('again.txt'));
  await workspace.call(editFileTool, { path: 'again.txt', old: 'treasure', new: 'owned' });
  await link(outside, workspace.path('third.txt'));
  await workspace.call(storageTool, { path: 'third.txt', action: 'append', data: 'owned' });
  expect(await readFile(outside, 'utf8')).toBe(treasure);
});

form('a folder that is swapped for a link again and again while tools work', async () => {
  await using workspace = await attacked();
  await mkdir(workspace.path('sub'));
  await symlink('../outside', workspace.path('trap'));
  // A tool makes the folder that is not there for a moment; the swap goes on over it.
  const move = async (from: string, to: string) => {
    const [source, target] = [workspace.path(from), workspace.path(to)];
    await rename(source, target).catch(async () => {
      await rm(target, { recursive: true, force: true });
      await rename(source, target);
    });
  };
  let swapping = true;
  let swaps = 0;
  const swap = (async () => {
    for (; swapping; swaps += 1) {
      await move('sub', 'kept');
      await move('trap', 'sub');
      await move('sub', 'trap');
      await move('kept', 'sub');
    }
  })();
  // It may meet two made folders in a row, and end there.
  swap.catch(() => undefined);
  try {
    for (let round = 0; round < 60; round += 1) {
      const calls = [
        workspace.call(writeFileTool, { path: 'sub/made.txt', content: 'owned' }),
        workspace.call(writeFileTool, { path: 'sub/secret.txt', content: 'owned' }),
        workspace.call(readFileTool, { path: 'sub/secret.txt' }),
      ];
      const shown = await Promise.all(calls.map((call) => call.catch(() => null)));
      expect(JSON.stringify(shown)).not.toContain(treasure);
      expect(await readFile(join(workspace.outside, 'secret.txt'), 'utf8')).toBe(treasure);
    }
  } finally {
    swapping = false;
    await swap.catch(() => undefined);
  }
  expect(swaps).toBeGreaterThan(0);
  expect(await readFile(join(workspace.outside, 'made.txt'), 'utf8').catch(() => null)).toBeNull();
});

form('a device and a pipe, which would never end', async () => {
  await using workspace = await attacked();
  await workspace.link('zero', '/dev/zero');
  await nothingBy(workspace, 'zero');
});
form('a pipe and a socket inside, without a server', async () => {
  await using workspace = await attacked();
  if (process.platform !== 'win32') execFileSync('mkfifo', [workspace.path('pipe')]);
  const server = createServer();
  await new Promise<void>((listening) => server.listen(workspace.path('socket'), listening));
  try {
    for (const path of ['pipe', 'socket']) await nothingBy(workspace, path);
  } finally {
    server.close();
  }
});
form('a file that becomes a link between the question and the answer', async () => {
  await using workspace = await attacked();
  const run = await attack(workspace, [{ tool: 'write_file', input: { path: 'inside.txt', content: 'owned' } }], {
    agent: { tools: [{ use: 'write_file', approve: 'always' }] },
  });
  const asked = run.outcome as unknown as { tool_id: string; tool_call_id: string; value: { before_hash: string } };
  await rm(workspace.path('inside.txt'));
  await workspace.link('inside.txt', '../outside/secret.txt');
  const payload = { approve: true, before_hash: asked.value.before_hash };
  await run.runtime.resume(run.context, asked.tool_id, payload, { tool_call_id: asked.tool_call_id }).catch(() => null);
  expect(await readFile(join(workspace.outside, 'secret.txt'), 'utf8')).toBe(treasure);
});

test('a path inside is read, so that the forms above could fail', async () => {
  await using workspace = await attacked();
  expect(await workspace.call(readFileTool, { path: './sub/../inside.txt' })).toBe('inside');
});
