import { createStore } from 'zustand/vanilla';
import type { FlowFile } from '#shared/contract/workspace.ts';

/** An action on a flow file. */
export type FlowFileTask =
  /** `use` receives the path of the new file; without it, the flow is shown. */
  | {
      readonly type: 'create';
      readonly name?: string;
      readonly folder?: string;
      readonly text?: (name: string) => string;
      readonly use?: (path: string) => void;
    }
  | { readonly type: 'rename' | 'remove'; readonly flow: FlowFile };

/** The action whose dialog is open. */
export const flowFileTaskStore = createStore<{ readonly task: FlowFileTask | null }>()(() => ({ task: null }));

export function askAboutFlowFile(task: FlowFileTask): void {
  flowFileTaskStore.setState({ task });
}
