import { useEffect } from 'react';
import { openLastRuns } from '#renderer/runs/model/open-last-run.ts';
import { followRecordedSources } from '#renderer/runs/model/recorded-sources.ts';
import { runListStore, runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import { serversStore } from '#renderer/workspace/settings/servers-store.ts';
import { followPendingCommand } from './give-run-command.ts';
import { watchRun } from './watch-run.ts';

/** Loads the runs of a folder that is opened, and closes the run of the previous one. Loads them again when servers come or go. */
function followFolder(): () => void {
  const folderNow = () => workspaceStore.getState().workspace?.folder;
  let folder = folderNow();
  if (folder !== undefined) runListStore.getState().load();
  const unsubscribe = serversStore.subscribe(() => {
    if (folder !== undefined) runListStore.getState().load();
  });
  const unfollow = workspaceStore.subscribe(() => {
    if (folderNow() === folder) return;
    folder = folderNow();
    runSessionStore.getState().close();
    if (folder !== undefined) runListStore.getState().load();
  });
  return () => {
    unsubscribe();
    unfollow();
  };
}

/** Follows the runs of the open folder, and the shown one among them, while the page is open. */
export function useRuns(): void {
  useEffect(() => {
    const ends = [followFolder(), watchRun(), followPendingCommand(), openLastRuns(), followRecordedSources()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
