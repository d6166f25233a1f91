import { createStore } from 'zustand/vanilla';
import type { FlowFile } from '#shared/contract/workspace.ts';

/** What is to be done with a flow file. */
export type FlowFileTask = { readonly type: 'create' } | { readonly type: 'rename' | 'remove'; readonly flow: FlowFile };

/** The task that the user is asked about now. */
export const flowFileTaskStore = createStore<{ readonly task: FlowFileTask | null }>()(() => ({ task: null }));

export function askAboutFlowFile(task: FlowFileTask): void {
  flowFileTaskStore.setState({ task });
}
