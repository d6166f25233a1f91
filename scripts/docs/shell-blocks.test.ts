import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { makeHistory } from '#resources/examples/make-release-history.mjs';
import { ROOT } from '#scripts/checks/source-files.ts';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { type CodeBlock, documentedBlocks, titleOf, wordOf } from './code-blocks.ts';

const shellBlocks = documentedBlocks().filter(({ language, words }) => language === 'sh' && !words.includes('no-run'));

/** A shell with `pravah` on its path, in a copy of an example's folder, with a separate profile. */
function openShell(folder: string, example: string | undefined) {
  const workspace = join(folder, example ?? 'workspace');
  const programs = join(workspace, 'bin');
  if (example === 'repository') cpSync(join(ROOT, 'resources/examples'), join(workspace, 'resources/examples'), { recursive: true });
  else if (example) cpSync(join(ROOT, 'resources/examples', example), workspace, { recursive: true });
  mkdirSync(programs, { recursive: true });
  if (example === 'release-notes') makeHistory(workspace);
  const command = join(programs, 'pravah');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/pravah')}" "$@"\n`);
  chmodSync(command, 0o755);
  const env = { ...process.env, PRAVAH_HOME: join(folder, 'home'), PATH: `${programs}${delimiter}${process.env.PATH}` };
  return (script: string) => spawnSync('bash', ['-c', script], { cwd: workspace, env, encoding: 'utf8', timeout: 120_000 * slowness });
}

/** The commands of a block: the lines after `$ `, or all lines if there is no prompt. Output is omitted. */
function commandsOf({ text }: CodeBlock): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const prompted = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  return prompted.length > 0 ? prompted : lines;
}

describe.skipIf(process.platform === 'win32')('commands in the documentation', { timeout: 240_000 * slowness }, () => {
  test.each(shellBlocks.map((block) => [titleOf(block), block] as const))('%s runs as documented', (_title, block) => {
    using folder = temporaryFolder({});
    const shell = openShell(folder.path, wordOf(block, 'in'));
    if (block.setup) expect(shell(`set -e\n${block.setup}`)).toMatchObject({ status: 0 });
    const exits = wordOf(block, 'exits')?.split(',').map(Number) ?? [];
    for (const [index, command] of commandsOf(block).entries()) {
      // The oldest run: a fork is newer than its parent.
      const [run] =
        shell('pravah runs --json')
          .stdout.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)
          ?.slice(-1) ?? [];
      const { status, stdout, stderr } = shell(run ? command.replaceAll(/\bRUN\b/g, run) : command);
      expect(status, `${command}\n${stdout}${stderr}`).toBe(exits[index] ?? 0);
    }
  });
});

test('a prompt marks commands, and lines without one are output', () => {
  const block = { file: 'x.md', line: 1, heading: '', language: 'sh', words: [], setup: '' };
  expect(commandsOf({ ...block, text: '$ pravah runs\nno runs\n' })).toEqual(['pravah runs']);
  expect(commandsOf({ ...block, text: 'pravah runs\n\n# later\npravah show RUN\n' })).toEqual(['pravah runs', 'pravah show RUN']);
});
