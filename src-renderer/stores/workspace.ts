import { createStore } from 'zustand/vanilla';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { shareStructure } from '#renderer/graph/share-structure.ts';
import { noticeFailure } from '#renderer/notices/notices.ts';
import type { AppInfo } from '#shared/contract/app.ts';
import type { ExampleName } from '#shared/contract/examples.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { Workspace } from '#shared/contract/workspace.ts';

export interface WorkspaceState {
  /** False until the host has said which folder is open. */
  readonly known: boolean;
  readonly workspace: Workspace | null;
  readonly info: AppInfo | null;
  readonly tools: readonly ToolInfo[];
  /** Files of the folder that should be tools and cannot be loaded. */
  readonly brokenTools: readonly ToolInfo[];
}

/** The open folder as the host sees it, and the tools that it offers there. */
export const workspaceStore = createStore<WorkspaceState>()(() => ({
  known: false,
  workspace: null,
  info: null,
  tools: [],
  brokenTools: [],
}));

/** Asks the host what is open and follows it from then on. Answers the function that ends the following. */
export function watchWorkspace(onFlowsChanged: (paths: readonly string[]) => void): () => void {
  void studio.app.info().then(
    (info) => workspaceStore.setState({ info }),
    (thrown) => noticeFailure('The studio did not say what it is', thrown),
  );
  void studio.workspace.current().then(show, (thrown) => {
    workspaceStore.setState({ known: true });
    noticeFailure('The folder could not be opened', thrown);
  });
  return follow({
    subscribe: (signal) => studio.workspace.watch(undefined, { signal }),
    onItem: (event) => {
      show(event.workspace);
      if (event.type !== 'changed') return;
      onFlowsChanged(event.flows);
      // Tools of the folder's own are files too.
      if (event.workspace.trusted) void reloadTools();
    },
  });
}

/** Opens a folder; on failure says why and leaves the open one. */
export async function openFolder(folder: string): Promise<boolean> {
  try {
    show(await studio.workspace.open({ folder }));
    return true;
  } catch (thrown) {
    noticeFailure(`${folder} could not be opened`, thrown);
    return false;
  }
}

/** Opens the user's own copy of an example; on failure says why and leaves the open folder. */
export async function openExample(name: ExampleName): Promise<void> {
  try {
    show(await studio.workspace.openExample({ name }));
  } catch (thrown) {
    noticeFailure('The example could not be opened', thrown);
  }
}

/** Marks the open folder as trusted, or no longer. */
export async function setTrust(trusted: boolean): Promise<void> {
  try {
    show(await studio.workspace.setTrust({ trusted }));
  } catch (thrown) {
    noticeFailure('The folder’s trust was not changed', thrown);
  }
}

/** Takes over what the host says of the open folder, and asks for its tools when folder or trust are new. */
export function show(workspace: Workspace | null): void {
  const before = workspaceStore.getState().workspace;
  workspaceStore.setState({ known: true, workspace });
  if (!workspace) return;
  if (before?.folder === workspace.folder && before.trusted === workspace.trusted) return;
  void reloadTools();
}

/** Asks anew which tools flows of the folder can call. */
export async function reloadTools(): Promise<void> {
  try {
    const listed = await studio.tools.list();
    const { tools, brokenTools } = workspaceStore.getState();
    workspaceStore.setState({
      tools: shareStructure(
        tools,
        listed.filter(({ problem }) => problem === undefined),
      ),
      brokenTools: shareStructure(
        brokenTools,
        listed.filter(({ problem }) => problem !== undefined),
      ),
    });
  } catch (thrown) {
    noticeFailure('The tools of this folder could not be listed', thrown);
  }
}
