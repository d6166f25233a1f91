import { isDirty, type OpenFlow } from '#renderer/document/editing/open-flow.ts';
import type { EditorState } from '#renderer/document/flows/editor.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';

/** How the flow of a run compares with the open one: `edited` since the run started, `nested` when only files that it names may have been. */
export type FlowChange = 'edited' | 'nested' | 'none';

/** Compares a run's flow with the open flows, saved or not. `sources` are the recorded texts of its other files. */
export function flowChange(
  { flow_path, flow_text }: Pick<RunView, 'flow_path' | 'flow_text'>,
  { flows }: Pick<EditorState, 'flows'>,
  sources: Readonly<Record<string, string>>,
): FlowChange {
  const flow = flows[flow_path];
  if (!flow) return 'none';
  if (flow.parsed.text !== flow_text) return 'edited';
  const [, ...nested] = withNested(flow, flows);
  const isEdited = (inner: OpenFlow): boolean => {
    const recorded = sources[inner.path];
    return recorded === undefined ? isDirty(inner) : inner.parsed.text !== recorded;
  };
  if (nested.some(isEdited)) return 'edited';
  return nestedPaths(flow).length > 0 ? 'nested' : 'none';
}

/** A flow and the open ones that it runs, directly or through others. */
export function withNested(flow: OpenFlow, flows: EditorState['flows']): readonly OpenFlow[] {
  const found = new Set([flow]);
  for (const open of found) {
    for (const path of nestedPaths(open)) {
      const inner = flows[path];
      if (inner) found.add(inner);
    }
  }
  return [...found];
}

function nestedPaths({ path, parsed }: OpenFlow): readonly string[] {
  return (parsed.outline.nodes ?? []).flatMap(({ raw }) => {
    const named = typeof raw.flow === 'string' ? flowPathIn(path, raw.flow) : null;
    return named === null ? [] : [named];
  });
}
