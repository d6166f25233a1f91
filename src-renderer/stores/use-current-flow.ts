import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { currentFlow, editorStore } from './editor.ts';

/** Subscribes to a part of the flow shown; `select` is given null while none is. */
export function useCurrentFlow<Selected>(select: (flow: OpenFlow | null) => Selected): Selected {
  return useStore(editorStore, (state) => select(currentFlow(state)));
}

/** Subscribes to these fields of the flow shown and no others: an edit of a large flow draws only what shows something of it. */
export function useFlowFields<Field extends keyof OpenFlow>(...fields: readonly Field[]): Pick<OpenFlow, Field> | null {
  return useCurrentFlow(
    useShallow((flow) => flow && (Object.fromEntries(fields.map((field) => [field, flow[field]])) as Pick<OpenFlow, Field>)),
  );
}
