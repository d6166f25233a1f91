import { createStore } from 'zustand/vanilla';
import type { FlowFile } from '#shared/contract/workspace.ts';

/** What is to be done with a flow file. */
export type FlowFileTask =
  /** `use` does something with the new file's path; without it, the flow is shown. */
  | {
      readonly type: 'create';
      readonly name?: string;
      readonly folder?: string;
      readonly text?: (name: string) => string;
      readonly use?: (path: string) => void;
    }
  | { readonly type: 'rename' | 'remove'; readonly flow: FlowFile };

/** The task that the user is asked about now. */
export const flowFileTaskStore = createStore<{ readonly task: FlowFileTask | null }>()(() => ({ task: null }));

export function askAboutFlowFile(task: FlowFileTask): void {
  flowFileTaskStore.setState({ task });
}
