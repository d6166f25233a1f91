import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { currentFlow, editorStore } from './editor.ts';

/** Subscribes to a part of the shown flow; `select` receives null when there is none. */
export function useCurrentFlow<Selected>(select: (flow: OpenFlow | null) => Selected): Selected {
  return useStore(editorStore, (state) => select(currentFlow(state)));
}

/** Subscribes only to these fields of the shown flow, so that an edit of a large flow renders only what depends on it. */
export function useFlowFields<Field extends keyof OpenFlow>(...fields: readonly Field[]): Pick<OpenFlow, Field> | null {
  return useCurrentFlow(
    useShallow((flow) => flow && (Object.fromEntries(fields.map((field) => [field, flow[field]])) as Pick<OpenFlow, Field>)),
  );
}
