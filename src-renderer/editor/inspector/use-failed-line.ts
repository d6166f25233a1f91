import { useMemo } from 'react';
import { useStore } from 'zustand';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { parsedText } from '#renderer/document/graph/parsed-text.ts';
import { readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { failedLine, shortFailure } from '#renderer/runs/model/failed-line.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { useNodeInRun } from './use-node-in-run.ts';

/** The line of a node's code at which the shown run failed, with the message. Null once the code differs from what ran. */
export function useFailedLine(node: OutlineNode): { readonly line: number; readonly message: string } | null {
  const id = useNodeInRun(node.id);
  const error = useRunSession(({ view, selected }) => (view?.status === 'error' && selected === null ? view.error : null));
  const recorded = useRunSession(({ view }) => view?.flow_text ?? '');
  const path = useRunSession(({ view }) => view?.flow_path ?? '');
  const shown = useStore(runSubjectStore, ({ flow }) => flow?.path);
  const edited = useCurrentFlow((flow) => flow !== null && isDirty(flow));
  const failed = error !== null && id !== null && error.node === id;
  const source = useMemo(() => {
    const ran = failed && shown === path ? readableFlow(parsedText(recorded, path)) : null;
    return ran?.nodes.find((candidate) => candidate.id === node.id)?.raw.run;
  }, [failed, shown, path, recorded, node.id]);
  // A run does not say which text its nested flows had.
  const isOutdated = shown === path ? source !== node.raw.run : edited;
  const line = failed ? failedLine(error) : null;
  return failed && line !== null && !isOutdated ? { line, message: shortFailure(error) } : null;
}
