import { useStore } from 'zustand';
import { type WorkspaceState, workspaceStore } from './workspace.ts';

/** Subscribes to a part of what is known of the open folder. */
export function useWorkspace<Selected>(select: (state: WorkspaceState) => Selected): Selected {
  return useStore(workspaceStore, select);
}
