import type { WaitingSuspension } from './waiting-words.ts';

/** What every card is given. */
export interface CardProps {
  readonly run_id: string;
  readonly suspension: WaitingSuspension;
  /** What the card's frame says. */
  readonly frame: {
    readonly title: string;
    readonly node: string;
    readonly nodeTitle: string;
    readonly turn: number | null;
    readonly since: number;
  };
}
