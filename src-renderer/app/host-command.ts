import { studio } from '#renderer/api/studio.ts';
import { runCommand } from '#renderer/app/commands/studio-commands.ts';
import { showFlow } from '#renderer/document/flows/editor.ts';
import { openRun } from '#renderer/runs/model/open-run.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import type { HostCommand } from '#shared/contract/app.ts';
import { texts } from './texts.ts';

/** Handles a command of the host: a menu command, a flow to open, or a run to show (from a link or a notification, which never answers it). */
export async function handleHostCommand({ command, argument }: HostCommand): Promise<void> {
  if (argument === undefined) {
    runCommand(command);
    return;
  }
  await folderLoaded();
  if (command === 'open_flow') await showFlow(argument);
  if (command === 'show_run') await showRun(argument);
}

async function showRun(runId: string): Promise<void> {
  try {
    await openRun(await studio.runs.get({ run_id: runId }));
    panelsStore.getState().showRight('waiting');
  } catch (thrown) {
    noticeFailure(texts.runNotShown, thrown);
  }
}

/** Resolves once the folder is loaded. A new folder shows its first flow, so requests must come after that. */
function folderLoaded(): Promise<void> {
  if (workspaceStore.getState().known) return Promise.resolve();
  return new Promise((resolve) => {
    const end = workspaceStore.subscribe(({ known }) => {
      if (!known) return;
      end();
      queueMicrotask(resolve);
    });
  });
}
