import type { NodeKind } from './document.ts';

/** What the checks and the page know of a kind of node. */
export interface KindFacts {
  /** `one` input state, or a list of which it consumes `all`. */
  readonly inputs: 'one' | 'all';
  /** `one` output state, or a list: it produces `all` of them, or one (`branch`). */
  readonly outputs: 'one' | 'all' | 'branch';
  /** Fields with which a body can be written; none: the kind has no body. */
  readonly bodies: readonly ('run' | 'run_file' | 'module' | 'expr' | 'tool')[];
  /** Whether it runs another flow. */
  readonly runs_flow: boolean;
}

const code = ['run', 'run_file', 'module'] as const;

/** A row for each kind of node. */
export const kindFacts: Readonly<Record<NodeKind, KindFacts>> = {
  work: { inputs: 'one', outputs: 'one', bodies: ['expr', ...code, 'tool'], runs_flow: false },
  either: { inputs: 'one', outputs: 'branch', bodies: ['expr', ...code], runs_flow: false },
  fork: { inputs: 'one', outputs: 'all', bodies: code, runs_flow: false },
  join: { inputs: 'all', outputs: 'one', bodies: code, runs_flow: false },
  agent: { inputs: 'one', outputs: 'one', bodies: [], runs_flow: false },
  flow: { inputs: 'one', outputs: 'one', bodies: [], runs_flow: true },
  suspend: { inputs: 'one', outputs: 'one', bodies: [], runs_flow: false },
  each: { inputs: 'one', outputs: 'one', bodies: [], runs_flow: true },
};
