import { studio } from '#renderer/api/studio.ts';
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

/** The record at which a round ended; null if there is no such round any more. */
export async function endOfRound({ run_id, node, nested }: NodeOfRun, index: number): Promise<number | null> {
  const { iterations } = await studio.runs.iterations({ run_id, node, nested, from: index, limit: 1 });
  return iterations[0]?.to_seq ?? null;
}
