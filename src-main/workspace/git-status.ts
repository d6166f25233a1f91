import { hardenGit } from '#main/platform/git/harden-git.ts';
import { minimalEnvironment } from '#main/platform/programs/environment.ts';
import { findProgram } from '#main/platform/programs/find-program.ts';
import { runProgram } from '#main/platform/programs/run-program.ts';

export interface GitStatus {
  /** Branch name, or the abbreviated commit in detached HEAD state. */
  readonly branch: string;
  /** Files that differ from the last commit, new ones included. */
  readonly changed: number;
}

export interface GitStatusOptions {
  /** In an untrusted folder, the status is read only from a plain, harmless repository. */
  readonly trusted: boolean;
  readonly signal?: AbortSignal;
}

/** Returns the branch and number of changed files of a folder's repository; null without git or a repository, or if git is refused. */
export async function gitStatus(folder: string, { trusted, signal }: GitStatusOptions): Promise<GitStatus | null> {
  try {
    const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=all', '--no-renames'];
    const program = await findProgram('git', folder);
    const plain = { program, args, cwd: folder, env: minimalEnvironment(), signal: signal ?? new AbortController().signal };
    const call = await hardenGit(plain, { trusted });
    const result = await runProgram({ ...call, timeoutMs: 10_000, outputBytes: 4 * 1024 * 1024 });
    return result.exit_code === 0 ? readStatus(result.stdout) : null;
  } catch {
    // Without git or permission, or with a slow repository, the studio omits the status.
    return null;
  }
}

function readStatus(output: string): GitStatus {
  const entries = output.split('\0').filter((entry) => entry !== '');
  const header = (name: string) => entries.find((entry) => entry.startsWith(`# ${name} `))?.slice(name.length + 3);
  const head = header('branch.head') ?? '';
  const branch = head === '(detached)' ? (header('branch.oid') ?? '').slice(0, 8) : head;
  return { branch, changed: entries.filter((entry) => !entry.startsWith('# ')).length };
}
