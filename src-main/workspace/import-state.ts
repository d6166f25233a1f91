import { parseFlow } from '#shared/flow/parse-flow.ts';
import { folderOf, resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { readFlow } from './flow-files.ts';
import { sha256 } from './workflow-file.ts';

/** The workflow of an imported flow, relative to the workspace, and whether it has changed since the import. */
export interface ImportState {
  readonly source: string;
  readonly changed: boolean;
}

/** Null for a flow that was not imported, or whose workflow is no longer in the workspace. `folder` is the workspace's real path. */
export async function importState(folder: string, path: string): Promise<ImportState | null> {
  const flow = await readFlow(folder, path).catch(() => null);
  const record = flow && parseFlow(flow.text, path).document?.pyflow;
  const source = record ? resolveWorkspacePath(folderOf(path), record.source) : null;
  if (!record || source === null) return null;
  const workflow = await readFlow(folder, source).catch(() => null);
  return workflow && { source, changed: sha256(workflow.text) !== record.hash };
}
