import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { runCommandTool } from '#main/tools/run-command.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { gitStatus } from '#main/workspace/git-status.ts';
import type { JsonObject } from '#shared/json.ts';

let workspace: TestWorkspace;
let witness: string;

// The plain git of this machine, as the person who owns the repository uses it.
const owner = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: workspace.folder,
    stdio: 'pipe',
    encoding: 'utf8',
  });
const git = (...args: string[]) =>
  workspace.call(runCommandTool, { command: 'git', args }, { allow_commands: ['git'] }) as Promise<JsonObject>;
/** What ran although it should not have: each planted program leaves its name outside. */
const ran = () => readdir(workspace.outside);

/** A command line that leaves a mark when something runs it, and behaves like a filter. */
function plant(name: string): string {
  return `touch ${workspace.outside}/${name}; cat #`;
}

/** The same as a file that can be run. */
async function plantScript(): Promise<string> {
  const path = workspace.path('.git/planted');
  await writeFile(path, `#!/bin/sh\ntouch ${workspace.outside}/script\ncase "$*" in *upload-pack*) exit 1;; esac\ncat\n`, { mode: 0o755 });
  return path;
}

beforeEach(async () => {
  workspace = await TestWorkspace.make();
  owner('init', '-q', '-b', 'main');
  owner('config', 'user.name', 'Ann');
  owner('config', 'user.email', 'ann@example.org');
  await workspace.write('a.txt', 'one\n');
  await workspace.write('.gitattributes', '*.txt diff=evil filter=evil merge=evil\n');
  owner('add', '.');
  owner('commit', '-q', '-m', 'First');
  await workspace.write('a.txt', 'two\n');
  owner('commit', '-q', '-a', '-m', 'Second');
  await workspace.write('a.txt', 'three\n');
  witness = workspace.outside;
});
afterEach(() => workspace[Symbol.asyncDispose]());

describe('git in a repository that would run programs', () => {
  // Each also runs without hardening, in a copy, where the planted program must leave its mark: otherwise the case proves nothing.
  const settings: [key: string, args: string[], stdin?: string][] = [
    ['core.fsmonitor', ['status']],
    ['diff.external', ['diff']],
    ['diff.evil.command', ['diff', 'HEAD~1']],
    ['diff.evil.textconv', ['log', '-p']],
    ['diff.evil.textconv', ['show']],
    ['diff.evil.textconv', ['blame', 'a.txt']],
    ['filter.evil.clean', ['add', 'a.txt']],
    ['filter.evil.clean', ['-C', '.', 'diff']],
    ['filter.evil.smudge', ['checkout', '--', 'a.txt']],
    ['filter.evil.process', ['add', 'a.txt']],
    ['core.editor', ['commit', '-a']],
    ['sequence.editor', ['rebase', '--autostash', '-i', 'HEAD~1']],
    ['gpg.program', ['commit', '-S', '-a', '-m', 'Third']],
    ['credential.helper', ['credential', 'fill'], 'protocol=https\nhost=example.org\n\n'],
    ['credential.https://example.org.helper', ['credential', 'fill'], 'protocol=https\nhost=example.org\n\n'],
    ['core.sshCommand', ['ls-remote', 'ssh://localhost:1/x']],
    ['merge.evil.driver', ['-c', 'core.editor=true', 'merge', 'other']],
    ['tar.x.command', ['archive', '--format=x', 'HEAD']],
    ['trailer.x.command', ['interpret-trailers', '--trailer', 'x', 'a.txt']],
  ];
  test.each(settings)('does not run what %s names for %j', async (key, args, stdin) => {
    if (key === 'merge.evil.driver') {
      owner('commit', '-a', '-q', '-m', 'Third');
      owner('checkout', '-q', '-b', 'other', 'HEAD~1');
      await workspace.write('a.txt', 'four\n');
      owner('commit', '-a', '-q', '-m', 'Other');
      owner('checkout', '-q', 'main');
    }
    owner('config', key, await plantScript());
    await cp(workspace.folder, `${workspace.folder}-copy`, { recursive: true });

    await workspace.call(runCommandTool, { command: 'git', args, stdin: stdin ?? '' }, { allow_commands: ['git'] });
    await gitStatus(workspace.folder, { trusted: true });
    expect(await ran()).toEqual([]);

    const env = { PATH: process.env.PATH, HOME: workspace.outside, GIT_TERMINAL_PROMPT: '0' };
    spawnSync('git', args, { cwd: `${workspace.folder}-copy`, env, input: stdin ?? '', timeout: 10_000 * slowness });
    expect(await ran()).toEqual(['script']);
  });

  test('does not run hooks, wherever they are said to be', async () => {
    await workspace.write('hooks/pre-commit', `#!/bin/sh\ntouch ${witness}/hook\n`);
    await workspace.write('.git/hooks/pre-commit', `#!/bin/sh\ntouch ${witness}/hook\n`);
    for (const hook of ['hooks/pre-commit', '.git/hooks/pre-commit']) await chmod(workspace.path(hook), 0o755);
    expect(await git('commit', '-a', '-m', 'Third')).toMatchObject({ exit_code: 0 });
    owner('config', 'core.hooksPath', 'hooks');
    await git('commit', '--allow-empty', '-m', 'Fourth');
    expect(await ran()).toEqual([]);
  });

  test.each(['remote.origin.uploadpack', 'remote.origin.receivepack', 'core.gitProxy'])(
    'is refused where it sets %s, which cannot be overridden',
    async (key) => {
      owner('config', key, plant('ran'));
      expect((await refusal(git('fetch', 'origin'))).variant).toBe('ForbiddenCommand');
      expect((await refusal(git('status'))).message).toContain('Remove the setting');
      expect(await gitStatus(workspace.folder, { trusted: true })).toBeNull();
      expect(await ran()).toEqual([]);
    },
  );

  test('runs no alias', async () => {
    owner('config', 'alias.st', `!${plant('alias')}`);
    owner('config', 'alias.Quick', `!${plant('alias')}`);
    for (const args of [['st'], ['quick'], ['-C', '.', 'st'], ['--no-pager', 'st']]) {
      expect((await refusal(git(...args))).variant).toBe('ForbiddenCommand');
    }
    expect(await ran()).toEqual([]);
  });

  test('sees settings that another file brings in', async () => {
    await workspace.write('.git/more', `[filter "evil"]\n\tclean = ${plant('included').replace('#', '')}\n`);
    owner('config', 'include.path', 'more');
    await git('status');
    expect(await ran()).toEqual([]);
  });

  test('takes nothing that only looks like a repository for one', async () => {
    const bare = workspace.path('looks-like');
    await mkdir(bare);
    execFileSync('git', ['init', '-q', '--bare', bare]);
    execFileSync('git', ['-C', bare, 'config', 'core.fsmonitor', plant('bare')]);
    expect(await git('-C', 'looks-like', 'log')).toMatchObject({ exit_code: 128, stderr: expect.stringContaining('safe.bareRepository') });
    expect(await ran()).toEqual([]);
  });

  test('speaks no protocol that is a program, also where the repository allows it', async () => {
    owner('config', 'protocol.ext.allow', 'always');
    // `% ` is a space within an argument.
    const address = `ext::sh -c touch% ${workspace.outside}/ext`;
    expect(await git('ls-remote', address)).toMatchObject({ exit_code: 128 });
    expect(await ran()).toEqual([]);
    spawnSync('git', ['ls-remote', address], { cwd: workspace.folder });
    expect(await ran()).toEqual(['ext']);
  });
});

describe('git in an ordinary repository', () => {
  test('works as it should', async () => {
    expect((await git('log', '--format=%s')).stdout).toBe('Second\nFirst\n');
    expect((await git('diff')).stdout).toContain('+three');
    expect((await git('status', '--short')).stdout).toBe(' M a.txt\n');
    expect((await git('-c', 'core.abbrev=7', 'log', '-p', '-1')).stdout).toContain('+two');
  });

  test('shows differences without what would convert them', async () => {
    owner('config', 'diff.evil.textconv', 'tr a-z A-Z <');
    owner('config', 'diff.evil.command', 'echo');
    for (const args of [['diff'], ['log', '-p', '-1'], ['show'], ['blame', 'a.txt']]) {
      expect(await git(...args)).toMatchObject({ exit_code: 0, stderr: '', stdout: expect.stringMatching(/two|three/) });
    }
  });

  test('reads no settings of the user and the system', async () => {
    expect((await git('config', '--list', '--show-scope')).stdout).not.toMatch(/^(global|system)/m);
  });
});

describe('the state of a repository', () => {
  test('is its branch and how many files differ', async () => {
    await workspace.write('new.txt');
    expect(await gitStatus(workspace.folder, { trusted: true })).toEqual({ branch: 'main', changed: 2 });
  });

  test('is a commit where no branch is checked out, and nothing outside of a repository', async () => {
    owner('checkout', '-q', '--detach');
    expect((await gitStatus(workspace.folder, { trusted: true }))?.branch).toMatch(/^[0-9a-f]{8}$/);
    expect(await gitStatus(workspace.outside, { trusted: true })).toBeNull();
  });

  test('is known before the first commit', async () => {
    await using fresh = await TestWorkspace.make();
    execFileSync('git', ['init', '-q', '-b', 'trunk'], { cwd: fresh.folder });
    expect(await gitStatus(fresh.folder, { trusted: true })).toEqual({ branch: 'trunk', changed: 0 });
  });
});
