import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { replayContext } from '#main/time-travel/replay-context.ts';
import { replayGraph } from '#main/time-travel/replay-graph.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { Control, RunOutcome } from '#shared/run/snapshot.ts';
import type { Capsule } from './capsule-format.ts';
import { UpdatingRecorder } from './updating-recorder.ts';

/** How a run ends with another flow. */
export type Recomputed = Pick<Capsule, 'steps' | 'failed_effects'> & { readonly run: Pick<Capsule['run'], 'status' | 'output' | 'error'> };

/** Why a run can't be computed with another flow: it needs an outcome that was not recorded. */
export class Unrecorded extends Error {}

/**
 * Computes a run with another flow and its recorded outcomes and answers, from its start until it ends, fails, or waits for an unrecorded answer. No
 * model, tool or handler is called. Throws `Unrecorded`, and `SnapLoadError` if the flow does not accept the run's input.
 */
export async function recompute({ run, start, ...capsule }: Capsule, graph: FlowGraph): Promise<Recomputed> {
  const { opaque } = replayGraph(graph, () => ({ states: {} }));
  if (opaque.length > 0) throw new Unrecorded(`${opaque[0]} is a handler in code, and code does not run here`);
  const { steps } = capsule;
  const recorder = new UpdatingRecorder({ run, start, ...capsule });
  const { name: flow, hash } = graph;
  const snapshot = {
    pravah: 1,
    run_id: run.run_id,
    seq: 0,
    flow: { name: flow, hash },
    states: start.states,
    control: start.control as Control,
  } as const;
  const runtime = FlowRuntime.fromSnapshot(graph, snapshot, { recorder, models: run.models, engine: run.engine ?? 1 }).withHistory(
    start.messages,
  );
  const now = () => steps[Math.min(recorder.steps.length, steps.length - 1)]?.started_at ?? run.updated_at;
  const context = replayContext({ tools: [], now, supply: recorder.supply });
  let outcome: RunOutcome = { type: 'continue' };
  try {
    while (outcome.type !== 'done' && !(run.status === 'paused' && recorder.steps.length >= steps.length)) {
      if (outcome.type === 'continue') outcome = (await runtime.next(context)) as RunOutcome;
      else {
        const payload = recorder.answerTo(outcome.tool_id);
        if (payload === undefined) break;
        outcome = (await runtime.resume(context, outcome.tool_id, payload, { tool_call_id: outcome.tool_call_id })) as RunOutcome;
      }
    }
  } catch (error) {
    if (recorder.missing) throw new Unrecorded(recorder.missing);
    return ending(recorder, 'error', { error: toTransferable(error), failed_effects: recorder.effects });
  } finally {
    runtime.dispose();
  }
  if (outcome.type === 'done') return ending(recorder, 'success', { output: outcome.output });
  return ending(recorder, outcome.type === 'suspend' ? 'suspended' : 'paused');
}

function ending(
  { steps }: UpdatingRecorder,
  status: Capsule['run']['status'],
  more: { output?: Capsule['run']['output']; error?: TransferableError; failed_effects?: Capsule['failed_effects'] } = {},
): Recomputed {
  const { output = null, error = null, failed_effects = [] } = more;
  return { steps, failed_effects, run: { status, output, error } };
}
