import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Run } from '#main/sdk/run/run.ts';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';

/** Replays a run of a journal from its recorded effects. Throws with the first difference. Calls no model and no tool. */
export async function expectReplays(run: Pick<Run<unknown>, 'replay' | 'run_id'>): Promise<ReplayReport> {
  return same(await run.replay(), `The run ${run.run_id}`);
}

/** The flow that a capsule is tested with. */
export interface CapsuleTestOptions {
  /** A flow in code. Default: the flow of the capsule's path in `folder`. */
  readonly flow?: FlowGraph;
  /** The folder of the flows. Default: that of the capsule. */
  readonly folder?: string;
}

/** Replays the run of a capsule (`*.capsule.json`) with a flow. Throws with the first difference. Calls no model and no tool. */
export async function testCapsule(file: string, { flow, folder = dirname(resolve(file)) }: CapsuleTestOptions = {}): Promise<ReplayReport> {
  const text = readFileSync(file, 'utf8');
  if (!flow) {
    const { testCapsule: test } = await import('#main/capsule/test-capsule.ts');
    const verdict = await test(text, file, folder);
    if (verdict.verdict === 'broken') throw new Error(verdict.error.message);
    return same(verdict.report, file);
  }
  const [{ openCapsule }, { replayWith }] = await Promise.all([
    import('#main/capsule/open-capsule.ts'),
    import('#main/time-travel/replay.ts'),
  ]);
  const { journal, runId } = await openCapsule(text, file);
  try {
    return same(await replayWith(journal, runId, flow), file);
  } finally {
    journal.close();
  }
}

function same(report: ReplayReport, what: string): ReplayReport {
  const { divergence, steps, total } = report;
  if (!divergence) return report;
  const { seq, message, path, expected, actual } = divergence;
  const values =
    expected === undefined && actual === undefined
      ? ''
      : ` ${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}.`;
  throw new Error(`${what} diverges after ${steps} of ${total} records, at record ${seq}: ${message}${values}`);
}
