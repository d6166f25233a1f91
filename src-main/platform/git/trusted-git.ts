import { runProgram } from '#main/platform/programs/run-program.ts';
import { ToolError } from '#shared/run/error.ts';
import { fixedArguments, type GitCall, gitVariables, refusedGit, safeArguments, subcommandIndex } from './git-call.ts';
import { checkOwners } from './git-places.ts';

/*
 * git runs programs named by its configuration and a repository's attributes. A trusted folder's repository may name any program, but a model
 * that calls git must not decide what runs: the user's and the system's configuration is ignored, and the repository's own is overridden
 * setting by setting. In untrusted folders `untrustedGit` rejects such settings.
 */

/** Settings whose value is run as a program, with the value that disables them. */
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

/** For these git uses the first value that it finds, so the repository's cannot be overridden. Any command may fetch a missing object. */
const cannotBeSwitchedOff = /^remote\..*\.(uploadpack|receivepack)$|^core\.gitproxy$/;

/**
 * Prepares a git call in a trusted folder, overriding every setting that would run a program of the repository's choice. Worktrees,
 * submodules and shared object stores work if they belong to the same user. Throws ToolError `ForbiddenCommand`.
 */
export async function trustedGit(call: GitCall): Promise<GitCall> {
  await checkOwners(call.cwd);
  const at = subcommandIndex(call.args);
  const subcommand = call.args[at] ?? '';
  const keys = await repositorySettings({ ...call, env: gitEnvironment(call.env, []), args: call.args.slice(0, at) });
  if (keys.includes(`alias.${subcommand.toLowerCase()}`)) {
    throw refusedGit(`"git ${subcommand}" is an alias defined by this repository. Aliases are blocked; call the git command itself.`);
  }
  const stubborn = keys.find((key) => cannotBeSwitchedOff.test(key.toLowerCase()));
  if (stubborn) throw refusedGit(`This repository sets ${stubborn}, which makes git run a program. Remove the setting first.`);
  const overrides = keys.flatMap((key) => {
    const setting = programSettings.find(([name]) => name.test(key.toLowerCase()));
    return setting ? [[key, setting[1]] as const] : [];
  });
  return { ...call, args: safeArguments(call.args), env: gitEnvironment(call.env, overrides) };
}

/** Overrides the repository's settings through the environment, where keys may contain any character; it takes precedence over every file. */
function gitEnvironment(base: Readonly<Record<string, string>>, overrides: readonly (readonly [string, string])[]): Record<string, string> {
  const numbered = overrides.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...base, ...gitVariables, GIT_CONFIG_COUNT: String(overrides.length), ...Object.fromEntries(numbered) };
}

/** Names of all settings in effect for the repository of the call. Reading them runs no program. */
async function repositorySettings(call: GitCall): Promise<string[]> {
  const result = await runProgram({
    ...call,
    args: [...fixedArguments, ...call.args, 'config', '--list', '--includes', '--name-only', '-z'],
    timeoutMs: 10_000,
    outputBytes: 4 * 1024 * 1024,
  });
  if (result.truncated) throw new ToolError('Denied', "This repository's configuration is too large to check.");
  return result.stdout.split('\0').filter((key) => key !== '');
}
