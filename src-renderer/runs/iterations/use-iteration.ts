import { studio } from '#renderer/api/studio.ts';
import type { ChosenRound } from '#renderer/runs/model/run-session.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { type Reading, useReading } from './use-reading.ts';

/** A node of a run; with `nested` the whole nested flow that begins there. */
export interface NodeOfRun {
  readonly run_id: string;
  readonly node: string;
  readonly nested: boolean;
}

type NodeAtStep = NodeOfRun & { readonly seq: number | null };
type Answer = Awaited<ReturnType<typeof studio.runs.iteration>>;

/** The last round of a node that had begun at a step (null: now). It is read again when `version` changes. */
export function useIteration(node: NodeAtStep, version: string): Reading<NodeAtStep, Answer> | null {
  const answer = useReading(node, version, ({ seq, ...subject }) => studio.runs.iteration({ ...subject, ...(seq !== null && { seq }) }));
  return answer && isSameNode(answer.input, node) ? answer : null;
}

export function isSameNode(one: NodeOfRun, other: NodeOfRun): boolean {
  return one.run_id === other.run_id && one.node === other.node && one.nested === other.nested;
}

/** Chooses a round of a node: the window shows the run as it was at its end, and counts only what happened in it. */
export async function chooseRound({ run_id, node, nested }: NodeOfRun, index: number): Promise<void> {
  const { iterations } = await studio.runs.iterations({ run_id, node, nested, from: index, limit: 1 });
  if (iterations[0]) selectRound(run_id, { ...iterations[0], kind: 'round', node });
}

/** Chooses a round that has been read, unless another run is shown by now. */
export function selectRound(run_id: string, { kind, node, index, from_seq, to_seq }: ChosenRound): void {
  const session = runSessionStore.getState();
  if (session.view?.run_id === run_id) session.select(to_seq, { kind, node, index, from_seq, to_seq });
}
