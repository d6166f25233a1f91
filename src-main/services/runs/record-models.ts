import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptFiles, scriptText } from '#main/journal/recorded-scripts.ts';
import type { FolderSession } from '#main/services/workspace/folder-session.ts';
import { writeBytes } from '#main/tools/files/change-file.ts';
import { type PathScope, resolveWritable } from '#main/tools/files/resolve-path.ts';
import { protectedFilesOf } from '#main/workspace/protected-files.ts';
import type { RecordedModels } from '#shared/contract/models.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** A recording that somebody asks for. */
export interface RecordModels {
  readonly run_id: string;
  /** Path in the folder; with several agents, each one's name stands before its ending. */
  readonly path: string;
  /** Whether files that are there already may be replaced. */
  readonly replace: boolean;
}

/**
 * Writes what the models of a run answered as `script://` files of the folder. Where one is there already and may not be replaced, nothing is
 * written, and it is told which. Throws `NotFound` where no model has answered, `ToolError` for a path that may not be written.
 */
export async function recordModels(session: FolderSession, { run_id, path, replace }: RecordModels): Promise<RecordedModels> {
  if (!path.endsWith('.json')) throw new FlowError('Invalid', 'A script’s name ends in .json: script://PATH.json names it.');
  const scripts = await session.background.call('recordedScripts', { run_id });
  if (scripts.length === 0) throw new FlowError('NotFound', 'No model has answered in this run, so there is nothing to record.');
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
  // One that appeared meanwhile is not replaced.
  for (const { place, script, exists } of files) {
    if (script) await writeBytes(scope, place, Buffer.from(scriptText(script)), exists ? undefined : null);
  }
  return {
    written: files.flatMap(({ file, script }) => (script ? [{ path: file, node: script.node, turns: script.turns.length }] : [])),
    existing,
  };
}
