import { createStore } from 'zustand/vanilla';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { shareStructure } from '#renderer/document/graph/share-structure.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import type { AppInfo } from '#shared/contract/app.ts';
import type { ExampleName } from '#shared/contract/examples.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { Workspace } from '#shared/contract/workspace.ts';
import { texts } from './texts.ts';

export interface WorkspaceState {
  /** False until the host has reported the open folder. */
  readonly known: boolean;
  readonly workspace: Workspace | null;
  readonly info: AppInfo | null;
  readonly tools: readonly ToolInfo[];
  /** Tool files of the folder that can't be loaded. */
  readonly brokenTools: readonly ToolInfo[];
}

/** The open folder as reported by the host, with its tools. */
export const workspaceStore = createStore<WorkspaceState>()(() => ({
  known: false,
  workspace: null,
  info: null,
  tools: [],
  brokenTools: [],
}));

/** Loads the open folder from the host and follows it. Returns the function that stops this. */
export function watchWorkspace(onFlowsChanged: (paths: readonly string[]) => void): () => void {
  void studio.app.info().then(
    (info) => workspaceStore.setState({ info }),
    (thrown) => noticeFailure(texts.failed.info, thrown),
  );
  // An answer that was on its way while another folder was opened is out of date.
  const showFirst = (workspace: Workspace | null) => {
    if (!workspaceStore.getState().known) show(workspace);
  };
  void studio.workspace.current().then(showFirst, (thrown) => {
    workspaceStore.setState({ known: true });
    noticeFailure(texts.failed.folder, thrown);
  });
  return follow({
    subscribe: (signal) => studio.workspace.watch(undefined, { signal }),
    onItem: (event) => {
      show(event.workspace);
      if (event.type !== 'changed') return;
      onFlowsChanged(event.flows);
      // The folder's own tools are files, too.
      if (event.workspace.trusted) void reloadTools();
    },
  });
}

/** Opens a folder. On failure reports why and keeps the open one. */
export async function openFolder(folder: string): Promise<boolean> {
  try {
    show(await studio.workspace.open({ folder }));
    return true;
  } catch (thrown) {
    noticeFailure(texts.failed.open(folder), thrown);
    return false;
  }
}

/** Opens the user's own copy of an example. On failure reports why and keeps the open folder. */
export async function openExample(name: ExampleName): Promise<void> {
  try {
    show(await studio.workspace.openExample({ name }));
  } catch (thrown) {
    noticeFailure(texts.failed.example, thrown);
  }
}

/** Trusts the open folder, or revokes its trust. */
export async function setTrust(trusted: boolean): Promise<void> {
  try {
    show(await studio.workspace.setTrust({ trusted }));
  } catch (thrown) {
    noticeFailure(texts.failed.trust, thrown);
  }
}

/** Shows the open folder as reported by the host, and loads its tools when the folder or its trust has changed. */
export function show(workspace: Workspace | null): void {
  const before = workspaceStore.getState().workspace;
  workspaceStore.setState({ known: true, workspace });
  if (!workspace) return;
  if (before?.folder === workspace.folder && before.trusted === workspace.trusted) return;
  void reloadTools();
}

/** Reloads the tools that flows of the folder can call. */
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
    noticeFailure(texts.failed.tools, thrown);
  }
}
