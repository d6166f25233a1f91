import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { planOf } from '#main/engine/run/plan.ts';
import { snapshotFaults } from '#main/engine/run/snapshot-check.ts';
import { findSecret } from '#main/engine/secrets/mask.ts';
import type { Journal, NewRun } from '#main/journal/journal.ts';
import { readModels } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { FoldedRun } from '#main/journal/state-fold.ts';
import { type InheritedMark, marksUpTo } from '#main/journal/supplied-marks.ts';
import type { FlowEnvironmentOptions } from '#main/workspace/flow-environment.ts';
import type { ForkCheck, ForkRequest, Misfit } from '#shared/contract/time-travel.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import { toJson } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { History } from '#shared/run/message.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';
import { carryOver } from './carry-over.ts';
import { type ChosenFlow, chooseFlow } from './recorded-flow.ts';
import { sanitizeImported } from './sanitize-imported.ts';

/** A planned fork: its initial state and the problems that prevent it. */
export interface PlannedFork {
  readonly check: ForkCheck;
  /** The run to record; its snapshot's `run_id` is still the parent's. */
  readonly run: Omit<NewRun, 'created_at'>;
}

/** Environment for planning a fork. */
export interface ForkOptions extends FlowEnvironmentOptions {
  /** Known secrets by name: none may appear in an edited state. */
  readonly secrets?: ReadonlyMap<string, string>;
}

/** Plans a fork of a run in `journal`. Throws for a missing record or flow, and `SecretInState`. */
export async function planFork(journal: Journal, request: ForkRequest, options: ForkOptions): Promise<PlannedFork> {
  const flow = await chooseFlow(journal, journal.row(request.run_id), request.flow, options);
  return planForkWith(journal, request, flow, options.secrets);
}

/** The same with an already built flow, such as a changed one. */
export function planForkWith(
  journal: Journal,
  request: ForkRequest,
  flow: ChosenFlow,
  secrets: ReadonlyMap<string, string> = new Map(),
): PlannedFork {
  const row = journal.row(request.run_id);
  const reader = new RunReader(journal, row);
  const recorded = reader.foldAt(request.seq);
  // A read-only journal is untrusted.
  const folded = journal.readonly ? { ...recorded, control: sanitizeImported(recorded.control) } : recorded;
  refuseSecrets(request.states, secrets);
  return planForkOf({
    request,
    flow,
    // The parent's flow, only inspected, never executed.
    parent: journal.graphOf(row),
    folded,
    history: reader.history(request.seq),
    run: { input: journal.inputOf(row), models: readModels(row.models, journal.path), engine: row.engine },
    marks: journal.reading(() => marksUpTo(journal.database, row.run, request.seq)),
  });
}

/** A run at the forked record, and the flow with which the fork continues. */
export interface ForkPoint {
  readonly request: ForkRequest;
  readonly flow: ChosenFlow;
  readonly parent: FlowGraph;
  readonly folded: FoldedRun;
  readonly history: History;
  readonly run: Pick<NewRun, 'input' | 'models'> & Required<Pick<NewRun, 'engine'>>;
  /** What pins and mocks supplied up to it. */
  readonly marks?: readonly InheritedMark[];
}

/** Plans a fork from its parent's records. */
export function planForkOf({ request, flow, parent, folded, history, run, marks = [] }: ForkPoint): PlannedFork {
  const { graph, ...sources } = flow;
  const states = patchedStates(folded, request);
  const given: Snapshot = {
    pravah: 1,
    run_id: request.run_id,
    seq: 0,
    flow: { name: graph.name, hash: graph.hash },
    states,
    control: folded.control,
  };
  const edited = new Set([...request.states.map(({ name }) => name), ...request.drop]);
  const carried = carryOver({ from: planOf(parent), to: planOf(graph), snapshot: given, history, edited });
  const snapshot = { ...given, control: carried.control };
  const misfits = snapshotFaults(planOf(graph), snapshot).map(misfit);
  const { run_id, seq, continues } = request;
  const origin = { run_id, seq, ...(continues && { continues: true as const }) };
  const writers = new Map([...folded.states.values()].map(({ name, written_by }) => [name, edited.has(name) ? '' : written_by]));
  return {
    check: {
      misfits,
      notes: [...carried.notes],
      restarts: carried.restarts,
      flow_changed: graph.hash !== parent.hash,
      next: misfits.length > 0 ? null : FlowRuntime.fromSnapshot(graph, snapshot).nextNode,
    },
    run: {
      ...run,
      ...sources,
      graph,
      snapshot,
      fork: { origin, written_by: writers, history: carried.history, marks },
    },
  };
}

/** Records a planned fork as a new run and returns its id. Throws `SnapLoadError` and writes nothing if it has misfits. */
export function makeFork(target: Journal, { check, run }: PlannedFork, runId: string, now: number): string {
  const [first] = check.misfits;
  if (first) {
    const others = check.misfits.length > 1 ? ` (and ${check.misfits.length - 1} more)` : '';
    throw new FlowError(
      'SnapLoadError',
      `Can't create the fork: at ${first.path || 'its root'}, ${first.message}${others}. Nothing was changed.`,
      {
        details: { path: first.path, misfits: toJson(check.misfits) },
      },
    );
  }
  target.createRun({ ...run, snapshot: { ...run.snapshot, run_id: runId }, created_at: now });
  return runId;
}

/** Returns the state map with states replaced in place, dropped, or appended. */
function patchedStates({ states }: FoldedRun, { states: edits, drop }: ForkRequest): NamedState[] {
  const missing = drop.find((name) => !states.has(name));
  if (missing !== undefined) {
    const waiting = [...states.keys()].join(', ');
    throw new FlowError('NotFound', `Can't drop state ${missing}: it doesn't exist at this step. Existing states: ${waiting}.`, {
      details: { state: missing },
    });
  }
  const values = new Map([...states.values()].map(({ name, value }) => [name, value]));
  for (const { name, value } of edits) values.set(name, value);
  for (const name of drop) values.delete(name);
  return [...values].map(([name, value]) => ({ name, value }));
}

function misfit({ path, message, state }: { readonly path: string; readonly message: string; readonly state?: string }): Misfit {
  return { path, state: state ?? null, message };
}

function refuseSecrets(states: readonly NamedState[], secrets: ReadonlyMap<string, string>): void {
  for (const { name, value } of states) {
    const found = findSecret(secrets, value);
    if (!found) continue;
    throw new FlowError(
      'SecretInState',
      `The new value of ${name} contains the secret ${found.name}. Use {secret:${found.name}} instead.`,
      { details: { secret: found.name, path: found.path } },
    );
  }
}
