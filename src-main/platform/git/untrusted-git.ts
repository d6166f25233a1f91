import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from '#main/platform/programs/run-program.ts';
import { fixedArguments, type GitCall, gitVariables, refusedGit, safeArguments, subcommandIndex } from './git-call.ts';
import { checkPlainRepository, checkSubmodule } from './plain-repository.ts';
import { checkUntrustedArguments } from './untrusted-arguments.ts';

/** A path that can never exist. */
const nowhere = join(devNull, 'none');

/** Commands that need no repository. */
const needsNone: ReadonlySet<string | undefined> = new Set(['init', 'ls-remote', 'version', undefined]);
/** Commands that start git in each submodule of the index to check for changes, regardless of options. */
const looksIntoSubmodules: ReadonlySet<string | undefined> = new Set(['add', 'commit', 'rm']);

const ignoreSubmodules = ['--ignore-submodules=all'];
const withoutSubmodules = {
  status: ignoreSubmodules,
  diff: ignoreSubmodules,
  'diff-index': ignoreSubmodules,
  'diff-files': ignoreSubmodules,
  fetch: ['--no-recurse-submodules'],
  push: ['--no-recurse-submodules'],
};

/**
 * Prepares a git call in an untrusted folder: only listed commands and options, and only in a plain repository with harmless configuration.
 * Commands that do not use the network get an empty PATH. Throws ToolError `ForbiddenCommand`.
 */
export async function untrustedGit(call: GitCall): Promise<GitCall> {
  const at = subcommandIndex(call.args);
  const { network } = checkUntrustedArguments(call.args, at);
  const subcommand = call.args[at];
  const env = pinnedEnvironment(call);
  if (await checkPlainRepository(call, call.cwd)) await checkSubmodules(call, env, subcommand);
  else if (!needsNone.has(subcommand)) {
    throw refusedGit(
      'This folder is not a git repository. Because the folder is not trusted, parent folders are not searched. Trust the folder to search them.',
    );
  }
  return { ...call, args: safeArguments(call.args, withoutSubmodules), env: network ? env : withoutPrograms(env) };
}

async function checkSubmodules(call: GitCall, env: Readonly<Record<string, string>>, subcommand: string | undefined): Promise<void> {
  for (const path of await submodulesOfIndex(call, env)) {
    const isCheckedOut = await checkSubmodule(call, call.cwd, path);
    if (isCheckedOut && looksIntoSubmodules.has(subcommand)) {
      throw refusedGit(
        `"git ${subcommand}" reads the submodule ${JSON.stringify(path)}, which is allowed only in a trusted folder. Trust the folder to allow it.`,
        { file: path },
      );
    }
  }
}

/** Paths of submodules in the index. Reading the index starts no program. */
async function submodulesOfIndex(call: GitCall, env: Readonly<Record<string, string>>): Promise<string[]> {
  const result = await runProgram({
    ...call,
    args: [...fixedArguments, 'ls-files', '--stage', '-z'],
    env: withoutPrograms(env),
    timeoutMs: 10_000,
    outputBytes: 64 * 1024 * 1024,
  });
  if (result.truncated) throw refusedGit('git is blocked here: the folder is not trusted, and its index is too large to check.');
  return result.stdout
    .split('\0')
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

/** Only this repository, and no protocol that reads local files or runs a program. */
function pinnedEnvironment({ env, cwd }: GitCall): Record<string, string> {
  return {
    ...env,
    ...gitVariables,
    GIT_DIR: join(cwd, '.git'),
    GIT_WORK_TREE: cwd,
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git',
  };
}

/** git starts itself (for submodules) and other programs by name, so an empty search path blocks them. */
function withoutPrograms(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...env, PATH: nowhere, GIT_EXEC_PATH: nowhere };
}
