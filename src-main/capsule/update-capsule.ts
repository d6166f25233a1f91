import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import { chooseFlow } from '#main/time-travel/recorded-flow.ts';
import { replayContext } from '#main/time-travel/replay-context.ts';
import { replayGraph } from '#main/time-travel/replay-graph.ts';
import { version } from '#main/version.ts';
import { FlowError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { Control, RunOutcome } from '#shared/run/snapshot.ts';
import type { Capsule, CapsuleBody } from './capsule-format.ts';
import { integrityOf } from './integrity.ts';
import { openCapsule } from './open-capsule.ts';
import { UpdatingRecorder } from './updating-recorder.ts';

/**
 * Replays a capsule's run with the current flow in `folder` and its recorded outcomes and answers, and returns the resulting capsule. Throws `Conflict` if
 * the flow needs an unrecorded outcome, for which a new run is required.
 */
export async function updateCapsule(text: string, name: string, folder: string): Promise<Capsule> {
  const { capsule, journal, runId } = await openCapsule(text, name);
  try {
    const row = journal.row(runId);
    const { graph, flow_text, sources } = await chooseFlow(journal, row, 'current', await historyOptions(folder));
    const { opaque } = replayGraph(graph, () => ({ states: {} }));
    if (opaque.length > 0) throw refused(name, `${opaque[0]} is a handler in code, and code does not run here`);
    const ended = await computed(capsule, graph, name);
    const body: CapsuleBody = {
      ...capsule,
      program: version,
      flow: { text: flow_text, sources: Object.fromEntries(sources), graph: null },
      ...ended,
      run: { ...capsule.run, ...ended.run, flow_name: graph.name },
    };
    const { integrity: _before, ...rest } = body as Capsule;
    return { ...rest, integrity: integrityOf(rest) };
  } finally {
    journal.close();
  }
}

type Ended = Pick<Capsule, 'steps' | 'failed_effects'> & { readonly run: Pick<Capsule['run'], 'status' | 'output' | 'error'> };

/** Drives the run from its start until it ends, fails, or waits for an unrecorded answer. */
async function computed(capsule: Capsule, graph: Parameters<typeof FlowRuntime.fromSnapshot>[0], name: string): Promise<Ended> {
  const { run, start, steps } = capsule;
  const recorder = new UpdatingRecorder(capsule);
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
    if (recorder.missing) throw refused(name, recorder.missing);
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
): Ended {
  const { output = null, error = null, failed_effects = [] } = more;
  return { steps, failed_effects, run: { status, output, error } };
}

function refused(name: string, why: string): FlowError {
  return new FlowError('Conflict', `Can't update ${name}: ${why}. Run the flow again and export that run.`, {
    details: { path: name },
  });
}
