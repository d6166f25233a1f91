import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { planOf } from '#main/engine/run/plan.ts';
import { snapshotFaults } from '#main/engine/run/snapshot-check.ts';
import { errorOf, type Journal } from '#main/journal/journal.ts';
import { type RunRow, readModels } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { FlowEnvironmentOptions } from '#main/workspace/flow-environment.ts';
import type { Divergence, FlowChoice, ReplayReport } from '#shared/contract/time-travel.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import { valueChanges } from '#shared/value-changes.ts';
import { chooseFlow, recordedGraph } from './recorded-flow.ts';
import { recordedSteps } from './recorded-step.ts';
import { replayContext } from './replay-context.ts';
import { replayGraph } from './replay-graph.ts';
import { failureFields, type RecordedFailure, ReplayRecorder, ReplayStopped } from './replay-recorder.ts';
import { ReplaySupply } from './replay-supply.ts';

/** How long steps may run before the thread yields to other work, in milliseconds. */
const yieldInterval = 50;

/**
 * Replays a run from its recorded effects, with the recorded or the current flow. No model, tool or handler is called. Throws for a
 * missing run or flow.
 */
export async function replayRun(
  journal: Journal,
  runId: string,
  choice: FlowChoice,
  options: FlowEnvironmentOptions,
): Promise<ReplayReport> {
  const row = journal.row(runId);
  const graph = choice === 'recorded' ? recordedGraph(journal, row) : (await chooseFlow(journal, row, choice, options)).graph;
  return new Replay(journal, row, graph, choice).report();
}

/** The part of a run to replay. */
export interface ReplayedPart {
  /** The last record to replay; how the run ended is then not compared. Default: all. */
  readonly until?: number;
  /** Time after which the replay ends with the records that it has compared, in milliseconds. Default: no limit. */
  readonly patience?: number;
}

/** The same for an already built flow, such as one in code, or one of another version. */
export function replayWith(journal: Journal, runId: string, graph: FlowGraph, part: ReplayedPart = {}): Promise<ReplayReport> {
  return new Replay(journal, journal.row(runId), graph, 'current', part).report();
}

class Replay {
  readonly #journal: Journal;
  readonly #row: RunRow;
  readonly #graph: FlowGraph;
  readonly #choice: FlowChoice;
  readonly #reader: RunReader;
  readonly #failure: RecordedFailure | null;
  readonly #recorder: ReplayRecorder;
  readonly #opaque: readonly string[];
  readonly #until: number;
  readonly #patience: number;
  readonly #supply: ReplaySupply;

  constructor(journal: Journal, row: RunRow, graph: FlowGraph, choice: FlowChoice, part: ReplayedPart = {}) {
    this.#journal = journal;
    this.#row = row;
    this.#choice = choice;
    this.#reader = new RunReader(journal, row);
    this.#until = part.until ?? Number.POSITIVE_INFINITY;
    this.#patience = part.patience ?? Number.POSITIVE_INFINITY;
    this.#failure = part.until === undefined ? comparableFailure(journal, row) : null;
    this.#recorder = new ReplayRecorder(journal, this.#reader, recordedSteps(this.#reader), this.#failure);
    this.#supply = new ReplaySupply(() => this.#recorder.suppliedHere);
    const replayed = replayGraph(graph, () => this.#recorder.outcome);
    this.#graph = replayed.graph;
    this.#opaque = replayed.opaque;
  }

  async report(): Promise<ReplayReport> {
    const { run_id: runId, last_seq } = this.#row;
    const misfit = this.#misfit();
    if (!misfit) await this.#compute();
    const notes = [...this.#opaque.map((node) => `${node} is a handler in code: its recorded result was used.`), ...this.#supply.notes];
    return {
      run_id: runId,
      flow: this.#choice,
      steps: this.#recorder.steps,
      total: last_seq,
      effects: this.#recorder.effectCount,
      divergence: misfit ?? this.#recorder.divergence,
      notes,
    };
  }

  #misfit(): Divergence | null {
    const [fault] = snapshotFaults(planOf(this.#graph), this.#start());
    if (!fault) return null;
    const message = `The flow doesn't accept the run's initial state: ${fault.message}.`;
    return { seq: 0, what: 'flow', node: fault.state ?? null, message, path: fault.path };
  }

  #start() {
    return { ...this.#reader.snapshotAt(0), run_id: this.#journal.recordedAs(this.#row) };
  }

  async #compute(): Promise<void> {
    const recorder = this.#recorder;
    const models = readModels(this.#row.models, this.#journal.path);
    const runtime = FlowRuntime.fromSnapshot(this.#graph, this.#start(), {
      recorder,
      models,
      engine: this.#row.engine,
      accept_changed_flow: true,
    });
    runtime.withHistory(this.#reader.history(0));
    const context = replayContext({
      tools: this.#reader.toolNames(),
      now: () => this.#recorder.next?.row.started_at ?? this.#row.updated_at,
      supply: this.#supply,
    });
    try {
      let outcome = await beginning(runtime, context);
      const started = performance.now();
      let yielded = started;
      while (recorder.next && recorder.steps < this.#until && !recorder.divergence) {
        outcome = await this.#once(runtime, context);
        if (performance.now() - yielded < yieldInterval) continue;
        await new Promise(setImmediate);
        yielded = performance.now();
        if (yielded - started > this.#patience) return;
      }
      if (!recorder.divergence && this.#until === Number.POSITIVE_INFINITY) this.#compareEnd(outcome);
      if (this.#failure && !recorder.divergence) await this.#fail(runtime, context, this.#failure);
    } catch (error) {
      if (!recorder.divergence && !(error instanceof ReplayStopped)) throw error;
    } finally {
      runtime.dispose();
    }
  }

  /** Replays the next record. An unrecorded failure is a difference. */
  async #once(runtime: FlowRuntime, context: Context): Promise<RunOutcome> {
    const recorder = this.#recorder;
    const seq = recorder.steps;
    const { answer } = recorder;
    try {
      const outcome = answer
        ? await runtime.resume(context, answer.suspension.tool_id, answer.payload, { tool_call_id: answer.suspension.tool_call_id })
        : await runtime.next(context);
      // A finished run returns its result repeatedly and makes no record.
      if (recorder.steps === seq) throw recorder.diverge('end', 'The recorded run continued; now it finishes.');
      return outcome;
    } catch (error) {
      if (recorder.divergence || recorder.next === null || error instanceof ReplayStopped) return { type: 'continue' };
      const failure = toTransferable(error);
      const message = `${failure.node ?? 'The run'} now fails: ${failure.message}`;
      throw recorder.diverge('end', message, { node: failure.node, path: '/error', actual: shortError(failure) });
    }
  }

  /** Checks that a successful run ends with the same output. */
  #compareEnd(outcome: RunOutcome): void {
    const { status, output } = this.#row;
    if (status !== 'success') return;
    if (outcome.type !== 'done') throw this.#recorder.diverge('end', 'The recorded run finished; now it continues.');
    const expected = output === null ? undefined : this.#journal.values.read(output);
    const [change] = valueChanges(expected, outcome.output, 1);
    if (!change) return;
    const { path, before, after } = change;
    throw this.#recorder.diverge('end', `The output differs (at ${path || 'its root'}).`, {
      path: `/output${path}`,
      ...(before !== undefined && { expected: before }),
      ...(after !== undefined && { actual: after }),
    });
  }

  /** Checks that the step after the last record fails the same way. */
  async #fail(runtime: FlowRuntime, context: Context, { error: expected }: RecordedFailure): Promise<void> {
    const recorder = this.#recorder;
    const recorded = `The recorded run failed with ${expected.variant}`;
    let failure: TransferableError;
    try {
      await runtime.next(context);
      throw recorder.diverge('end', `${recorded}; now it succeeds.`, failureFields(expected));
    } catch (error) {
      if (recorder.divergence) throw error;
      failure = toTransferable(error);
    }
    const same = failure.variant === expected.variant && failure.code === expected.code && failure.node === expected.node;
    if (same) return;
    const message = `${recorded}; now it fails with ${failure.variant}: ${failure.message}`;
    throw recorder.diverge('end', message, { ...failureFields(expected), node: failure.node, actual: shortError(failure) });
  }
}

/** Returns the run's outcome before its first record: a fork may begin where its parent had ended. */
async function beginning(runtime: FlowRuntime, context: Context): Promise<RunOutcome> {
  const goesOn: RunOutcome = { type: 'continue' };
  // Without an enabled node, an unfinished run is suspended or deadlocked, which is thrown as a failure.
  return runtime.nextNode === null ? runtime.next(context).catch(() => goesOn) : goesOn;
}

/** Failures with external causes, which can't be replayed. */
const outside = new Set(['Cancelled', 'Conflict', 'SnapStoreError', 'SnapLoadError', 'SecretInState']);

function comparableFailure(journal: Journal, row: RunRow): RecordedFailure | null {
  const error = row.status === 'error' ? errorOf(journal, row) : null;
  if (!error || outside.has(error.variant) || error.category === 'cancellation') return null;
  // The pin that caused it is not on record.
  if (error.details.supplied !== undefined) return null;
  if (error.variant === 'LimitExceeded' && error.details.limit === 'seconds') return null;
  return { error, attempt: Math.max(1, row.attempt - 1) };
}

function shortError({ variant, code, message }: TransferableError): Json {
  return { variant, code, message };
}
