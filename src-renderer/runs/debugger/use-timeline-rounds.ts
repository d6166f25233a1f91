import { useRef, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { versionOf } from '#renderer/runs/iterations/node-run.tsx';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { Fold, Round } from '#shared/contract/iterations.ts';
import type { OpenRounds } from './timeline-layout.ts';

/** Rounds read at once. */
const pageRounds = 100;

/** Which rounds of a run's timeline are open, and the rounds that have been read. */
export interface TimelineRounds {
  readonly open: OpenRounds;
  show(fold: Fold, round: Round): void;
  hide(fold: Fold, index: number): void;
  known(node: string, index: number): Round | undefined;
  /** Reads the rounds of a fold that are in sight. */
  need(node: string, index: number): void;
  /** The number of the round that contains the selected record; 0 until it is known. */
  readonly selected: number;
}

/** `at`: the fold that contains the selected record. */
export function useTimelineRounds(view: RunView, at: Fold | undefined, seq: number): TimelineRounds {
  const { run_id } = view;
  const [opened, setOpened] = useState<{ readonly run_id: string; readonly rounds: OpenRounds }>({ run_id, rounds: {} });
  const [wanted, setWanted] = useState<{ readonly node: string; readonly from: number } | null>(null);
  const known = useRef({ run_id, rounds: new Map<string, Round>() });
  if (known.current.run_id !== run_id) known.current = { run_id, rounds: new Map() };
  const { rounds } = known.current;
  const open = opened.run_id === run_id ? opened.rounds : noRounds;

  const page = useReading({ run_id, ...wanted }, versionOf(view), async ({ node, from }) =>
    node === undefined || from === undefined ? [] : studio.runs.rounds({ run_id, node, from, limit: pageRounds }),
  );
  if (page?.input.run_id === run_id) for (const round of page.output ?? []) rounds.set(`${page.input.node} ${round.index}`, round);

  const node = at?.node;
  const found = useReading({ run_id, node, seq }, '', async (input) =>
    input.node === undefined ? null : ((await studio.runs.rounds({ run_id, node: input.node, seq: input.seq, limit: 1 }))[0] ?? null),
  );
  const isCurrent = found?.input.run_id === run_id && found.input.node === node && found.input.seq === seq;

  const change = (fold: Fold, next: (before: OpenRounds[string]) => OpenRounds[string]) =>
    setOpened({ run_id, rounds: { ...open, [fold.node]: next(open[fold.node] ?? []) } });
  return {
    open,
    show: (fold, { index, from_seq, to_seq }) =>
      change(fold, (before) => [...before.filter((round) => round.index !== index), { index, from_seq, to_seq }]),
    hide: (fold, index) => change(fold, (before) => before.filter((round) => round.index !== index)),
    known: (of, index) => rounds.get(`${of} ${index}`),
    need: (of, index) => {
      const from = Math.floor((index - 1) / (pageRounds / 2)) * (pageRounds / 2) + 1;
      if (wanted?.node !== of || wanted.from !== from) setWanted({ node: of, from });
    },
    selected: (isCurrent && found.output?.index) || 0,
  };
}

const noRounds: OpenRounds = {};
