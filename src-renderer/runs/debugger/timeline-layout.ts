import type { Fold, Round } from '#shared/contract/iterations.ts';

/** A line of the timeline: a record, or the rounds that are folded into one. */
export type TimelineLine =
  | { readonly type: 'step'; readonly seq: number; readonly inside: boolean }
  | { readonly type: 'round'; readonly fold: Fold; readonly index: number; readonly open: boolean };

type Span = Pick<Round, 'index' | 'from_seq' | 'to_seq'>;
/** The rounds that are shown with their steps, by the node of their fold. */
export type OpenRounds = Readonly<Record<string, readonly Span[]>>;

/** Lines that follow each other: records from `seq` on, or rounds from `index` on. The last of the rounds may be open. */
interface Part {
  readonly at: number;
  readonly length: number;
  readonly seq: number;
  readonly inside: boolean;
  readonly rounds: { readonly fold: Fold; readonly index: number; readonly openLast: boolean } | null;
}

/** Which line is at which position of the timeline. It grows with the rounds that are open, not with the run. */
export class TimelineLayout {
  readonly count: number;
  readonly #parts: Part[] = [];
  readonly #open: OpenRounds;

  /** `steps`: lines of the timeline without folds. A round that is open has its steps below it. */
  constructor(steps: number, folds: readonly Fold[], open: OpenRounds) {
    this.#open = open;
    let seq = 0;
    for (const fold of folds) {
      if (fold.to_seq >= steps) break;
      this.#steps(seq, fold.from_seq, false);
      let index = 1;
      for (const round of [...(open[fold.node] ?? [])].sort((one, other) => one.index - other.index)) {
        if (round.index < index || round.index > fold.rounds) continue;
        this.#rounds(fold, index, round.index + 1, true);
        this.#steps(round.from_seq, round.to_seq + 1, true);
        index = round.index + 1;
      }
      this.#rounds(fold, index, fold.rounds + 1, false);
      seq = fold.to_seq + 1;
    }
    this.#steps(seq, steps, false);
    const last = this.#parts.at(-1);
    this.count = last ? last.at + last.length : 0;
  }

  lineAt(position: number): TimelineLine {
    const { at, seq, inside, rounds, length } = this.#partAt(position);
    if (!rounds) return { type: 'step', seq: seq + position - at, inside };
    const open = rounds.openLast && position === at + length - 1;
    return { type: 'round', fold: rounds.fold, index: rounds.index + position - at, open };
  }

  /** The position of a record, or of the folded round that contains it. `roundOf` answers with the number of the round that contains the record. */
  positionOf(seq: number, roundOf: (fold: Fold) => number): number {
    for (const { at, length, seq: first, rounds } of this.#parts) {
      if (!rounds && seq >= first && seq < first + length) return at + seq - first;
      if (!rounds) continue;
      const { fold, index } = rounds;
      if (seq < fold.from_seq || seq > fold.to_seq || this.#open[fold.node]?.some((round) => seq >= round.from_seq && seq <= round.to_seq))
        continue;
      const round = roundOf(fold);
      if (round >= index && round < index + length) return at + round - index;
    }
    return this.count - 1;
  }

  #steps(from: number, to: number, inside: boolean): void {
    this.#add({ length: to - from, seq: from, inside, rounds: null });
  }

  #rounds(fold: Fold, from: number, to: number, openLast: boolean): void {
    this.#add({ length: to - from, seq: 0, inside: false, rounds: { fold, index: from, openLast } });
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
