import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileFailure, isMissing } from '#main/platform/file-failure.ts';
import { isFlowFile, isReadOnlyFlow, mayBeWorkflow } from '#shared/flow/flow-file.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/run/error.ts';

/**
 * Returns the real path of a flow file, which may not exist yet. `path` is relative to the workspace, with `/`. Throws `FlowError` `NotFound` for a path
 * that is not a flow's or is outside the workspace, including through a link.
 */
export async function flowFile(workspace: string, path: string): Promise<string> {
  const resolved = resolveWorkspacePath('', path);
  if (resolved === null || !(isFlowFile(resolved) || mayBeWorkflow(resolved))) {
    throw new FlowError('NotFound', `${path} is not a flow in this folder. A flow's name ends in .flow.yaml, .flow.json or .flow.ts.`, {
      details: { path },
    });
  }
  return fileInside(workspace, resolved, path);
}

/** Returns the real path of a file of any kind to import. Throws `FlowError` `NotFound` for one outside the workspace. */
export async function fileToImport(workspace: string, path: string): Promise<string> {
  const resolved = resolveWorkspacePath('', path);
  if (resolved !== null) return fileInside(workspace, resolved, path);
  throw new FlowError('NotFound', `${path} is outside this folder. Open the folder that contains it.`, { details: { path } });
}

async function fileInside(workspace: string, resolved: string, path: string): Promise<string> {
  const real = await realPathOf(join(workspace, resolved), path);
  if (!real.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep)) {
    throw new FlowError('NotFound', `${path} is outside this folder. Open the folder that contains it.`, { details: { path } });
  }
  return real;
}

/** Returns the real path of a file; for a missing file, based on its nearest existing parent. A dangling link resolves to its target. */
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

/** Returns the path of a flow's layout file. For a flow in code or a workflow it contains the whole file name, to avoid a collision with a document of the same name. */
export function layoutFile(flow: string): string {
  return isReadOnlyFlow(flow) ? `${flow}.layout.json` : flow.replace(/\.flow\.[a-z]+$/i, '.layout.json');
}
