import { studio } from '#renderer/api/studio.ts';
import { giveCommand } from '#renderer/commands/studio-commands.ts';
import { noticeFailure } from '#renderer/notices/notices.ts';
import { openRun } from '#renderer/runs/open-run.ts';
import { showFlow } from '#renderer/stores/editor.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import { workspaceStore } from '#renderer/stores/workspace.ts';
import type { HostCommand } from '#shared/contract/app.ts';

/** Does what the host asks: a command of its menu, a flow to open, a run to show (of a link or a notification, which never answers it). */
export async function giveHostCommand({ command, argument }: HostCommand): Promise<void> {
  if (argument === undefined) {
    giveCommand(command);
    return;
  }
  await folderKnown();
  if (command === 'open_flow') await showFlow(argument);
  if (command === 'show_run') await showRun(argument);
}

async function showRun(runId: string): Promise<void> {
  try {
    await openRun(await studio.runs.get({ run_id: runId }));
    panelsStore.getState().showRight('waiting');
  } catch (thrown) {
    noticeFailure('The run that was asked for cannot be shown', thrown);
  }
}

/** A folder that has just been opened shows its first flow by itself; what was asked for comes after that. */
function folderKnown(): Promise<void> {
  if (workspaceStore.getState().known) return Promise.resolve();
  return new Promise((resolve) => {
    const end = workspaceStore.subscribe(({ known }) => {
      if (!known) return;
      end();
      queueMicrotask(resolve);
    });
  });
}
