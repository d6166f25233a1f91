import { devNull } from 'node:os';
import { ToolError } from '#shared/runtime/error.ts';
import { runProgram } from './run-program.ts';

/*
 * git runs programs that its configuration and a repository's attributes name. Everything that can be switched off is: what the user and the
 * system configured is not read, and what the repository itself configured is overridden, entry by entry.
 */

export interface GitCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const fixedSettings: readonly (readonly [key: string, value: string])[] = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.attributesFile', devNull],
  ['core.alternateRefsCommand', 'true'],
  ['credential.helper', ''],
  ['protocol.ext.allow', 'never'],
  // A folder that merely looks like a repository (HEAD, config, objects, refs) can be written by a tool: only a real `.git` counts.
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

const variables: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
};

/** Names of settings whose value is run as a program, with the value that switches each off. */
const programSettings: readonly (readonly [name: RegExp, off: string])[] = [
  [/^filter\..*\.(clean|smudge|process)$/, ''],
  [/^filter\..*\.required$/, 'false'],
  [/^diff\..*\.(command|textconv)$|^diff\.external$/, 'false'],
  [/^merge\..*\.driver$/, 'false'],
  [/^(difftool|mergetool|guitool|browser|man)\..*\.(cmd|path)$/, 'false'],
  [/^gpg\.program$|^gpg\..*\.program$|^gpg\.ssh\.defaultkeycommand$/, 'false'],
  [/^credential\..*\.helper$/, ''],
  [/^remote\..*\.vcs$/, ''],
  [/^trailer\..*\.(command|cmd)$/, 'false'],
  [/^tar\..*\.command$/, 'false'],
  [/^pager\..*$/, 'false'],
  [/^submodule\..*\.update$/, 'none'],
  [/^(core\.(sshcommand|askpass|editor)|sequence\.editor|interactive\.difffilter|web\.browser|init\.templatedir)$/, ''],
  [/^(uploadpack\.packobjectshook|imap\.tunnel|sendemail\..*(cmd|smtpserver))$/, ''],
];

/** Of these, git takes the first value that it finds: nothing overrides the repository's. Any command may come to fetch a missing object. */
const cannotBeSwitchedOff = /^remote\..*\.(uploadpack|receivepack)$|^core\.gitproxy$/;

/** Commands that show differences: by default they run what attributes and configuration name for a file. */
const noExternalDiff: Readonly<Record<string, readonly string[]>> = {
  diff: ['--no-ext-diff', '--no-textconv'],
  log: ['--no-ext-diff', '--no-textconv'],
  show: ['--no-ext-diff', '--no-textconv'],
  whatchanged: ['--no-ext-diff', '--no-textconv'],
  'diff-tree': ['--no-ext-diff', '--no-textconv'],
  'diff-index': ['--no-ext-diff', '--no-textconv'],
  'diff-files': ['--no-ext-diff', '--no-textconv'],
  'format-patch': ['--no-ext-diff', '--no-textconv'],
  blame: ['--no-textconv'],
  annotate: ['--no-textconv'],
  grep: ['--no-textconv'],
};

/** Options of git itself that take the next argument as their value. */
const globalOptionsWithValue = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
  '--attr-source',
]);

/** The same call with everything switched off that would run a program of the repository's or the user's choice. */
export async function hardenGit(call: GitCall): Promise<GitCall> {
  const at = subcommandIndex(call.args);
  const subcommand = call.args[at] ?? '';
  const keys = await repositorySettings({ ...call, env: gitEnvironment(call.env, []), args: call.args.slice(0, at) });
  if (keys.includes(`alias.${subcommand.toLowerCase()}`)) {
    throw new ToolError('ForbiddenCommand', `"git ${subcommand}" is an alias that this repository defines; aliases are not run`, {
      details: { command: 'git' },
    });
  }
  const stubborn = keys.find((key) => cannotBeSwitchedOff.test(key.toLowerCase()));
  if (stubborn) {
    throw new ToolError(
      'ForbiddenCommand',
      `this repository sets ${stubborn}, which would make git run a program; remove the setting first`,
      {
        details: { command: 'git' },
      },
    );
  }
  const overrides = keys.flatMap((key) => {
    const setting = programSettings.find(([name]) => name.test(key.toLowerCase()));
    return setting ? [[key, setting[1]] as const] : [];
  });
  const args = [...fixedArguments, ...call.args.slice(0, at + 1), ...(noExternalDiff[subcommand] ?? []), ...call.args.slice(at + 1)];
  return { ...call, args, env: gitEnvironment(call.env, overrides) };
}

// `-c` also reaches the processes that git starts in submodules; settings by the environment do not.
const fixedArguments = fixedSettings.flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** What the repository configured is overridden by the environment, where a key may hold any character; it wins over every file. */
function gitEnvironment(base: Readonly<Record<string, string>>, overrides: readonly (readonly [string, string])[]): Record<string, string> {
  const numbered = overrides.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...base, ...variables, GIT_CONFIG_COUNT: String(overrides.length), ...Object.fromEntries(numbered) };
}

function subcommandIndex(args: readonly string[]): number {
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] as string;
    if (!arg.startsWith('-')) break;
    if (globalOptionsWithValue.has(arg)) index++;
  }
  return index;
}

/** Names of all settings in effect for the repository that the call would use; reading them runs nothing. */
async function repositorySettings(call: GitCall): Promise<string[]> {
  const result = await runProgram({
    ...call,
    args: [...fixedArguments, ...call.args, 'config', '--list', '--includes', '--name-only', '-z'],
    timeoutMs: 10_000,
    outputBytes: 4 * 1024 * 1024,
  });
  if (result.truncated) throw new ToolError('Denied', "this repository's configuration is too large to be checked");
  return result.stdout.split('\0').filter((key) => key !== '');
}
