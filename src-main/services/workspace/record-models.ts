import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptFiles, scriptText } from '#main/journal/recorded-scripts.ts';
import { writeBytes } from '#main/platform/files/change-file.ts';
import { type PathScope, resolveWritable } from '#main/platform/files/resolve-path.ts';
import { protectedFilesOf } from '#main/workspace/protected-files.ts';
import type { RecordedModels } from '#shared/contract/models.ts';
import { FlowError } from '#shared/run/error.ts';
import type { FolderSession } from './folder-session.ts';

/** A request to record model responses. */
export interface RecordModels {
  readonly run_id: string;
  /** Path in the folder; with several agents, each agent's name is inserted before the extension. */
  readonly path: string;
  /** Whether existing files may be replaced. */
  readonly replace: boolean;
}

/**
 * Writes the model responses of a run as `script://` files of the folder. If one exists and may not be replaced, nothing is
 * written, and the existing files are returned. Throws `NotFound` if no model responded, `ToolError` for a path that is not writable.
 */
export async function recordModels(session: FolderSession, { run_id: runId, path, replace }: RecordModels): Promise<RecordedModels> {
  if (!path.endsWith('.json'))
    throw new FlowError('Invalid', 'The name of a script must end in .json. Models refer to it as script://PATH.json.');
  const scripts = await session.background.call('recordedScripts', { run_id: runId });
  if (scripts.length === 0) throw new FlowError('NotFound', 'There is nothing to record: no model responded in this run.');
  const { folder } = session;
  const scope: PathScope = { working_dir: folder, writable: [], protected_files: new Set(await protectedFilesOf(folder)) };
  const files = await Promise.all(
    scriptFiles(path, scripts).map(async (file, index) => {
      const place = await resolveWritable(scope, file);
      const found = await lstat(join(folder, ...place.segments)).catch(() => null);
      return { file: place.segments.join('/'), place, exists: found !== null, script: scripts[index] };
    }),
  );
  const existing = files.filter(({ exists }) => exists).map(({ file }) => file);
  if (existing.length > 0 && !replace) return { written: [], existing };
  // A file that appeared in the meantime is not replaced.
  for (const { place, script, exists } of files) {
    if (script) await writeBytes(scope, place, Buffer.from(scriptText(script)), exists ? undefined : null);
  }
  return {
    written: files.flatMap(({ file, script }) => (script ? [{ path: file, node: script.node, turns: script.turns.length }] : [])),
    existing,
  };
}
