import type { GitCall } from './git-call.ts';
import { trustedGit } from './trusted-git.ts';
import { untrustedGit } from './untrusted-git.ts';

/**
 * Returns the git call that is safe to make in a folder, with every program disabled that a repository could name. `cwd` is the folder's
 * real path. Throws ToolError `ForbiddenCommand` with what was found and what to do.
 */
export function hardenGit(call: GitCall, { trusted }: { readonly trusted: boolean }): Promise<GitCall> {
  return trusted ? trustedGit(call) : untrustedGit(call);
}
