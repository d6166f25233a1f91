import { ToolError } from '#shared/runtime/error.ts';
import { runProgram } from '../run-program.ts';
import { fixedArguments, type GitCall, gitVariables, refusedGit, safeArguments, subcommandIndex } from './git-call.ts';
import { checkOwners } from './git-places.ts';

/*
 * git runs programs that its configuration and a repository's attributes name. A trusted folder's repository may name what it likes, but a
 * model that calls git does not decide what runs: what the user and the system configured is not read, and what the repository itself
 * configured is overridden, entry by entry. In folders that are not trusted `untrustedGit` lets nothing of it come that far.
 */

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

/**
 * A call of git in a trusted folder, with everything overridden that would run a program of the repository's choice. Worktrees, submodules
 * and shared object stores work where they belong to the same user. Throws ToolError `ForbiddenCommand`.
 */
export async function trustedGit(call: GitCall): Promise<GitCall> {
  await checkOwners(call.cwd);
  const at = subcommandIndex(call.args);
  const subcommand = call.args[at] ?? '';
  const keys = await repositorySettings({ ...call, env: gitEnvironment(call.env, []), args: call.args.slice(0, at) });
  if (keys.includes(`alias.${subcommand.toLowerCase()}`)) {
    throw refusedGit(`"git ${subcommand}" is an alias that this repository defines; aliases are not run`);
  }
  const stubborn = keys.find((key) => cannotBeSwitchedOff.test(key.toLowerCase()));
  if (stubborn) throw refusedGit(`this repository sets ${stubborn}, which would make git run a program; remove the setting first`);
  const overrides = keys.flatMap((key) => {
    const setting = programSettings.find(([name]) => name.test(key.toLowerCase()));
    return setting ? [[key, setting[1]] as const] : [];
  });
  return { ...call, args: safeArguments(call.args), env: gitEnvironment(call.env, overrides) };
}

/** What the repository configured is overridden by the environment, where a key may hold any character; it wins over every file. */
function gitEnvironment(base: Readonly<Record<string, string>>, overrides: readonly (readonly [string, string])[]): Record<string, string> {
  const numbered = overrides.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...base, ...gitVariables, GIT_CONFIG_COUNT: String(overrides.length), ...Object.fromEntries(numbered) };
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
