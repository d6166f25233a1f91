import { hardenGit } from '#main/platform/git/harden-git.ts';
import { minimalEnvironment } from '#main/platform/programs/environment.ts';
import { findProgram } from '#main/platform/programs/find-program.ts';
import { type ProgramResult, runProgram } from '#main/platform/programs/run-program.ts';
import { FlowError } from '#shared/run/error.ts';
import { decodeText } from './decode-text.ts';

/** A commit of the repository. */
export interface Commit {
  /** Its full hash. */
  readonly commit: string;
  readonly author: string;
  /** ISO 8601. */
  readonly date: string;
  readonly subject: string;
}

/** How long a git call may take, in milliseconds. */
const patience = 30_000;
/** Most bytes that are read of a list of commits, or of one file. */
const mostBytes = 32 * 1024 * 1024;
const format = '--format=%H%x00%an%x00%aI%x00%s';

/** Reads commits of the folder's repository, with every program disabled that the repository could name. Checks nothing out and changes nothing. */
export class GitHistory {
  readonly #folder: string;
  readonly #trusted: boolean;
  readonly #signal: AbortSignal;

  /** `folder` is a real path. In an untrusted folder, only a plain, harmless repository is read. */
  constructor(folder: string, { trusted, signal }: { readonly trusted: boolean; readonly signal?: AbortSignal }) {
    this.#folder = folder;
    this.#trusted = trusted;
    this.#signal = signal ?? new AbortController().signal;
  }

  /** Returns the commit that a revision names: a hash, a branch, a tag, `HEAD~3`. Throws `NotFound`. */
  async commit(revision: string): Promise<Commit> {
    const found = revision.startsWith('-') ? null : await this.#run(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
    if (found?.exit_code !== 0) {
      const why = found?.stderr.trim();
      throw new FlowError('NotFound', `There is no commit ${revision} here${why ? `: ${why}` : ''}. List the commits with: git log.`);
    }
    const [commit] = await this.#log(['--max-count=1', found.stdout.trim()]);
    return commit as Commit;
  }

  /** Returns the commits after `first` up to `last`, the oldest first. Of a merge, only the first parent is followed. */
  after(first: Commit, last: Commit): Promise<Commit[]> {
    return this.#log(['--first-parent', '--reverse', `${first.commit}..${last.commit}`]);
  }

  async isAncestor(first: Commit, last: Commit): Promise<boolean> {
    return (await this.#run(['merge-base', '--is-ancestor', first.commit, last.commit])).exit_code === 0;
  }

  /** Returns the text of a file as of a commit; null if it has none, or one that is no text or too long. `path` is relative to the folder, with `/`. */
  async read({ commit }: Commit, path: string): Promise<string | null> {
    const { exit_code, stdout, truncated } = await this.#run(['cat-file', 'blob', `${commit}:./${path}`]);
    if (exit_code !== 0 || truncated) return null;
    const decoded = decodeText(Buffer.from(stdout));
    return decoded.ok ? decoded.text : null;
  }

  async #log(args: readonly string[]): Promise<Commit[]> {
    const { exit_code, stdout, stderr, truncated } = await this.#run(['log', format, ...args]);
    if (exit_code !== 0) throw new FlowError('BuildError', `Can't list the commits: ${stderr.trim()}`);
    if (truncated) throw new FlowError('BuildError', 'There are too many commits to search. Choose a newer good commit.');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [commit = '', author = '', date = '', subject = ''] = line.split('\0');
        return { commit, author, date, subject };
      });
  }

  async #run(args: readonly string[]): Promise<ProgramResult> {
    const program = await findProgram('git', this.#folder);
    const plain = { program, args, cwd: this.#folder, env: minimalEnvironment(), signal: this.#signal };
    const call = await hardenGit(plain, { trusted: this.#trusted });
    return runProgram({ ...call, timeoutMs: patience, outputBytes: mostBytes });
  }
}
