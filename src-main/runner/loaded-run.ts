import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { EffectOutcome, StepRecord } from '#main/engine/ports/recorder.ts';
import type { SpanPlace } from '#main/engine/ports/telemetry.ts';
import type { Journal, NewRun } from '#main/journal/journal.ts';
import { checked, type RunRow, readModels, suspensionListSchema } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { RunRecorder } from '#main/journal/run-recorder.ts';
import { forgetUnanswered } from '#main/journal/supplied-marks.ts';
import { ValueWriter } from '#main/journal/value-store.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

/** A run in memory: the engine and its recorder. */
export interface LoadedRun {
  readonly graph: FlowGraph;
  readonly runtime: FlowRuntime;
  readonly recorder: RunRecorder;
}

export interface LoadOptions {
  /** The run's flow if it is code, which is not recorded. */
  readonly graph?: FlowGraph;
  readonly token: string;
  /** See `RecorderStart.unsaved`. */
  readonly unsaved: Map<string, EffectOutcome>;
  readonly now: () => number;
  readonly onCancel: () => void;
  readonly onCommit?: (step: StepRecord, consumed: Readonly<Record<string, Json>>) => void;
}

/** Restores a run from its records, to continue from the last one. The lease must be held. */
export function loadRun(journal: Journal, row: RunRow, { graph = journal.graphOf(row), ...options }: LoadOptions): LoadedRun {
  if (!journal.readonly) forgetUnanswered(journal, row);
  const reader = new RunReader(journal, row);
  const folded = reader.foldAt(row.last_seq);
  const recorder = new RunRecorder({
    database: journal.database,
    path: journal.path,
    run: row.run,
    run_id: row.run_id,
    attempt: row.attempt,
    reader: journal.values,
    writer: new ValueWriter(journal.database, row.run),
    folded,
    waiting: checked(suspensionListSchema, journal.values.read(row.suspensions), journal.path),
    ...options,
  });
  const models = readModels(row.models, journal.path);
  const snapshot = reader.snapshotAt(row.last_seq, folded);
  const tracedAt = () => traceOf(reader);
  const runtime = FlowRuntime.fromSnapshot(graph, snapshot, { recorder, models, engine: row.engine, tracedAt });
  return { graph, runtime: runtime.withHistory(reader.history()), recorder };
}

/** Where a run that waits for an answer was traced: its question says so. */
function traceOf(reader: RunReader): SpanPlace | undefined {
  const asked = [...reader.events(Math.max(0, reader.row.last_seq - 1))].find(({ type }) => type === 'suspended');
  const { trace_id, span_id } = asked ?? {};
  return trace_id !== undefined && span_id !== undefined ? { trace_id, span_id } : undefined;
}

/** Records a new run and loads it into memory. Its lease must be taken before the first step. */
export function beginRun(journal: Journal, run: NewRun, { graph = run.graph, ...options }: LoadOptions): LoadedRun {
  const { snapshot, models, engine } = run;
  const { run: id, writer } = journal.createRun(run);
  const states = snapshot.states.map((state) => [state.name, { ...state, written_at: 0, written_by: '' }] as const);
  const recorder = new RunRecorder({
    database: journal.database,
    path: journal.path,
    run: id,
    run_id: snapshot.run_id,
    attempt: 1,
    reader: journal.values,
    writer,
    folded: { seq: 0, states: new Map(states), control: snapshot.control },
    waiting: [],
    ...options,
  });
  return { graph, runtime: FlowRuntime.fromSnapshot(graph, snapshot, { recorder, models, engine }), recorder };
}

/** Number of transitions in the whole run. */
export function stepsOf(run: LoadedRun): number {
  return run.recorder.folded.control.counters.steps;
}

export function tokensOf(run: LoadedRun): number {
  return run.recorder.folded.control.counters.tokens;
}

/** Whether a node is in progress. */
export function isUnderWay(run: LoadedRun, node: string): boolean {
  const { agents, frames } = run.recorder.folded.control;
  return node in agents || node in frames;
}
