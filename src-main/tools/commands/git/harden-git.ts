import type { GitCall } from './git-call.ts';
import { trustedGit } from './trusted-git.ts';
import { untrustedGit } from './untrusted-git.ts';

/**
 * The call of git that may really be made in a folder, whose real path is `cwd`, with every program switched off that a repository could
 * name. Throws ToolError `ForbiddenCommand` with what was found and what to do.
 */
export function hardenGit(call: GitCall, { trusted }: { readonly trusted: boolean }): Promise<GitCall> {
  return trusted ? trustedGit(call) : untrustedGit(call);
}
