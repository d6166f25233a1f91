import { devNull } from 'node:os';
import { parse } from 'node:path';
import { runProgram } from '#main/platform/programs/run-program.ts';
import { type GitCall, gitVariables, refusedGit } from './git-call.ts';

export interface GitSetting {
  /** Section and name in lower case, the subsection as written. */
  readonly key: string;
  /** `true` if the file sets no value. */
  readonly value: string;
}

/**
 * Reads the settings of a configuration file with git itself, so that both parse it alike, but outside any repository. Included files are
 * not read; `include.path` is one of the settings. Throws ToolError `ForbiddenCommand` if the file cannot be read.
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
    throw refusedGit(`git is blocked here: ${file} cannot be read: ${why}`, { file });
  }
  return result.stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}
