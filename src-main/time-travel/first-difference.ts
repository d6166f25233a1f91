import type { Journal } from '#main/journal/journal.ts';
import type { FirstDifference } from '#shared/contract/time-travel.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { replayWith } from './replay.ts';

/** A record of a run, and the flow with which a fork continues from it. */
export interface Past {
  readonly run_id: string;
  readonly seq: number;
  readonly graph: FlowGraph;
}

/**
 * Replays the records before a fork with the fork's flow, up to the first one that would have another result. No model, tool or handler is called.
 * `patience` limits the time in milliseconds.
 */
export async function firstDifference(journal: Journal, { run_id, seq, graph }: Past, patience?: number): Promise<FirstDifference> {
  if (journal.row(run_id).flow_hash === graph.hash) return { same: seq, of: seq, divergence: null };
  const { steps, divergence } = await replayWith(journal, run_id, graph, { until: seq, ...(patience !== undefined && { patience }) });
  return { same: steps, of: seq, divergence };
}
