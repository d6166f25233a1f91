import { useDeferredValue, useMemo, useRef } from 'react';
import { useFlowFields } from '#renderer/document/flows/use-current-flow.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { type ProblemTone, toneOf } from '#renderer/editor/problems/problem-tone.ts';
import { problemsOf } from '#renderer/editor/problems/problems-panel.tsx';
import { panelsStore } from '#renderer/shell/panels.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { setTrust } from '#renderer/workspace/folder/workspace.ts';
import { StatusBar } from './status-bar.tsx';
import { texts } from './texts.ts';

/** The status bar, connected to the stores. */
export function StudioStatus() {
  const workspace = useWorkspace((state) => state.workspace);
  const flow = useFlowFields('view', 'report', 'parsed');
  const problems = flow ? problemsOf(flow) : [];
  const count = (tone: ProblemTone) => problems.filter((problem) => toneOf(problem) === tone).length;
  const nodes = flow?.view.nodes;
  // Counting a large flow must not block typing.
  const counted = useDeferredValue(useNamed(nodes ?? none));
  const { states, models } = useMemo(() => namesIn(counted), [counted]);
  return (
    <StatusBar
      workspace={workspace}
      flow={
        flow && {
          errors: count('error'),
          unfinished: count('unfinished'),
          warnings: count('warning'),
          nodes: flow.view.nodes.length,
          states,
        }
      }
      models={models}
      onShowProblems={() => panelsStore.getState().showBottom('problems')}
      onTrust={() => workspace && void setTrust(!workspace.trusted)}
    />
  );
}

const none: readonly NodeView[] = [];

/** These nodes, or earlier ones with the same states and models: an edit of a title does not change what is counted. */
function useNamed(nodes: readonly NodeView[]): readonly NodeView[] {
  const known = useRef(nodes);
  const isSame =
    nodes.length === known.current.length &&
    nodes.every((node, at) => {
      const before = known.current[at];
      return node === before || (node.inputs === before?.inputs && node.outputs === before.outputs && node.detail === before.detail);
    });
  if (!isSame) known.current = nodes;
  return known.current;
}

/** The number of states of the nodes, and the names of their models. */
function namesIn(nodes: readonly NodeView[]): { states: number; models: string } {
  const states = new Set<string>();
  const models = new Set<string>();
  for (const { inputs, outputs, detail } of nodes) {
    for (const port of inputs) states.add(port.state);
    for (const port of outputs) states.add(port.state);
    if (detail?.type === 'model') models.add(modelName(detail.model ?? detail.text));
  }
  return { states: states.size, models: [...models].join(', ') };
}

function modelName(url: string): string {
  if (url.startsWith('script://')) return texts.scriptedModel;
  return url.replace(/^[a-z]+:\/\//, '');
}
