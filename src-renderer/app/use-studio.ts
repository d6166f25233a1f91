import { useEffect } from 'react';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { closeAllFlows, currentFlow, editorStore, hasUnsaved, showFlow } from '#renderer/document/flows/editor.ts';
import { followInnerFlows, readInnerFlowsAgain } from '#renderer/document/flows/inner-flows.ts';
import { forgetNestedFiles } from '#renderer/document/flows/nested-files.ts';
import { startBackgroundWork, validateAnew } from '#renderer/document/saving/background-work.ts';
import { hearOfChanges } from '#renderer/document/saving/saving.ts';
import { followWindows } from '#renderer/document/saving/sync.ts';
import { followBreakpoints } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { followSubject } from '#renderer/runs/model/follow-subject.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { watchWorkspace, workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import { loadModels } from '#renderer/workspace/models/models.ts';
import { startWithSettings } from '#renderer/workspace/settings/keep-panels.ts';
import { handleHostCommand } from './host-command.ts';
import { texts } from './texts.ts';

/** Starts all background work of the page, and stops it when the page closes. */
export function useStudio(): void {
  useEffect(() => {
    const ends = [
      startWithSettings((thrown) => noticeFailure(texts.settingsNotRead, thrown)),
      startBackgroundWork(),
      followInnerFlows(),
      followFolder(),
      followWindowsOfFolder(),
      followSubject(),
      followBreakpoints(),
      followTitle(),
      watchWorkspace((paths) => {
        void hearOfChanges(paths);
        readInnerFlowsAgain();
        forgetNestedFiles();
        // Bodies, models and nested flows are in separate files.
        for (const path of editorStore.getState().tabs) void validateAnew(path);
      }),
      follow({ subscribe: (signal) => studio.app.menu(undefined, { signal }), onItem: (command) => void handleHostCommand(command) }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

/** Opens the first flow of a newly opened folder, and revalidates flows when the folder's trust changes. */
function followFolder(): () => void {
  return workspaceStore.subscribe(({ workspace }, before) => {
    if (!workspace) return;
    if (workspace.folder !== before.workspace?.folder) {
      closeAllFlows();
      const first = workspace.flows.find((flow) => flow.has_draft) ?? workspace.flows[0];
      if (first) void showFlow(first.path);
      void loadModels();
    } else if (workspace.trusted !== before.workspace.trusted) {
      for (const path of editorStore.getState().tabs) void validateAnew(path);
      void loadModels();
    }
  });
}

/** Follows the edits of other windows in the open folder. */
function followWindowsOfFolder(): () => void {
  let end = () => {};
  const restart = (folder: string | undefined) => {
    end();
    end = folder === undefined ? () => {} : followWindows();
  };
  restart(workspaceStore.getState().workspace?.folder);
  const unsubscribe = workspaceStore.subscribe(({ workspace }, before) => {
    if (workspace?.folder !== before.workspace?.folder) restart(workspace?.folder);
  });
  return () => {
    unsubscribe();
    end();
  };
}

function followTitle(): () => void {
  return editorStore.subscribe((state) => {
    const flow = currentFlow(state);
    const name = workspaceStore.getState().workspace?.name;
    document.title = [hasUnsaved(state) ? '● ' : '', flow ? `${flow.path} · ` : '', name ? `${name} · ` : '', texts.product].join('');
  });
}
