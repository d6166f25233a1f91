import { useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { Fold, Round, RoundsAround } from '#shared/contract/iterations.ts';
import { versionOf } from './node-run.tsx';
import { useReading } from './use-reading.ts';

/** Runs with at least this many records are folded unless the user says otherwise. */
const foldedFrom = 200;

/** The stretches of a run's timeline that consist of rounds. */
export interface Folding {
  /** All of them; empty until they have been read. */
  readonly all: readonly Fold[];
  /** Those that are folded now: all or none. */
  readonly folds: readonly Fold[];
  readonly on: boolean;
  turn(on: boolean): void;
}

export function useFolds(view: RunView): Folding {
  const [choice, setChoice] = useState<{ readonly run_id: string; readonly on: boolean } | null>(null);
  const on = choice?.run_id === view.run_id ? choice.on : view.seq >= foldedFrom;
  const { run_id } = view;
  const answer = useReading({ run_id }, on ? versionOf(view) : view.status, (input) => studio.runs.folds(input));
  const all = (answer?.input.run_id === run_id && answer.output) || none;
  return { all, folds: on ? all : none, on, turn: (next) => setChoice({ run_id, on: next }) };
}

const none: readonly Fold[] = [];

/** A round of a fold; null if there is no such round any more. */
export async function roundOfFold(
  run_id: string,
  { node, within = [] }: Pick<Fold, 'node'> & { readonly within?: RoundsAround },
  index: number,
): Promise<Round | null> {
  const [round] = await studio.runs.rounds({ run_id, node, within, from: index, limit: 1 });
  return round ?? null;
}
