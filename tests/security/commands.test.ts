import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { abuseClass } from './testing/abuse-class.ts';
import { type AttackedRun, attack } from './testing/attacked-agent.ts';

/*
 * A model runs what the folder allows with arguments and surroundings that make it do more. What git itself would run for a repository is
 * tested with `hardenGit`, one setting after the other.
 */

const form = abuseClass('command arguments and environment');

interface Attempt {
  readonly rules: readonly unknown[];
  readonly command: string;
  readonly args?: readonly string[];
  readonly stdin?: string;
}

/** Runs a command as an agent whose author lets it without asking. */
async function run(workspace: TestWorkspace, { rules, command, args = [], stdin }: Attempt): Promise<AttackedRun> {
  await workspace.write('pravah.json', JSON.stringify({ commands: rules }));
  const agent = { tools: [{ use: 'run_command', approve: 'never' as const }] };
  const input = { command, args: [...args], ...(stdin !== undefined && { stdin }) };
  return attack(workspace, [{ tool: 'run_command', input }], { agent });
}

const gitLog = { name: 'git', args: ['log', '--oneline', '*'] };

const refusedRules: readonly (readonly [title: string, attempt: Attempt])[] = [
  ['an option in the place of a free argument', { rules: [gitLog], command: 'git', args: ['log', '--oneline', '--output=owned.txt'] }],
  ['one argument more', { rules: [gitLog], command: 'git', args: ['log', '--oneline', 'HEAD', '--output=owned.txt'] }],
  [
    'options before the pinned ones',
    { rules: [gitLog], command: 'git', args: ['-c', 'alias.log=!touch owned.txt', 'log', '--oneline', 'x'] },
  ],
  ['another spelling of a pinned one', { rules: [gitLog], command: 'git', args: ['log', '--ONELINE', 'HEAD'] }],
  ['a program by its path', { rules: ['sh'], command: '/bin/sh', args: ['-c', 'touch owned.txt'] }],
  ['a program by a way through folders', { rules: ['sh'], command: '../../bin/sh', args: ['-c', 'touch owned.txt'] }],
  ['a program that is not allowed', { rules: ['true'], command: 'sh', args: ['-c', 'touch owned.txt'] }],
  ['the name with its arguments in one', { rules: ['true'], command: 'true; touch owned.txt' }],
  ['a NUL in the name', { rules: ['true'], command: 'true\0sh' }],
  ['a NUL in an argument', { rules: ['true'], command: 'true', args: ['a\0b'] }],
  ['a name in other letters', { rules: ['true'], command: 'TRUE' }],
  ['a name with a blank behind it', { rules: ['true'], command: 'true ' }],
  ['a name with a line break', { rules: ['true'], command: 'true\ntouch owned.txt' }],
  ['a name in full-width letters', { rules: ['true'], command: 'ｔｒｕｅ' }],
  ['an option instead of a name', { rules: ['true'], command: '--help' }],
  ['this folder as a name', { rules: ['true', '.'], command: '.' }],
  ['an assignment instead of a name', { rules: ['sh'], command: 'LD_PRELOAD=./owned.so' }],
  ['a single dash in the place of a free argument', { rules: [gitLog], command: 'git', args: ['log', '--oneline', '-'] }],
  ['another program’s own command', { rules: [gitLog], command: 'git', args: ['-c', 'core.pager=touch owned.txt', 'log'] }],
  ['a subcommand that runs others', { rules: [gitLog], command: 'git', args: ['bisect', 'run', 'touch'] }],
  [
    'an action of tar',
    { rules: [{ name: 'tar', args: ['-tf', '*'] }], command: 'tar', args: ['-tf', '--checkpoint-action=exec=touch owned.txt'] },
  ],
  ['an action of find', { rules: [{ name: 'find', args: ['.', '*'] }], command: 'find', args: ['.', '-exec', 'touch', 'owned.txt', ';'] }],
  ['a proxy of ssh', { rules: [{ name: 'ssh', args: ['*'] }], command: 'ssh', args: ['-oProxyCommand=touch owned.txt'] }],
];
for (const [title, attempt] of refusedRules) {
  form(title, async () => {
    await using workspace = await TestWorkspace.make();
    const { answers } = await run(workspace, attempt);
    expect(answers).toMatchObject([{ is_error: true, value: expect.stringMatching(/ForbiddenCommand|Missing/) }]);
    expect(await workspace.read('owned.txt')).toBeNull();
  });
}

const harmless: readonly (readonly [title: string, args: readonly string[]])[] = [
  ['what a shell would run', ['$(touch owned.txt)', '`touch owned.txt`', '; touch owned.txt', '| touch owned.txt', '&& touch owned.txt']],
  ['what a shell would redirect', ['>', 'owned.txt']],
  ['what some programs read a file for', ['@/etc/passwd', '@owned.txt']],
  ['an assignment', ['LD_PRELOAD=./owned.so', 'GIT_DIR=.']],
  ['what a shell would expand', ['$HOME', '~', '*', '\n touch owned.txt']],
];
for (const [title, args] of harmless) {
  form(`${title}, which stays text`, async () => {
    await using workspace = await TestWorkspace.make();
    const { answers } = await run(workspace, { rules: ['printf'], command: 'printf', args: ['%s|', ...args] });
    expect(answers[0]?.value).toMatchObject({ exit_code: 0, stdout: args.map((arg) => `${arg}|`).join('') });
    expect(await workspace.read('owned.txt')).toBeNull();
  });
}

form('a daemon that leaves its process group to outlive the call', async () => {
  await using workspace = await TestWorkspace.make();
  const script = 'setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" > /dev/null 2>&1 < /dev/null & while ! test -s pid; do :; done';
  await run(workspace, { rules: ['sh'], command: 'sh', args: ['-c', script] });
  const pid = (await workspace.read('pid'))?.trim();
  expect(pid).toMatch(/^\d+$/);
  if (process.platform === 'linux')
    await expect
      .poll(
        () =>
          readFile(`/proc/${pid}/stat`, 'utf8').then(
            (stat) => / [ZX] /.test(stat),
            () => true,
          ),
        { timeout: 10_000 },
      )
      .toBe(true);
});
form('keys in this process’s environment, which no program gets', async () => {
  await using workspace = await TestWorkspace.make();
  await workspace.write('.env', 'FOLDER_TOKEN=token-of-the-folder');
  const before = { ...process.env };
  Object.assign(process.env, {
    OPENAI_API_KEY: 'key-of-the-user',
    AWS_SECRET_ACCESS_KEY: 'another',
    LD_PRELOAD: '',
    LD_LIBRARY_PATH: '/nowhere',
    GIT_SSH_COMMAND: 'touch owned.txt',
    GIT_CONFIG_COUNT: '1',
    BASH_ENV: './owned.sh',
    ENV: './owned.sh',
    PYTHONSTARTUP: './owned.py',
    PERL5OPT: '-Mowned',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NODE_OPTIONS: '--no-warnings',
  });
  try {
    const { answers } = await run(workspace, { rules: ['env'], command: 'env' });
    // The mark by which leftover processes are found is no secret.
    const text = JSON.stringify(answers).replace(/PRAVAH_PROCESS_MARK=[-\da-f]{36}/, '');
    expect(text).toContain('PATH=');
    for (const name of [
      'key-of-the-user',
      'AWS_',
      'LD_',
      'GIT_',
      'BASH_ENV',
      'owned',
      'PERL5OPT',
      'PROXY',
      'NODE_OPTIONS',
      'token-of-the-folder',
      'FOLDER_TOKEN',
      'PRAVAH',
    ])
      expect(text).not.toContain(name);
  } finally {
    process.env = before;
  }
});

form('arguments longer than the system takes, which are a clear failure', async () => {
  await using workspace = await TestWorkspace.make();
  const { answers } = await run(workspace, { rules: ['true'], command: 'true', args: ['x'.repeat(4 * 1024 * 1024)] });
  expect(answers).toMatchObject([{ is_error: true, value: expect.stringMatching(/arguments are too long/) }]);
});

form('a PATH on which an attacker’s program comes first', async () => {
  await using workspace = await TestWorkspace.make();
  await workspace.write('bin/true', '#!/bin/sh\ntouch owned.txt\n');
  await chmod(workspace.path('bin/true'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${workspace.path('bin')}:.:${before}`;
  try {
    await run(workspace, { rules: ['true'], command: 'true' });
    expect(await workspace.read('owned.txt')).toBeNull();
  } finally {
    process.env.PATH = before;
  }
});

form('a folder that looks like a repository and names programs', async () => {
  await using workspace = await TestWorkspace.make();
  const program = workspace.path('evil.sh');
  await writeFile(program, `#!/bin/sh\ntouch ${workspace.path('owned.txt')}\n`, { mode: 0o755 });
  for (const folder of ['objects', 'refs/heads']) await mkdir(workspace.path(folder), { recursive: true });
  await workspace.write('HEAD', 'ref: refs/heads/main\n');
  await workspace.write('config', `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = ${program}\n\tpager = ${program}\n`);
  for (const args of [['status'], ['log'], ['-p', 'log'], ['diff']]) await run(workspace, { rules: ['git'], command: 'git', args });
  expect(await workspace.read('owned.txt')).toBeNull();
});

form('a program that leaves the folder by its own means leaves it in a place that is not this one', async () => {
  await using workspace = await TestWorkspace.make();
  const { answers } = await run(workspace, { rules: ['pwd'], command: 'pwd' });
  expect(answers[0]?.value).toMatchObject({ stdout: `${workspace.folder}\n` });
});

form('an agent that does not ask where the folder’s settings say that it must', async () => {
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', JSON.stringify({ commands: ['touch'], approve: { run_command: 'always' } }));
  const agent = { tools: [{ use: 'run_command', approve: 'never' as const }] };
  const { outcome } = await attack(workspace, [{ tool: 'run_command', input: { command: 'touch', args: ['owned.txt'] } }], { agent });
  expect(outcome).toMatchObject({ type: 'suspend', reason: 'approval' });
  expect(await workspace.read('owned.txt')).toBeNull();
});

form('a folder without trust, whatever its settings allow', async () => {
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', JSON.stringify({ commands: ['touch'], approve: { run_command: 'never' } }));
  const calls = [{ tool: 'run_command', input: { command: 'touch', args: ['owned.txt'] } }];
  const { answers } = await attack(workspace, calls, { trusted: false });
  expect(answers).toMatchObject([{ is_error: true }]);
  expect(await readFile(join(workspace.folder, 'owned.txt'), 'utf8').catch(() => null)).toBeNull();
});

test('an allowed program runs, so that the forms above could fail', async () => {
  await using workspace = await TestWorkspace.make();
  await run(workspace, { rules: ['touch'], command: 'touch', args: ['owned.txt'] });
  expect(await workspace.read('owned.txt')).toBe('');
});
