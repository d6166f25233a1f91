import { problemsOf } from '#renderer/problems/problems-panel.tsx';
import { panelsStore } from '#renderer/stores/panels.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { setTrust } from '#renderer/stores/workspace.ts';
import { StatusBar } from './status-bar.tsx';

/** The status bar, fed from the stores. */
export function StudioStatus() {
  const workspace = useWorkspace((state) => state.workspace);
  const flow = useCurrentFlow((open) => open);
  const problems = flow ? problemsOf(flow) : [];
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  const states = new Set(flow?.view.nodes.flatMap((node) => [...node.inputs, ...node.outputs].map((port) => port.state)));
  const models = new Set(flow?.view.nodes.flatMap((node) => (node.detail?.type === 'model' ? [modelWord(node.detail.text)] : [])));
  return (
    <StatusBar
      workspace={workspace}
      flow={flow && { errors, warnings: problems.length - errors, nodes: flow.view.nodes.length, states: states.size }}
      models={[...models].join(', ')}
      onShowProblems={() => panelsStore.getState().showBottom('problems')}
      onTrust={() => workspace && void setTrust(!workspace.trusted)}
    />
  );
}

function modelWord(url: string): string {
  if (url.startsWith('script://')) return 'Scripted model';
  return url.replace(/^[a-z]+:\/\//, '');
}
