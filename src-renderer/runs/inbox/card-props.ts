import type { WaitingSuspension } from './questions.ts';

/** Properties of every card. */
export interface CardProps {
  readonly run_id: string;
  readonly suspension: WaitingSuspension;
  /** Texts of the card's frame. */
  readonly frame: {
    readonly title: string;
    readonly node: string;
    readonly nodeTitle: string;
    readonly turn: number | null;
    readonly since: number;
  };
}
