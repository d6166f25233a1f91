import { devNull } from 'node:os';
import { parse } from 'node:path';
import { runProgram } from '#main/tools/commands/run-program.ts';
import { type GitCall, gitVariables, refusedGit } from './git-call.ts';

export interface GitSetting {
  /** Section and name in small letters, the subsection as written. */
  readonly key: string;
  /** `true` where the file gives none. */
  readonly value: string;
}

/**
 * The settings of one configuration file, read by git itself, so that both understand the file alike, but outside of any repository;
 * files that it includes are not read, and `include.path` is one of the settings. Throws ToolError `ForbiddenCommand` where it cannot be read.
 */
export async function readSettings(call: GitCall, file: string): Promise<GitSetting[]> {
  const result = await runProgram({
    ...call,
    args: ['config', '--file', file, '--no-includes', '--list', '-z'],
    cwd: parse(file).root,
    env: { ...call.env, ...gitVariables, GIT_DIR: `${devNull}/none`, GIT_CEILING_DIRECTORIES: parse(file).root },
    timeoutMs: 10_000,
    outputBytes: 4 * 1024 * 1024,
  });
  if (result.truncated || result.exit_code !== 0) {
    const why = result.truncated ? 'it is too large' : result.stderr.trim();
    throw refusedGit(`git does not run here: ${file} cannot be read: ${why}`, { file });
  }
  return result.stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}
