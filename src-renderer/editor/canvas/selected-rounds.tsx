import { useNodeInRun } from '#renderer/editor/inspector/use-node-in-run.ts';
import { CardRounds } from '#renderer/runs/iterations/card-rounds.tsx';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';

/** The rounds of a selected node in the shown run. */
export function SelectedRounds({ node, nested, count }: { node: string; nested: boolean; count: number }) {
  const view = useRunSession((state) => state.view);
  const id = useNodeInRun(node);
  // What is counted for a past step or a chosen round is not all that the node ran.
  const isPart = useRunSession(({ selected, round }) => selected !== null || round !== null);
  return view && id !== null && count > (isPart ? 0 : 1) && <CardRounds view={view} node={id} nested={nested} />;
}
