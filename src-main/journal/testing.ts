import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import type { Json } from '#shared/json.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { Journal } from './journal.ts';
import { acquireLease } from './lease.ts';
import { checked, suspensionListSchema } from './rows.ts';
import { RunReader } from './run-reader.ts';
import { RunRecorder } from './run-recorder.ts';
import { ValueWriter } from './value-store.ts';

/** What the journal's tests share: a folder, a run in a journal, records to write. */

export const noControl: Control = {
  agents: {},
  frames: {},
  handlers: {},
  suspensions: [],
  counters: { steps: 0, seconds: 0, model_calls: 0, tokens: 0 },
  script_positions: {},
  answers: [],
};

const graph: FlowGraph = { name: 'Loop', input: 'A', output: 'B', schemas: { A: {}, B: {} }, nodes: [], limits: defaultLimits, hash: 'h' };

/** Creates a folder for one test, with a function that removes it. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-journal-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a run in a journal and returns its id. `nodes` are those of its flow. */
export function createRun(journal: Journal, input: Json, nodes: readonly GraphNode[] = []): string {
  const runId = randomUUID();
  journal.createRun({
    flow_path: 'loop.flow.yaml',
    flow_text: 'pravah: 1',
    graph: { ...graph, nodes },
    input,
    created_at: 1,
    snapshot: {
      pravah: 1,
      run_id: runId,
      seq: 0,
      flow: { name: 'Loop', hash: 'h' },
      states: [{ name: 'A', value: input }],
      control: noControl,
    },
  });
  return runId;
}

/** A recorder of a run as an executor makes it. */
export function recorderOf(journal: Journal, runId: string, token: string, options: { onCancel?: () => void } = {}): RunRecorder {
  acquireLease(journal.database, journal.row(runId).run, token, Date.now());
  const row = journal.row(runId);
  return new RunRecorder({
    database: journal.database,
    path: journal.path,
    run: row.run,
    run_id: runId,
    token,
    attempt: row.attempt,
    reader: journal.values,
    writer: new ValueWriter(journal.database, row.run),
    folded: new RunReader(journal, row).foldAt(row.last_seq),
    waiting: checked(suspensionListSchema, journal.values.read(row.suspensions), journal.path),
    unsaved: new Map(),
    now: Date.now,
    ...options,
  });
}

/** A record of a transition from A to A with a value. */
export function stepRecord(seq: number, value: Json, more: Partial<StepRecord> = {}): StepRecord {
  return {
    seq,
    type: 'transition',
    node: 'A',
    kind: 'work',
    consumed: ['A'],
    produced: [{ name: 'A', value }],
    history: {},
    control: { ...noControl, counters: { ...noControl.counters, steps: seq } },
    events: [],
    started_at: seq,
    duration_ms: 1,
    pure: true,
    ...more,
  };
}
