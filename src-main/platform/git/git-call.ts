import { devNull } from 'node:os';
import { ToolError } from '#shared/run/error.ts';

/** A git call, before or after hardening. */
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
  // A tool can write a folder that looks like a bare repository (HEAD, config, objects, refs), so only a real `.git` counts.
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  // git starts itself in submodules, with their own configuration.
  ['diff.ignoreSubmodules', 'all'],
  ['diff.submodule', 'short'],
  ['status.submoduleSummary', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  // libcurl writes its cookie jar to a path that the repository chooses, with values that a server chooses.
  ['http.cookieFile', ''],
  ['http.saveCookies', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** The fixed settings as arguments: unlike settings in the environment, `-c` also applies to the processes that git starts in submodules. */
export const fixedArguments: readonly string[] = fixedSettings.flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** Variables that make git ignore the user's and the system's configuration, never prompt and never fetch lazily. */
export const gitVariables: Readonly<Record<string, string>> = {
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

/** Global git options that take the next argument as their value. */
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

/** Index of the subcommand in git's arguments, or their number if there is no subcommand. */
export function subcommandIndex(args: readonly string[]): number {
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] as string;
    if (!arg.startsWith('-')) break;
    if (globalOptionsWithValue.has(arg)) index++;
  }
  return index;
}

const noConversion = ['--no-ext-diff', '--no-textconv'];

/** Options that keep a subcommand from running programs named by attributes and configuration. */
const safeOptions: Readonly<Record<string, readonly string[]>> = {
  diff: noConversion,
  log: noConversion,
  show: noConversion,
  whatchanged: noConversion,
  'diff-tree': noConversion,
  'diff-index': noConversion,
  'diff-files': noConversion,
  'format-patch': noConversion,
  blame: ['--no-textconv'],
  annotate: ['--no-textconv'],
  grep: ['--no-textconv'],
};

type Options = Readonly<Record<string, readonly string[]>>;

/** Adds the fixed settings before and safe options after the subcommand; `more` are further such options. */
export function safeArguments(args: readonly string[], more: Options = {}): string[] {
  const at = subcommandIndex(args);
  const options = [safeOptions, more].flatMap((table) => (Object.hasOwn(table, args[at] ?? '') ? (table[args[at] as string] ?? []) : []));
  return [...fixedArguments, ...args.slice(0, at + 1), ...options, ...args.slice(at + 1)];
}

/** The error for a blocked git call: what was found and what to do. */
export function refusedGit(message: string, details: Readonly<Record<string, string>> = {}): ToolError {
  return new ToolError('ForbiddenCommand', message, { details: { command: 'git', ...details } });
}
