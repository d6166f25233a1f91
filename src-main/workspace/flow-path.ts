import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileFailure, isMissing } from '#main/workspace/file-failure.ts';
import { isCodeFlow, isFlowFile } from '#shared/flow/flow-file.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/runtime/error.ts';

/**
 * Real path of a flow file of a workspace, which may not exist yet. `path` is relative to the workspace, with `/`. Throws `FlowError` `NotFound` for a path
 * that is no flow's, or that leads out of the workspace, also by a link.
 */
export async function flowFile(workspace: string, path: string): Promise<string> {
  const resolved = resolveWorkspacePath('', path);
  if (resolved === null || !isFlowFile(resolved)) {
    throw new FlowError('NotFound', `${path} is not a flow in this folder. A flow's name ends in .flow.yaml, .flow.json or .flow.ts.`, {
      details: { path },
    });
  }
  const real = await realPathOf(join(workspace, resolved), path);
  if (!real.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep)) {
    throw new FlowError('NotFound', `${path} is outside this folder. Open the folder that contains it.`, { details: { path } });
  }
  return real;
}

/** The real path of a file; of one that is not there, what its nearest existing folder makes of it. A link to nothing counts as what it points to. */
async function realPathOf(file: string, path: string): Promise<string> {
  const missing: string[] = [];
  for (let current = file; ; current = dirname(current)) {
    try {
      return join(await realpath(current), ...missing);
    } catch (error) {
      if (!isMissing(error)) throw fileFailure('cannot be opened', path, error);
      const target = await readlink(current).catch(() => null);
      if (target !== null) return join(resolve(dirname(current), target), ...missing);
      missing.unshift(basename(current));
    }
  }
}

/** The file beside a flow that holds its layout. That of a flow in code has its whole name, so that a document of the same name keeps its own. */
export function layoutFile(flow: string): string {
  return isCodeFlow(flow) ? `${flow}.layout.json` : flow.replace(/\.flow\.[a-z]+$/i, '.layout.json');
}
