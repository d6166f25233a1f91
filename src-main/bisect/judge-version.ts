import type { Capsule } from '#main/capsule/capsule-format.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { recompute, Unrecorded } from '#main/capsule/recompute.ts';
import { holds } from '#main/debug/condition.ts';
import type { Journal } from '#main/journal/journal.ts';
import { replayWith } from '#main/time-travel/replay.ts';
import type { Divergence } from '#shared/contract/time-travel.ts';
import type { Expression } from '#shared/flow/expression.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

/** Whether a run agrees with a version of its flow. */
export interface Verdict {
  readonly verdict: 'good' | 'bad' | 'skipped';
  /** Why it is not good, in one sentence; empty if it is. */
  readonly reason: string;
  /** The first difference from the record, if the record was the criterion. */
  readonly divergence?: Divergence;
  /** The output, if an expression was the criterion. */
  readonly output?: Json;
}

/** A recorded run. */
export interface JudgedRun {
  readonly journal: Journal;
  readonly runId: string;
}

/** Replays a run with a version of its flow: good if everything is the same. No model, tool or handler is called. */
export async function judgeByRecord({ journal, runId }: JudgedRun, graph: FlowGraph): Promise<Verdict> {
  const { divergence } = await replayWith(journal, runId, graph);
  if (!divergence) return { verdict: 'good', reason: '' };
  return { verdict: 'bad', reason: divergence.message, divergence };
}

/**
 * Computes a run with a version of its flow and the recorded outcomes and answers: good if the expression holds for its output. Skipped if it needs an
 * outcome that was not recorded. No model, tool or handler is called.
 */
export async function judgeByOutput(run: JudgedRun, graph: FlowGraph, expected: Expression): Promise<Verdict> {
  const capsule = capsuleOf(run);
  try {
    const { status, output, error } = (await recompute(capsule, graph)).run;
    if (status === 'error') return { verdict: 'bad', reason: `The run fails: ${error?.message ?? 'unknown error'}` };
    if (status !== 'success') return { verdict: 'bad', reason: 'The run does not end.' };
    if (holds(expected, { input: output, names: { output } })) return { verdict: 'good', reason: '', output };
    return { verdict: 'bad', reason: 'The output does not meet the expectation.', output };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Unrecorded) return { verdict: 'skipped', reason: `The output can't be computed: ${message}.` };
    return { verdict: 'bad', reason: message };
  }
}

/** Capsules of runs: a search computes the same run many times. */
const capsules = new WeakMap<JudgedRun, Capsule>();

function capsuleOf(run: JudgedRun): Capsule {
  const capsule = capsules.get(run) ?? makeCapsule(run.journal, run.runId, { places: [], texts: [] }, new Map());
  capsules.set(run, capsule);
  return capsule;
}
