import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { searchFilesTool } from '#main/tools/search-files.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { abuseClass } from './testing/abuse-class.ts';
import { attack, type HostileCall } from './testing/attacked-agent.ts';

/*
 * A model is talked into changing what decides about the next run: the repository's settings, this folder's, a flow, the journal, a file
 * that a flow loads code from; or into reading the folder's secrets.
 */

const form = abuseClass('protected files');

const flow = `pravah: 1
name: Code
input: A
output: B
schemas: { A: {}, B: {} }
nodes:
  - { kind: work, from: A, to: B, module: lib/code.ts }
`;

async function attacked(): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.make();
  await workspace.write('.git/config', 'settings');
  await workspace.write('.env', 'TOKEN=a-token-of-the-folder');
  await workspace.write('main.flow.yaml', flow);
  await workspace.write('lib/code.ts', 'export default (value) => value;');
  await workspace.write('pravah.json', '{}');
  return workspace;
}

/** Three ways to write a path, by a model that is told to. */
const writes = (path: string): HostileCall[] => [
  { tool: 'write_file', input: { path, content: 'owned' } },
  { tool: 'edit_file', input: { path, old: 'e', new: 'owned', all: true } },
  { tool: 'storage', input: { path, action: 'append', data: 'owned' } },
];

async function refusedToWrite(workspace: TestWorkspace, path: string): Promise<void> {
  const { answers } = await attack(workspace, writes(path));
  expect(answers.map(({ is_error }) => is_error)).toEqual([true, true, true]);
  for (const name of ['.git/config', '.env', 'main.flow.yaml', 'lib/code.ts', 'pravah.json'])
    expect(await readFile(workspace.path(name), 'utf8')).not.toContain('owned');
}

const places: readonly (readonly [title: string, path: string])[] = [
  ['the repository’s settings', '.git/config'],
  ['the same, in capitals', '.GIT/CONFIG'],
  ['the same, in full-width letters', '.ｇｉｔ/config'],
  ['the same, with an invisible sign', '.g\u200dit/config'],
  ['the same, by its short name on old disks', 'GIT~1/config'],
  ['the same, with a dot at the end', '.git./config'],
  ['a hook', '.git/hooks/pre-commit'],
  ['the repository of a folder inside', 'vendor/.git/config'],
  ['this folder’s settings', 'pravah.json'],
  ['the same, as a stream of the file', 'pravah.json::$DATA'],
  ['a flow', 'main.flow.yaml'],
  ['a new flow', 'sub/other.flow.ts'],
  ['the journal', '.pravah/runs.db'],
  ['code that a flow names', 'lib/code.ts'],
  ['secrets', '.env'],
  ['secrets of another stage', '.env.production'],
  ['a layout', 'main.layout.json'],
  ['the repository’s settings, with a blank at the end', '.git /config'],
  ['the same, as a stream of the folder', '.git::$INDEX_ALLOCATION/config'],
  ['the repository itself, as a file that names another', '.git'],
  ['this folder’s settings, with a long s', 'pravah.j\u017fon'],
  ['settings of a folder inside, which would become a workspace', 'sub/pravah.json'],
  ['a journal of a folder inside', 'sub/.PRAVAH/runs.db'],
  ['a flow, with a ligature', 'main.\ufb02ow.yaml'],
  ['a flow, in capitals', 'sub/MAIN.FLOW.JSON'],
  ['secrets, with a dot at the end', '.env.'],
  ['secrets in a folder of that name', '.env/local'],
  ['keys of ssh', '.ssh/authorized_keys'],
  ['the same, in capitals', 'sub/.SSH/id_ed25519'],
  ['passwords of programs', '.netrc'],
  ['passwords of git', '.git-credentials'],
];
for (const [title, path] of places) {
  form(title, async () => {
    await using workspace = await attacked();
    await refusedToWrite(workspace, path);
  });
}

form('a link with an innocent name', async () => {
  await using workspace = await attacked();
  await workspace.link('notes.md', '.git/config');
  await workspace.link('notes', '.git');
  await refusedToWrite(workspace, 'notes.md');
  await refusedToWrite(workspace, 'notes/config');
});

form('code that a flow in a hidden folder names by a link', async () => {
  await using workspace = await attacked();
  await workspace.write('.hidden/deep/x.flow.yaml', flow.replace('lib/code.ts', '../../alias.ts'));
  await workspace.write('real.ts', 'export default (value) => value;');
  await workspace.link('alias.ts', 'real.ts');
  const { answers } = await attack(workspace, writes('real.ts'));
  expect(answers.map(({ is_error }) => is_error)).toEqual([true, true, true]);
});

form('reading the folder’s secrets', async () => {
  await using workspace = await attacked();
  await workspace.link('env.txt', '.env');
  for (const name of ['.ssh/id_ed25519', '.netrc']) await workspace.write(name, 'a-token-of-the-folder');
  const paths = ['.env', '.ENV', '.env\u200b', './sub/../.env', 'env.txt', '.ｅnv', '.ssh/id_ed25519', '.NETRC'];
  const { answers } = await attack(
    workspace,
    paths.flatMap((path): HostileCall[] => [
      { tool: 'read_file', input: { path } },
      { tool: 'storage', input: { path } },
    ]),
  );
  expect(answers.every(({ is_error, value }) => is_error || (value as { success?: boolean }).success === false)).toBe(true);
  expect(JSON.stringify(answers)).not.toContain('a-token-of-the-folder');
  expect(await workspace.call(searchFilesTool, { query: 'a-token' })).toEqual([]);
});

form('a writable place of the settings, which asks each time and opens no other', async () => {
  await using workspace = await attacked();
  await workspace.write('pravah.json', '{"writable": [".git/config"]}');
  const { outcome } = await attack(workspace, [{ tool: 'write_file', input: { path: '.git/config', content: 'owned' } }]);
  expect(outcome).toMatchObject({ type: 'suspend', reason: 'approval' });
  const { answers } = await attack(workspace, writes('.git/hooks/x'));
  expect(answers.every(({ is_error }) => is_error)).toBe(true);
});

test('an ordinary file is written, so that the forms above could fail', async () => {
  await using workspace = await attacked();
  const { answers } = await attack(workspace, writes('notes.md').slice(0, 1));
  expect(answers).toMatchObject([{ is_error: false }]);
});
