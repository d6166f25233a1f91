import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { runCommandTool } from '#main/tools/run-command.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { GitHistory } from '#main/workspace/git-history.ts';
import { gitStatus } from '#main/workspace/git-status.ts';
import type { JsonObject } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';

/*
 * A folder without trust brings a repository that makes git run programs, or read and write outside of the folder. Each form is also tried
 * with the plain git of this machine where that is possible, to see that it would work.
 */

const form = abuseClass('repositories that use git against the user');

const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'protocol.file.allow=always'];

/** The plain git of this machine. */
function plainGit(folder: string, ...args: string[]): string {
  return execFileSync('git', [...identity, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 20_000 });
}

/** A repository with one commit. */
async function repository(folder: string, file = 'a.txt'): Promise<void> {
  await mkdir(folder, { recursive: true });
  plainGit(folder, 'init', '-q', '-b', 'main');
  await writeFile(join(folder, file), 'one\n');
  plainGit(folder, 'add', '.');
  plainGit(folder, 'commit', '-q', '-m', 'First');
}

async function attacked(): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.make();
  await repository(workspace.folder);
  return workspace;
}

/** `git` as a run calls it in a folder without trust whose user allowed it. */
function git(workspace: TestWorkspace, ...args: string[]): Promise<JsonObject> {
  return workspace.call(runCommandTool, { command: 'git', args }, { trusted: false, allow_commands: ['git'] }) as Promise<JsonObject>;
}

/** A program that leaves a mark outside of the folder. */
async function plant(workspace: TestWorkspace): Promise<string> {
  const path = join(workspace.folder, '..', 'planted.sh');
  await writeFile(path, `#!/bin/sh\ntouch ${workspace.outside}/ran\ncase "$*" in *upload-pack*) exit 1;; esac\ncat\n`, { mode: 0o755 });
  return path;
}
const marks = (workspace: TestWorkspace) => readdir(workspace.outside);

/** A submodule `sub` that is checked out and changed, with its repository in `.git/modules/sub`. */
async function withSubmodule(workspace: TestWorkspace): Promise<void> {
  const origin = join(workspace.folder, '..', 'origin');
  await repository(origin);
  plainGit(workspace.folder, 'submodule', '--quiet', 'add', origin, 'sub');
  plainGit(workspace.folder, 'commit', '-q', '-m', 'Submodule');
  await workspace.write('sub/a.txt', 'two\n');
}

/** Sees the attack refused with these words, and the studio's own line without it; then that plain git falls for it. */
async function isRefused(workspace: TestWorkspace, calls: readonly (readonly string[])[], said: readonly string[], works = true) {
  for (const args of calls) {
    const { variant, message } = await refusal(git(workspace, ...args));
    expect(variant).toBe('ForbiddenCommand');
    for (const words of [...said, 'rust the folder']) expect(message).toContain(words);
  }
  expect(await gitStatus(workspace.folder, { trusted: false })).toBeNull();
  expect(await marks(workspace)).toEqual([]);
  if (!works) return;
  for (const args of calls) {
    spawnSync('git', [...identity, ...args], { cwd: workspace.folder, input: '', timeout: 20_000 });
    if ((await marks(workspace)).length > 0) return;
  }
  throw new Error('plain git did not fall for it, so that this form proves nothing');
}

const submoduleSettings = ['filter.evil.clean', 'diff.evil.command', 'diff.external'] as const;
for (const key of submoduleSettings) {
  form(`${key} in the configuration of a submodule`, async () => {
    await using workspace = await attacked();
    await withSubmodule(workspace);
    await workspace.write('sub/.gitattributes', '*.txt filter=evil diff=evil\n');
    plainGit(workspace.path('sub'), 'config', key, await plant(workspace));
    const calls = [['status'], ['diff'], ['commit', '-a', '-m', 'x']];
    await isRefused(workspace, calls, [key, '.git/modules/sub/config', 'git config --file'], key === 'filter.evil.clean');
  });
}

form('a submodule whose .git is a folder of its own, with a filter', async () => {
  await using workspace = await attacked();
  await repository(workspace.path('sub'));
  plainGit(workspace.folder, 'add', 'sub');
  await workspace.write('sub/a.txt', 'two\n');
  await workspace.write('sub/.gitattributes', '*.txt filter=evil\n');
  plainGit(workspace.path('sub'), 'config', 'filter.evil.clean', await plant(workspace));
  await isRefused(workspace, [['status'], ['diff']], ['filter.evil.clean', 'sub/.git/config']);
});

form('a nested repository that becomes a submodule by the very command', async () => {
  await using workspace = await attacked();
  await repository(workspace.path('sub'));
  plainGit(workspace.folder, 'add', 'sub');
  plainGit(workspace.folder, 'commit', '-q', '-m', 'With');
  plainGit(workspace.folder, 'rm', '-q', '--cached', 'sub');
  await workspace.write('sub/a.txt', 'two\n');
  await workspace.write('sub/.gitattributes', '*.txt filter=evil\n');
  plainGit(workspace.path('sub'), 'config', 'filter.evil.clean', await plant(workspace));
  for (const args of [
    ['reset', '--hard', 'HEAD'],
    ['checkout', '-f', 'main'],
    ['restore', '--staged', '.'],
    ['diff', 'HEAD'],
  ])
    await git(workspace, ...args).catch(() => undefined);
  expect(await marks(workspace)).toEqual([]);
  plainGit(workspace.folder, 'reset', '-q', 'HEAD');
  spawnSync('git', ['status'], { cwd: workspace.folder });
  expect(await marks(workspace)).toEqual(['ran']);
});

form('diff.submodule, by which log, show and diff look into submodules', async () => {
  await using workspace = await attacked();
  await withSubmodule(workspace);
  plainGit(workspace.folder, 'config', 'diff.submodule', 'diff');
  plainGit(workspace.path('sub'), 'config', 'diff.external', await plant(workspace));
  await isRefused(workspace, [['log', '-p'], ['show'], ['diff']], ['config']);
});

const inTheRepository: readonly (readonly [key: string, calls: readonly (readonly string[])[]])[] = [
  ['core.fsmonitor', [['status']]],
  ['core.sshCommand', [['fetch', 'ssh://localhost:1/x']]],
  ['core.gitProxy', [['fetch', 'git://localhost:1/x']]],
  ['diff.external', [['diff']]],
  ['alias.st', [['status']]],
  ['remote.origin.uploadpack', [['fetch', 'origin']]],
  ['some.future.program', [['status']]],
];
for (const [key, calls] of inTheRepository) {
  form(`${key} in the repository's own configuration`, async () => {
    await using workspace = await attacked();
    plainGit(workspace.folder, 'config', 'remote.origin.url', workspace.folder);
    await workspace.write('a.txt', 'changed\n');
    plainGit(workspace.folder, 'config', key, await plant(workspace));
    const works = !key.startsWith('alias') && !key.startsWith('some');
    await isRefused(workspace, calls, [key.toLowerCase(), '.git/config', '--unset-all'], works);
  });
}

form('a cookie jar that git writes outside, with what a server says', async () => {
  await using workspace = await attacked();
  const jar = join(workspace.outside, '.bashrc');
  await using server = await cookieServer();
  plainGit(workspace.folder, 'config', 'http.cookieFile', jar);
  plainGit(workspace.folder, 'config', 'http.saveCookies', 'true');
  plainGit(workspace.folder, 'config', 'remote.origin.url', server.url);
  await isRefused(workspace, [['status']], ['http.cookiefile'], false);
  // In a trusted folder, too, it is written nowhere.
  await workspace.call(runCommandTool, { command: 'git', args: ['ls-remote', 'origin'] }, { trusted: true, allow_commands: ['git'] });
  expect(await marks(workspace)).toEqual([]);
  await promisify(execFile)('git', ['ls-remote', 'origin'], { cwd: workspace.folder });
  expect(await readFile(jar, 'utf8')).toContain('$(touch');
});

form('core.worktree, by which git writes and deletes in another folder', async () => {
  await using workspace = await attacked();
  await writeFile(join(workspace.outside, 'a.txt'), 'mine\n');
  await writeFile(join(workspace.outside, 'other.txt'), 'mine too\n');
  plainGit(workspace.folder, 'config', 'core.worktree', '../../outside');
  for (const args of [['checkout', '-f'], ['clean', '-fdx'], ['status']]) {
    expect((await refusal(git(workspace, ...args))).message).toContain('core.worktree');
  }
  expect(await gitStatus(workspace.folder, { trusted: false })).toBeNull();
  expect((await marks(workspace)).sort()).toEqual(['a.txt', 'other.txt']);
  expect(await readFile(join(workspace.outside, 'a.txt'), 'utf8')).toBe('mine\n');
  plainGit(workspace.folder, 'clean', '-fdx');
  expect(await marks(workspace)).toEqual(['a.txt']);
});

form('settings of another file: config.worktree, include.path, includeIf', async () => {
  await using workspace = await attacked();
  await writeFile(join(workspace.outside, 'secret'), 'the secret line\n');
  const config = await readFile(workspace.path('.git/config'), 'utf8');
  for (const more of [
    `[include]\n\tpath = ${workspace.outside}/secret\n`,
    `[includeIf "gitdir:/"]\n\tpath = ${workspace.outside}/secret\n`,
    '[extensions]\n\tworktreeConfig = true\n',
  ]) {
    await workspace.write('.git/config', config + more);
    expect((await refusal(git(workspace, 'log'))).message).toMatch(/include\.path|includeif|worktreeconfig/);
  }
  await workspace.write('.git/config', config);
  await workspace.write('.git/config.worktree', '[core]\n\tfsmonitor = /bin/true\n');
  expect((await refusal(git(workspace, 'status'))).message).toContain('.git/config.worktree');
});

for (const key of ['format.signatureFile', 'blame.ignoreRevsFile', 'mailmap.file', 'core.excludesFile']) {
  form(`${key}, which names a file outside`, async () => {
    await using workspace = await attacked();
    plainGit(workspace.folder, 'config', key, '/etc/passwd');
    for (const args of [['log'], ['blame', 'a.txt'], ['status']])
      expect((await refusal(git(workspace, ...args))).message).toContain(key.toLowerCase());
  });
}

const broken = ['[core\n', '[core]\n\tbare\n\tx = "\n', '\0', '[core]\nfilemode = true\\'];
for (const [index, text] of broken.entries()) {
  form(`a configuration that is hard to read (${index + 1})`, async () => {
    await using workspace = await attacked();
    await workspace.write('.git/config', `${text}[core]\n\tfsmonitor = ${await plant(workspace)}\n`);
    await expect(git(workspace, 'status')).rejects.toMatchObject({ variant: 'ForbiddenCommand' });
    expect(await marks(workspace)).toEqual([]);
  });
}

/** Another repository of the user's, with a commit that holds a secret. */
async function otherRepository(workspace: TestWorkspace): Promise<string> {
  const other = join(workspace.outside, 'other');
  await repository(other, 'key.txt');
  return other;
}

const otherWays: readonly (readonly [title: string, make: (workspace: TestWorkspace, other: string) => Promise<void>])[] = [
  [
    'a file .git',
    async (workspace, other) => {
      await rm(workspace.path('.git'), { recursive: true });
      await workspace.write('.git', `gitdir: ${other}/.git\n`);
    },
  ],
  [
    'a link .git',
    async (workspace, other) => {
      await rm(workspace.path('.git'), { recursive: true });
      await symlink(join(other, '.git'), workspace.path('.git'));
    },
  ],
  ['commondir', (workspace, other) => workspace.write('.git/commondir', `${other}/.git\n`)],
  [
    'alternates',
    async (workspace, other) => {
      await workspace.write('.git/objects/info/alternates', `${other}/.git/objects\n`);
      await cp(join(other, '.git/refs/heads/main'), workspace.path('.git/refs/heads/main'));
    },
  ],
  [
    'a link in place of the objects',
    async (workspace, other) => {
      await rename(workspace.path('.git/objects'), workspace.path('old'));
      await symlink(join(other, '.git/objects'), workspace.path('.git/objects'));
      await cp(join(other, '.git/refs/heads/main'), workspace.path('.git/refs/heads/main'));
    },
  ],
];
for (const [title, make] of otherWays) {
  form(`another repository by ${title}`, async () => {
    await using workspace = await attacked();
    const other = await otherRepository(workspace);
    await make(workspace, other);
    const { message } = await refusal(git(workspace, 'show', 'HEAD:key.txt'));
    expect(message).toMatch(/\.git[\w/]* (is a|takes)/);
    expect(message).toContain('Trust the folder');
    expect(await gitStatus(workspace.folder, { trusted: false })).toBeNull();
    expect(plainGit(workspace.folder, 'show', 'HEAD:key.txt')).toBe('one\n');
  });
}

form('http-alternates', async () => {
  await using workspace = await attacked();
  await workspace.write('.git/objects/info/http-alternates', 'http://127.0.0.1/\n');
  expect((await refusal(git(workspace, 'status'))).message).toContain('http-alternates');
});

form('a log of references that is a link, to which git appends', async () => {
  await using workspace = await attacked();
  const profile = join(workspace.outside, '.bashrc');
  await writeFile(profile, '');
  await rm(workspace.path('.git/logs/HEAD'));
  await symlink(profile, workspace.path('.git/logs/HEAD'));
  plainGit(workspace.folder, 'config', 'user.name', '$(touch ran)');
  plainGit(workspace.folder, 'config', 'user.email', 'x');
  expect((await refusal(git(workspace, 'commit', '--allow-empty', '-m', 'x'))).message).toContain('.git/logs/HEAD is a link');
  expect(await readFile(profile, 'utf8')).toBe('');
  execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'x'], { cwd: workspace.folder });
  expect(await readFile(profile, 'utf8')).toContain('$(touch ran)');
});

form('a submodule whose file .git leads outside', async () => {
  await using workspace = await attacked();
  await withSubmodule(workspace);
  await workspace.write('sub/.git', `gitdir: ${await otherRepository(workspace)}/.git\n`);
  expect((await refusal(git(workspace, 'status'))).message).toContain('sub/.git leads to a repository outside .git/modules');
});

form('a submodule whose working tree lies outside', async () => {
  await using workspace = await attacked();
  await withSubmodule(workspace);
  plainGit(workspace.folder, 'config', '--file', '.git/modules/sub/config', 'core.worktree', workspace.outside);
  expect((await refusal(git(workspace, 'status'))).message).toContain('core.worktree');
});

form('a repository whose earlier versions of a flow are read', async () => {
  await using workspace = await attacked();
  const program = await plant(workspace);
  await workspace.write('.gitattributes', '*.txt diff=evil filter=evil\n');
  plainGit(workspace.folder, 'add', '.');
  plainGit(workspace.folder, 'commit', '-q', '-m', 'Second');
  for (const key of ['diff.evil.textconv', 'filter.evil.smudge', 'diff.external']) {
    plainGit(workspace.folder, 'config', key, program);
    const untrusted = new GitHistory(workspace.folder, { trusted: false });
    await expect(untrusted.commit('HEAD')).rejects.toMatchObject({ variant: 'ForbiddenCommand', message: expect.stringContaining(key) });
    // In a trusted folder, the setting is overridden.
    const trusted = new GitHistory(workspace.folder, { trusted: true });
    const last = await trusted.commit('HEAD');
    expect(await trusted.after(await trusted.commit('HEAD~1'), last)).toMatchObject([{ subject: 'Second' }]);
    expect(await trusted.read(last, 'a.txt')).toBe('one\n');
    plainGit(workspace.folder, 'config', '--unset', key);
  }
  await expect(new GitHistory(workspace.folder, { trusted: false }).commit('--output=../written')).rejects.toMatchObject({
    variant: 'NotFound',
  });
  expect(await marks(workspace)).toEqual([]);
});

form('a repository in a folder above', async () => {
  await using workspace = await TestWorkspace.make();
  await repository(join(workspace.folder, '..'));
  expect((await refusal(git(workspace, 'log'))).message).toContain('This folder is not a git repository');
  expect(await gitStatus(workspace.folder, { trusted: false })).toBeNull();
});

form('a folder that is laid out like a bare repository', async () => {
  await using workspace = await TestWorkspace.make();
  plainGit(workspace.folder, 'init', '-q', '--bare', '.');
  plainGit(workspace.folder, 'config', 'core.fsmonitor', await plant(workspace));
  expect((await refusal(git(workspace, 'log'))).variant).toBe('ForbiddenCommand');
  expect(await marks(workspace)).toEqual([]);
});

for (const address of ['ext::sh -c touch% x', 'evil::x', '--upload-pack=touch x', 'ssh://-oProxyCommand=x/y', 'ftp://x/y']) {
  form(`the address ${address} of a remote`, async () => {
    await using workspace = await attacked();
    plainGit(workspace.folder, 'config', 'remote.origin.url', address);
    expect((await refusal(git(workspace, 'fetch'))).message).toContain('remote.origin.url');
  });
}

form('a remote that is another repository of this machine', async () => {
  await using workspace = await attacked();
  const other = await otherRepository(workspace);
  plainGit(workspace.folder, 'config', 'remote.origin.url', other);
  expect(await git(workspace, 'fetch', 'origin')).toMatchObject({ exit_code: 128, stderr: expect.stringContaining('not allowed') });
  expect(await git(workspace, 'fetch', `file://${other}`)).toMatchObject({ exit_code: 128 });
  expect(await git(workspace, 'ls-remote', `ext::sh -c touch% ${workspace.outside}/ran`)).toMatchObject({ exit_code: 128 });
  expect(await marks(workspace)).toEqual(['other']);
});

const refusedArguments: readonly (readonly string[])[] = [
  ['-c', 'core.fsmonitor=touch x', 'status'],
  ['--config-env=core.fsmonitor=PATH', 'status'],
  ['-C', '..', 'status'],
  ['--git-dir=../outside/.git', 'log'],
  ['--work-tree=..', 'clean', '-fdx'],
  ['--exec-path=.', 'status'],
  ['--namespace=x', 'log'],
  ['-p', 'log'],
  ['diff', '--output=../outside/x'],
  ['diff', '--outp=../outside/x'],
  ['log', '-p', '--output', '../outside/x'],
  ['log', '--author', '--output=../outside/x'],
  ['diff', '--no-index', '/etc/passwd', '/dev/null'],
  ['diff', '/etc/passwd', 'a.txt'],
  ['diff', '--', '../planted.sh', 'a.txt'],
  ['diff', '-O/etc/passwd'],
  ['diff', '--ext-diff'],
  ['diff', '--textconv'],
  ['diff', '--submodule=diff'],
  ['status', '--ignore-submodules=none'],
  ['fetch', '--upload-pack=touch x', 'origin'],
  ['fetch', '--recurse-submodules'],
  ['push', '--receive-pack=touch x'],
  ['clone', '/etc', 'x'],
  ['commit', '-F', '/etc/passwd'],
  ['commit', '-aF/etc/passwd'],
  ['commit', '-S', '-m', 'x'],
  ['tag', '-F', '/etc/passwd', 'x'],
  ['blame', '--contents', '/etc/passwd', 'a.txt'],
  ['grep', '--no-index', 'x', '/etc'],
  ['grep', '-Otouch', 'x'],
  ['grep', '-f/etc/passwd'],
  ['ls-files', '-X/etc/passwd'],
  ['hash-object', '/etc/passwd'],
  ['config', 'core.fsmonitor', 'touch x'],
  ['config', '--file', '/etc/passwd', '--list'],
  ['config', '--get', '--file=/etc/passwd', 'x.y'],
  ['archive', '-o', '../outside/x', 'HEAD'],
  ['bundle', 'create', '../outside/x', 'HEAD'],
  ['format-patch', '-o', '../outside', 'HEAD'],
  ['worktree', 'add', '../outside/x'],
  ['init', '../outside/x'],
  ['init', '--template=/x'],
  ['init', '--separate-git-dir=../outside/x'],
  ['submodule', 'foreach', 'touch x'],
  ['bisect', 'run', 'touch'],
  ['rebase', '--exec', 'touch x', 'HEAD'],
  ['difftool', '-x', 'touch'],
  ['merge-file', '../outside/x', 'a.txt', 'a.txt'],
  ['apply', '--unsafe-paths', 'x'],
  ['remote', 'add', 'x', 'ext::x'],
  ['reflog', 'expire', '--all'],
  ['filter-branch'],
  ['daemon'],
  ['constructor'],
  ['-x'],
];
for (const args of refusedArguments) {
  form(`git ${args.join(' ')}`, async () => {
    await using workspace = await TestWorkspace.make();
    const { message, variant } = await refusal(git(workspace, ...args));
    expect(variant).toBe('ForbiddenCommand');
    expect(message).toContain('In an untrusted folder, ');
    expect(await marks(workspace)).toEqual([]);
  });
}

const noStranger = skipUnless(process.getuid?.() === 0, 'repositories of another user', 'giving files away needs root');
test.skipIf(noStranger)('git is refused in a repository of another user', async () => {
  await using workspace = await attacked();
  chownSync(workspace.path('.git'), 65534, 65534);
  expect((await refusal(git(workspace, 'status'))).message).toContain('belongs to another user (uid 65534)');
});

describe('git in an ordinary clone in a folder without trust', () => {
  async function clone(): Promise<TestWorkspace> {
    const workspace = await TestWorkspace.make();
    const origin = join(workspace.folder, '..', 'origin');
    await repository(origin);
    plainGit(join(workspace.folder, '..'), 'clone', '-q', origin, workspace.folder);
    plainGit(workspace.folder, 'config', 'user.name', 'Ann');
    plainGit(workspace.folder, 'config', 'user.email', 'ann@example.org');
    return workspace;
  }

  test('works: it shows, adds, commits, branches and goes back', async () => {
    await using workspace = await clone();
    await workspace.write('a.txt', 'two\n');
    expect((await git(workspace, 'status', '--short')).stdout).toBe(' M a.txt\n');
    expect((await git(workspace, 'diff', '-U0')).stdout).toContain('+two');
    for (const args of [
      ['add', '-A'],
      ['commit', '-q', '-m', '- a message, /with signs'],
      ['switch', '-q', '-c', 'other'],
      ['tag', 'v1'],
    ]) {
      expect(await git(workspace, ...args.map((arg) => arg.replace(/^- /, '')))).toMatchObject({ exit_code: 0 });
    }
    expect((await git(workspace, 'log', '--oneline', '-n', '5', '--format=%s')).stdout).toContain('First');
    expect((await git(workspace, '--no-pager', 'log', '-p', '-1')).stdout).toContain('+two');
    expect((await git(workspace, 'branch', '--show-current')).stdout).toBe('other\n');
    expect((await git(workspace, 'show', 'HEAD~1:a.txt')).stdout).toBe('one\n');
    expect((await git(workspace, 'grep', '-n', 'two')).stdout).toBe('a.txt:1:two\n');
    expect((await git(workspace, 'rev-parse', '--abbrev-ref', 'HEAD')).stdout).toBe('other\n');
    expect((await git(workspace, 'config', '--get', 'remote.origin.url')).stdout).toContain('origin');
    expect(await gitStatus(workspace.folder, { trusted: false })).toEqual({ branch: 'other', changed: 0 });
  });

  test('creates a repository where none exists', async () => {
    await using workspace = await TestWorkspace.make();
    expect(await git(workspace, 'init', '-b', 'trunk')).toMatchObject({ exit_code: 0 });
    expect((await git(workspace, 'status', '--short', '--branch')).stdout).toBe('## No commits yet on trunk\n');
  });

  test('works beside submodules, without looking into them', async () => {
    await using workspace = await attacked();
    await withSubmodule(workspace);
    await workspace.write('a.txt', 'two\n');
    expect((await git(workspace, 'status', '--short')).stdout).toBe(' M a.txt\n');
    expect((await git(workspace, 'log', '--format=%s')).stdout).toBe('Submodule\nFirst\n');
    expect((await refusal(git(workspace, 'commit', '-a', '-m', 'x'))).message).toContain('submodule "sub"');
  });

  test('speaks to a server by http', async () => {
    await using workspace = await clone();
    await using server = await cookieServer();
    plainGit(workspace.folder, 'config', 'remote.origin.url', server.url);
    expect((await git(workspace, 'fetch')).stderr).not.toContain('not allowed');
    expect(server.requests()).toBeGreaterThan(0);
  });
});

describe('git in a trusted folder', () => {
  const trustedGit = (workspace: TestWorkspace, ...args: string[]) =>
    workspace.call(runCommandTool, { command: 'git', args }, { trusted: true, allow_commands: ['git'] }) as Promise<JsonObject>;

  test('works in a worktree, with submodules and with shared objects', async () => {
    await using workspace = await TestWorkspace.make();
    const main = join(workspace.folder, '..', 'main');
    const shared = join(workspace.folder, '..', 'shared');
    await repository(shared);
    plainGit(join(shared, '..'), 'clone', '-q', '--shared', shared, main);
    plainGit(main, 'submodule', '--quiet', 'add', shared, 'sub');
    plainGit(main, 'commit', '-q', '-m', 'Submodule');
    await rm(workspace.folder, { recursive: true });
    plainGit(main, 'worktree', 'add', '-q', '-b', 'side', workspace.folder);
    expect((await trustedGit(workspace, 'log', '--format=%s')).stdout).toBe('Submodule\nFirst\n');
    expect(await gitStatus(workspace.folder, { trusted: true })).toEqual({ branch: 'side', changed: 0 });
    expect((await refusal(git(workspace, 'log'))).message).toContain('.git is a file');
  });

  test.skipIf(noStranger)('is refused where its objects belong to another user', async () => {
    await using workspace = await attacked();
    const other = await otherRepository(workspace);
    await workspace.write('.git/objects/info/alternates', `${other}/.git/objects\n`);
    chownSync(join(other, '.git/objects'), 65534, 65534);
    const { message } = await refusal(trustedGit(workspace, 'log'));
    expect(message).toContain(`${other}/.git/objects, which belongs to another user`);
  });
});

/** A server with a repository of one reference, that sets cookies. */
async function cookieServer() {
  let requests = 0;
  const server = createServer(({ url = '' }, response) => {
    requests += 1;
    const refs = `${'12'.repeat(20)}\trefs/heads/main\n`;
    response.writeHead(200, { 'set-cookie': ['a=$(touch)', 'b=2'] }).end(url.includes('info/refs') ? refs : 'ref: refs/heads/main\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`,
    requests: () => requests,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
