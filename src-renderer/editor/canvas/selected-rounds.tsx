import { useNodeInRun } from '#renderer/editor/inspector/use-node-in-run.ts';
import { CardRounds } from '#renderer/runs/iterations/card-rounds.tsx';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';

/** The rounds of a selected node in the shown run. */
export function SelectedRounds({ node, nested }: { node: string; nested: boolean }) {
  const view = useRunSession((state) => state.view);
  const id = useNodeInRun(node);
  return view && id !== null && <CardRounds view={view} node={id} nested={nested} />;
}
