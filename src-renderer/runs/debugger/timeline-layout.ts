import type { Fold, Round, RoundsAround } from '#shared/contract/iterations.ts';

/** A fold of the timeline, which may be inside a round of another one. */
export interface TimelineFold extends Fold {
  /** The rounds that contain it, outermost first. Default: none. */
  readonly within?: RoundsAround;
}

/** A line of the timeline: a record, or the rounds that are folded into one. `depth`: how many open rounds contain it. */
export type TimelineLine =
  | { readonly type: 'step'; readonly seq: number; readonly depth: number }
  | { readonly type: 'round'; readonly fold: TimelineFold; readonly index: number; readonly open: boolean; readonly depth: number };

/** A round that is shown with its steps, and the folds among these. The last round of a fold may grow: its `to_seq` is that of the last reading. */
export interface OpenRound extends Pick<Round, 'index' | 'from_seq' | 'to_seq'> {
  readonly folds: readonly TimelineFold[];
  /** It was the last one of its fold when it was read. */
  readonly last?: boolean;
}

/** The rounds that are open, by the key of their fold. */
export type OpenRounds = Readonly<Record<string, readonly OpenRound[]>>;

/** Identifies a fold among those of its run. */
export function foldKey({ node, within = [] }: TimelineFold): string {
  return [...within.map((round) => `${round.node} ${round.index}`), node].join('\n');
}

/** The last record of an open round. */
function endOf(fold: TimelineFold, { index, to_seq }: OpenRound): number {
  return index === fold.rounds ? fold.to_seq : to_seq;
}

/** The open rounds that may have changed since they were read: each was the last one of its fold then. `folds`: all folds of the run, as they are now. */
export function growingRounds(folds: readonly TimelineFold[], open: OpenRounds): readonly { fold: TimelineFold; index: number }[] {
  return folds.flatMap((fold) =>
    (open[foldKey(fold)] ?? []).flatMap((round) => [
      ...(round.last ? [{ fold, index: round.index }] : []),
      ...growingRounds(round.folds, open),
    ]),
  );
}

/** Returns the innermost fold that contains a record, and the open round around that fold; undefined for a record outside of folds. */
export function foldAt(
  folds: readonly TimelineFold[],
  open: OpenRounds,
  seq: number,
): { readonly fold: TimelineFold; readonly round: OpenRound | undefined } | undefined {
  const fold = folds.find(({ from_seq, to_seq }) => seq >= from_seq && seq <= to_seq);
  if (!fold) return undefined;
  const round = open[foldKey(fold)]?.find((each) => seq >= each.from_seq && seq <= endOf(fold, each));
  return (round && foldAt(round.folds, open, seq)) ?? { fold, round };
}

/** Lines that follow each other: records from `seq` on, or rounds from `index` on. The last of the rounds may be open. */
interface Part {
  readonly at: number;
  readonly length: number;
  readonly seq: number;
  readonly depth: number;
  readonly rounds: { readonly fold: TimelineFold; readonly index: number; readonly openLast: boolean } | null;
}

/** Which line is at which position of the timeline. It grows with the rounds that are open, not with the run. */
export class TimelineLayout {
  readonly count: number;
  readonly #parts: Part[] = [];
  readonly #open: OpenRounds;

  /** `steps`: lines of the timeline without folds. A round that is open has its steps below it. */
  constructor(steps: number, folds: readonly TimelineFold[], open: OpenRounds) {
    this.#open = open;
    this.#place(folds, 0, steps, 0);
    const last = this.#parts.at(-1);
    this.count = last ? last.at + last.length : 0;
  }

  lineAt(position: number): TimelineLine {
    const { at, seq, depth, rounds, length } = this.#partAt(position);
    if (!rounds) return { type: 'step', seq: seq + position - at, depth };
    const open = rounds.openLast && position === at + length - 1;
    return { type: 'round', fold: rounds.fold, index: rounds.index + position - at, open, depth };
  }

  /** The position of a record, or of the folded round that contains it. `roundOf` answers with the number of the round that contains the record. */
  positionOf(seq: number, roundOf: (fold: TimelineFold) => number): number {
    for (const { at, length, seq: first, rounds } of this.#parts) {
      if (!rounds && seq >= first && seq < first + length) return at + seq - first;
      if (!rounds) continue;
      const { fold, index } = rounds;
      const isOpen = this.#open[foldKey(fold)]?.some((round) => seq >= round.from_seq && seq <= endOf(fold, round));
      if (seq < fold.from_seq || seq > fold.to_seq || isOpen) continue;
      const round = roundOf(fold);
      if (round >= index && round < index + length) return at + round - index;
    }
    return this.count - 1;
  }

  /** Places the records from `from` up to `to`, without the latter. */
  #place(folds: readonly TimelineFold[], from: number, to: number, depth: number): void {
    let seq = from;
    for (const fold of folds) {
      if (fold.from_seq < seq || fold.to_seq >= to) continue;
      this.#steps(seq, fold.from_seq, depth);
      let index = 1;
      for (const round of [...(this.#open[foldKey(fold)] ?? [])].sort((one, other) => one.index - other.index)) {
        if (round.index < index || round.index > fold.rounds) continue;
        this.#rounds(fold, index, round.index + 1, true, depth);
        this.#place(round.folds, round.from_seq, endOf(fold, round) + 1, depth + 1);
        index = round.index + 1;
      }
      this.#rounds(fold, index, fold.rounds + 1, false, depth);
      seq = fold.to_seq + 1;
    }
    this.#steps(seq, to, depth);
  }

  #steps(from: number, to: number, depth: number): void {
    this.#add({ length: to - from, seq: from, depth, rounds: null });
  }

  #rounds(fold: TimelineFold, from: number, to: number, openLast: boolean, depth: number): void {
    this.#add({ length: to - from, seq: 0, depth, rounds: { fold, index: from, openLast } });
  }

  #add(part: Omit<Part, 'at'>): void {
    const last = this.#parts.at(-1);
    if (part.length > 0) this.#parts.push({ ...part, at: last ? last.at + last.length : 0 });
  }

  #partAt(position: number): Part {
    let [low, high] = [0, this.#parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#parts[middle] as Part).at <= position) low = middle;
      else high = middle - 1;
    }
    return this.#parts[low] as Part;
  }
}
