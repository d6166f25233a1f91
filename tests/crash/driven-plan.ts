import type { Witnessed } from './witnessed-flow.ts';

/** What a process that is going to be killed is told. */
export interface DrivenPlan {
  /** Begins the names of its runs. */
  readonly name: string;
  readonly journal_path: string;
  readonly witness_port: number;
  /** Runs that an earlier process left behind. */
  readonly unfinished: readonly string[];
  /** How a question about an unknown outcome is answered where the witness has done it; where it has not, it is done again in any case. */
  readonly answer: 'retry' | 'supply';
  /** At which of its effects it is killed, once it is ready; null if another process does that. */
  readonly kill:
    | ({ readonly nth: number } & ({ readonly when: 'under way' } | { readonly when: 'answered'; readonly after_ms: number }))
    | null;
}

/** What it says. */
export type DrivenReport =
  /** Runs left from before have finished, and the first new run begins. */
  | { readonly type: 'ready' }
  | { readonly type: 'begun'; readonly run_id: string }
  /** `next()` has returned: the run is at record `seq`, made from this state's node. */
  | { readonly type: 'step'; readonly run_id: string; readonly seq: number; readonly node: string }
  | { readonly type: 'asked'; readonly run_id: string; readonly what: string; readonly retry: boolean }
  | { readonly type: 'finished'; readonly run_id: string; readonly output: Witnessed };
