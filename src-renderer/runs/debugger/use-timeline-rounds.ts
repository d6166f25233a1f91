import { useEffect, useRef, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { versionOf } from '#renderer/runs/iterations/node-run.tsx';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { Round, RoundsAround } from '#shared/contract/iterations.ts';
import { foldAt, foldKey, growingRounds, type OpenRound, type OpenRounds, type TimelineFold } from './timeline-layout.ts';

/** Rounds read at once. */
const pageRounds = 100;

/** Which rounds of a run's timeline are open, and the rounds that have been read. */
export interface TimelineRounds {
  readonly open: OpenRounds;
  /** Shows the steps of a round, once the folds among them have been read. */
  show(fold: TimelineFold, round: Round): Promise<void>;
  hide(fold: TimelineFold, index: number): void;
  known(fold: TimelineFold, index: number): Round | undefined;
  /** Reads the rounds of a fold that are in sight. */
  need(fold: TimelineFold, index: number): void;
  /** The number of the round that contains the selected record; 0 until it is known. */
  readonly selected: number;
}

/** `seq`: the selected record. */
export function useTimelineRounds(view: RunView, folds: readonly TimelineFold[], seq: number): TimelineRounds {
  const { run_id } = view;
  const [opened, setOpened] = useState<{ readonly run_id: string; readonly rounds: OpenRounds }>({ run_id, rounds: {} });
  const [wanted, setWanted] = useState<{ readonly fold: TimelineFold; readonly from: number } | null>(null);
  const known = useRef({ run_id, rounds: new Map<string, Round>() });
  if (known.current.run_id !== run_id) known.current = { run_id, rounds: new Map() };
  const { rounds } = known.current;
  const open = opened.run_id === run_id ? opened.rounds : noRounds;

  const page = useReading({ run_id, ...wanted }, versionOf(view), async ({ fold, from }) =>
    fold === undefined || from === undefined ? [] : studio.runs.rounds({ run_id, ...placeOf(fold), from, limit: pageRounds }),
  );
  const { fold: read } = page?.input ?? {};
  if (page?.input.run_id === run_id && read) for (const round of page.output ?? []) rounds.set(`${foldKey(read)} ${round.index}`, round);

  const { node, within } = placeOf(foldAt(folds, open, seq)?.fold);
  const found = useReading({ run_id, node, within, seq }, '', async (input) =>
    input.node === undefined
      ? null
      : ((await studio.runs.rounds({ run_id, node: input.node, within: input.within, seq: input.seq, limit: 1 }))[0] ?? null),
  );
  const isCurrent = found?.input.run_id === run_id && found.input.node === node && found.input.seq === seq;

  const change = (fold: TimelineFold, next: (before: readonly OpenRound[]) => readonly OpenRound[]) =>
    setOpened((before) => {
      const now = before.run_id === run_id ? before.rounds : noRounds;
      return { run_id, rounds: { ...now, [foldKey(fold)]: next(now[foldKey(fold)] ?? []) } };
    });
  // The last round of a loop that goes on has grown, or is not the last one any more.
  const growing = growingRounds(folds, open);
  const grown = useReading({ run_id, growing }, versionOf(view), async (input) =>
    Promise.all(input.growing.map(async ({ fold, index }) => ({ fold, round: await openRound(run_id, fold, index) }))),
  );
  useEffect(() => {
    for (const { fold, round } of grown?.output ?? []) {
      const key = foldKey(fold);
      setOpened((before) => {
        const known = before.run_id === run_id ? before.rounds[key]?.find(({ index }) => index === round?.index) : undefined;
        // A round that was closed meanwhile stays closed.
        if (!round || !known || JSON.stringify(known) === JSON.stringify(round)) return before;
        const others = (before.rounds[key] ?? []).filter((each) => each !== known);
        return { run_id, rounds: { ...before.rounds, [key]: [...others, round] } };
      });
    }
  }, [grown, run_id]);

  return {
    open,
    async show(fold, { index }) {
      const round = await openRound(run_id, fold, index);
      if (round) change(fold, (before) => [...before.filter((each) => each.index !== index), round]);
    },
    hide: (fold, index) => change(fold, (before) => before.filter((round) => round.index !== index)),
    known: (fold, index) => rounds.get(`${foldKey(fold)} ${index}`),
    need: (fold, index) => {
      const from = Math.floor((index - 1) / (pageRounds / 2)) * (pageRounds / 2) + 1;
      if (!wanted || foldKey(wanted.fold) !== foldKey(fold) || wanted.from !== from) setWanted({ fold, from });
    },
    selected: (isCurrent && found.output?.index) || 0,
  };
}

/** Reads a round and the folds among its steps; null if there is no such round any more. */
async function openRound(run_id: string, fold: TimelineFold, index: number): Promise<OpenRound | null> {
  const inside = [...(fold.within ?? []), { node: fold.node, index }];
  // The one after it tells whether it is the last.
  const [rounds, inner] = await Promise.all([
    studio.runs.rounds({ run_id, ...placeOf(fold), from: index, limit: 2 }),
    studio.runs.folds({ run_id, within: inside }),
  ]);
  const [round, next] = rounds;
  if (!round) return null;
  const { from_seq, to_seq } = round;
  return { index, from_seq, to_seq, last: !next, folds: inner.map((each) => ({ ...each, within: inside })) };
}

/** Where a fold is, for a request. */
function placeOf(fold: TimelineFold): { node: string; within: RoundsAround };
function placeOf(fold: TimelineFold | undefined): { node?: string; within?: RoundsAround };
function placeOf(fold: TimelineFold | undefined): { node?: string; within?: RoundsAround } {
  return fold ? { node: fold.node, within: fold.within ?? [] } : {};
}

const noRounds: OpenRounds = {};
