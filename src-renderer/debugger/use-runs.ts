import { useEffect } from 'react';
import { runListStore, runSessionStore } from '#renderer/stores/run-stores.ts';
import { workspaceStore } from '#renderer/stores/workspace.ts';
import { followKeptCommand } from './give-run-command.ts';
import { watchRun } from './watch-run.ts';

/** Reads the runs of a folder when it has been opened; the run that was shown belongs to the former one. */
function followFolder(): () => void {
  const folderNow = () => workspaceStore.getState().workspace?.folder;
  let folder = folderNow();
  if (folder !== undefined) runListStore.getState().load();
  return workspaceStore.subscribe(() => {
    if (folderNow() === folder) return;
    folder = folderNow();
    runSessionStore.getState().close();
    if (folder !== undefined) runListStore.getState().load();
  });
}

/** Follows the runs of the open folder, and the shown one among them, while the page is open. */
export function useRuns(): void {
  useEffect(() => {
    const ends = [followFolder(), watchRun(), followKeptCommand()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
