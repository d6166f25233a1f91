import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from '#main/tools/commands/run-program.ts';
import { fixedArguments, type GitCall, gitVariables, refusedGit, safeArguments, subcommandIndex } from './git-call.ts';
import { checkPlainRepository, checkSubmodule } from './plain-repository.ts';
import { checkUntrustedArguments } from './untrusted-arguments.ts';

/** A path at which nothing can ever be. */
const nowhere = join(devNull, 'none');

/** Commands that do without a repository. */
const needsNone: ReadonlySet<string | undefined> = new Set(['init', 'ls-remote', 'version', undefined]);
/** Commands that start git in each submodule of the index to see whether it changed, whatever options say. */
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
 * A call of git in a folder that is not trusted: commands and options of a list, in a plain repository whose configuration is harmless, and
 * there only. Commands that do not use the network find no program that they could start by name. Throws ToolError `ForbiddenCommand`.
 */
export async function untrustedGit(call: GitCall): Promise<GitCall> {
  const at = subcommandIndex(call.args);
  const { network } = checkUntrustedArguments(call.args, at);
  const subcommand = call.args[at];
  const env = pinnedEnvironment(call);
  if (await checkPlainRepository(call, call.cwd)) await checkSubmodules(call, env, subcommand);
  else if (!needsNone.has(subcommand)) {
    throw refusedGit(
      'There is no git repository in this folder. The folder is not trusted, so git does not look for one in the folders above; trust the folder to have it do so.',
    );
  }
  return { ...call, args: safeArguments(call.args, withoutSubmodules), env: network ? env : withoutPrograms(env) };
}

async function checkSubmodules(call: GitCall, env: Readonly<Record<string, string>>, subcommand: string | undefined): Promise<void> {
  for (const path of await submodulesOfIndex(call, env)) {
    const isCheckedOut = await checkSubmodule(call, call.cwd, path);
    if (isCheckedOut && looksIntoSubmodules.has(subcommand)) {
      throw refusedGit(
        `"git ${subcommand}" looks into the submodule ${JSON.stringify(path)}, which git does only in a trusted folder. Trust the folder to allow it.`,
        { file: path },
      );
    }
  }
}

/** Paths that the index says are submodules; reading the index starts nothing. */
async function submodulesOfIndex(call: GitCall, env: Readonly<Record<string, string>>): Promise<string[]> {
  const result = await runProgram({
    ...call,
    args: [...fixedArguments, 'ls-files', '--stage', '-z'],
    env: withoutPrograms(env),
    timeoutMs: 10_000,
    outputBytes: 64 * 1024 * 1024,
  });
  if (result.truncated) throw refusedGit('git does not run here: the folder is not trusted, and its index is too large to be checked.');
  return result.stdout
    .split('\0')
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

/** This repository and no other, and no protocol that reads this machine's files or is a program. */
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

/** git starts itself for a submodule, and other programs, by name: there is none to be found. */
function withoutPrograms(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...env, PATH: nowhere, GIT_EXEC_PATH: nowhere };
}
