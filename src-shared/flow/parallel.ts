/** Which effects of a run may start before their turn: model calls, also tools that only read, or everything. */
export const aheadEffects = ['model', 'read', 'all'] as const;
export type AheadEffects = (typeof aheadEffects)[number];

/** How far a run works ahead of the order of its transitions. */
export interface Parallel {
  /** How many of its nodes run at once, from 1 (nothing is done ahead) to `mostAhead`. */
  readonly ahead: number;
  readonly effects: AheadEffects;
}

export const defaultParallel: Parallel = { ahead: 8, effects: 'model' };

/** The most nodes, or items of a list, that run at once. */
export const mostAhead = 64;
