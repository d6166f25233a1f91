import { useMemo } from 'react';
import { newInnerFlowText } from '#renderer/document/editing/inner-flow.ts';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { askAboutFlowFile } from '#renderer/document/flows/flow-file-task-store.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { flowPathFrom } from '#renderer/document/graph/flow-path.ts';
import { addFromLibrary } from '#renderer/editor/actions/add-from-library.ts';
import type { QuickAddRequest } from '#renderer/editor/actions/quick-add-store.ts';
import type { DragPayload } from '#renderer/editor/entries/drag-payload.ts';
import { flowEntries, type LibraryEntry, libraryEntries } from '#renderer/editor/entries/library-entries.ts';
import { kindLooks } from '#renderer/ui/kinds/node-kinds.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { connectPlaces } from './connect-ports.ts';
import { fittingEntries, portEntries } from './fitting-entries.ts';
import { texts } from './texts.ts';
import { useFits } from './use-fits.ts';

/** Key of the entry that creates a flow file. */
export const newFlowKey = 'new-flow';

/** The current entries and labels of the quick-add menu. */
export interface QuickAddChoices {
  readonly heading?: string;
  readonly placeholder: string;
  /** Names of the field and of the list for screen readers. */
  readonly label: string;
  readonly listLabel: string;
  readonly entries: readonly LibraryEntry[];
  /** The last entry, shown for every query. */
  last?(query: string): LibraryEntry;
  take(entry: LibraryEntry, query: string): void;
}

/** The choices of the quick-add menu: what to add and, for a node that runs a flow, which flow and whether once or for each item. */
export function useQuickAddChoices(request: QuickAddRequest): QuickAddChoices {
  const tools = useWorkspace((state) => state.tools);
  const flows = useWorkspace((state) => state.workspace?.flows);
  const trusted = useWorkspace((state) => state.workspace?.trusted ?? false);
  const current = useEditor((state) => state.current);
  const fits = useFits(request, tools);
  return useMemo(() => {
    const { choosing, from, ports, ...place } = request;
    const take = (entry: LibraryEntry) => {
      if (entry.port && from) connectPlaces(from, entry.port);
      else addFromLibrary(entry.payload, place);
    };
    const open = currentFlow();
    const nodes = open?.view.nodes ?? [];
    if (ports) {
      return {
        heading: texts.quickAdd.choosePort,
        placeholder: texts.quickAdd.searchPorts,
        label: texts.quickAdd.searchPorts,
        listLabel: texts.quickAdd.ports,
        entries: portEntries(nodes, ports),
        take,
      };
    }
    const nested = flowEntries(flows ?? [], current, trusted);
    if (!choosing) {
      const all = [...libraryEntries(tools), ...nested];
      return {
        placeholder: texts.quickAdd.placeholder,
        label: texts.quickAdd.search,
        listLabel: texts.quickAdd.nodesAndTools,
        entries: fits && open?.readable ? fittingEntries({ entries: all, nodes, flow: open.readable, tools }, request, fits) : all,
        take,
      };
    }
    if (choosing.file) {
      const heading = texts.quickAdd.howToRun(choosing.file);
      return {
        heading,
        placeholder: texts.quickAdd.onceOrEach,
        label: texts.quickAdd.howItRuns,
        listLabel: texts.quickAdd.waysToRun,
        entries: ways(choosing),
        take,
      };
    }
    const { kind } = choosing;
    return {
      heading: texts.quickAdd.chooseFlow(kindLooks[kind].label),
      placeholder: texts.quickAdd.searchFlows,
      label: texts.quickAdd.searchFlows,
      listLabel: texts.quickAdd.flows,
      entries: nested.map((entry) => ({ ...entry, payload: { ...entry.payload, kind, undecided: false } })),
      last: (query) => ({
        key: newFlowKey,
        label: query === '' ? texts.quickAdd.newFlow : texts.quickAdd.newFlowNamed(query),
        summary: texts.quickAdd.newFlowHint,
        payload: choosing,
      }),
      take: (entry, query) => (entry.key === newFlowKey ? makeFlowFor(choosing, place, query) : take(entry)),
    };
  }, [request, tools, flows, trusted, current, fits]);
}

function ways({ file = '' }: DragPayload): readonly LibraryEntry[] {
  return [
    {
      key: 'once',
      label: texts.quickAdd.runOnce,
      summary: kindLooks.flow.summary,
      words: kindLooks.flow.words,
      payload: { kind: 'flow', file },
    },
    {
      key: 'each',
      label: texts.quickAdd.forEachItem,
      summary: kindLooks.each.summary,
      words: kindLooks.each.words,
      payload: { kind: 'each', file },
    },
  ];
}

/** Asks for the name of a new flow file, creates it with matching states, and adds a node that runs it. The current flow stays open. */
function makeFlowFor(payload: DragPayload, place: QuickAddRequest, name: string): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const { readable, path } = flow;
  askAboutFlowFile({
    type: 'create',
    name,
    folder: path.split('/').slice(0, -1).join('/'),
    text: (title) => newInnerFlowText(readable, title, payload.kind === 'each', place),
    use: (made) => addFromLibrary({ ...payload, file: flowPathFrom(path, made) }, place),
  });
}
