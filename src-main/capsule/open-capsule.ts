import { createHash } from 'node:crypto';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { planOf } from '#main/engine/run/plan.ts';
import { snapshotFaults } from '#main/engine/run/snapshot-check.ts';
import { snapshotSchema } from '#main/engine/run/snapshot-schema.ts';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { amendImportedRun } from '#main/journal/imported-run.ts';
import { Journal } from '#main/journal/journal.ts';
import { acquireLease } from '#main/journal/lease.ts';
import type { RunRecorder } from '#main/journal/run-recorder.ts';
import type { InheritedMark } from '#main/journal/supplied-marks.ts';
import { loadRun } from '#main/runner/loaded-run.ts';
import { buildFromSources } from '#main/time-travel/recorded-flow.ts';
import { capsuleLimit } from '#shared/contract/time-travel.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { toJson } from '#shared/json.ts';
import { FlowError, fromTransferable, type TransferableError } from '#shared/run/error.ts';
import type { Control, Snapshot } from '#shared/run/snapshot.ts';
import { type Capsule, type CapsuleEffect, type CapsuleStep, capsuleSchema } from './capsule-format.ts';
import { integrityOf } from './integrity.ts';

/** Maximum nesting of a capsule's JSON: that of values plus the surrounding structure. */
const deepest = 1100;

/** An open capsule: its content and an in-memory journal with its run. */
export interface OpenCapsule {
  readonly capsule: Capsule;
  readonly journal: Journal;
  /** The run's id in the journal; derived from the file's content, so that it is stable. */
  readonly runId: string;
}

/** Parses the text of a capsule. Throws a `SnapLoadError` that names the problem and its path. `name` is the file name in messages. */
export function parseCapsule(text: string, name: string): Capsule {
  if (Buffer.byteLength(text) > capsuleLimit) throw unreadable(name, `it is larger than ${capsuleLimit / 1024 / 1024} MiB`);
  if (depthOf(text) > deepest) throw unreadable(name, 'its JSON is nested too deeply');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unreadable(name, `it is not valid JSON:  ${error instanceof Error ? error.message : String(error)}`);
  }
  const result = capsuleSchema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw unreadable(name, `at ${issue?.path.join('/') || 'its root'}, ${issue?.message ?? 'its structure is invalid'}`);
  }
  // Use the parsed JSON rather than the schema's output, so that keys keep their order.
  const { integrity, ...body } = json as Capsule;
  if (integrityOf(body) !== integrity) throw unreadable(name, "its content doesn't match its hash, so it was altered or is corrupt");
  return json as Capsule;
}

/** Opens a capsule for viewing, without executing anything. Throws as `parseCapsule`. */
export async function openCapsule(text: string, name: string): Promise<OpenCapsule> {
  const capsule = parseCapsule(text, name);
  const runId = `capsule-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const graph = graphOf(capsule, name);
  try {
    const journal = await Journal.inMemory(name, (made) => new Import(capsule, made, runId, graph, name).write());
    return { capsule, journal, runId };
  } catch (error) {
    if (error instanceof FlowError && error.variant === 'SnapLoadError') throw error;
    throw unreadable(name, `its run can't be restored:  ${error instanceof Error ? error.message : String(error)}`);
  }
}

function graphOf({ run, flow }: Capsule, name: string): FlowGraph {
  const built = buildFromSources({ flow_path: run.flow_path, flow_text: flow.text, sources: new Map(Object.entries(flow.sources)) }, true);
  const graph = built.graph ?? flow.graph;
  if (graph) return graph;
  throw unreadable(name, `its flow is invalid:  ${built.problems[0]?.message ?? 'it has errors'}`);
}

/** Records a capsule's records the way they were recorded originally. */
class Import {
  readonly #capsule: Capsule;
  readonly #journal: Journal;
  readonly #runId: string;
  readonly #graph: FlowGraph;
  readonly #name: string;
  #control: Control;

  constructor(capsule: Capsule, journal: Journal, runId: string, graph: FlowGraph, name: string) {
    this.#capsule = capsule;
    this.#journal = journal;
    this.#runId = runId;
    this.#graph = graph;
    this.#name = name;
    this.#control = capsule.start.control as Control;
  }

  async write(): Promise<void> {
    const { run, flow, input, start, steps, failed_effects } = this.#capsule;
    const snapshot = this.#snapshot();
    const [fault] = snapshotFaults(planOf(this.#graph), snapshot);
    if (fault) throw unreadable(this.#name, `its initial state doesn't match its flow: at  ${fault.path || '/'}, ${fault.message}`);
    this.#journal.createRun({
      flow_path: run.flow_path,
      flow_text: flow.text,
      sources: new Map(Object.entries(flow.sources)),
      graph: this.#graph,
      input,
      models: run.models,
      engine: run.engine ?? 1,
      snapshot,
      created_at: run.created_at,
      fork: { origin: { run_id: '', seq: 0 }, written_by: new Map(), history: start.messages, marks: marksOf(start) },
    });
    const recorder = this.#recorder();
    // The same objects that the recorder compares by identity.
    this.#control = recorder.folded.control;
    for (const [index, step] of steps.entries()) await this.#writeStep(recorder, index + 1, step);
    await this.#writeEffects(recorder, steps.length + 1, failed_effects);
    recorder.end({
      status: run.status,
      ...(run.output !== null && { output: run.output }),
      ...(run.error && { failure: { error: run.error as TransferableError, events: [] } }),
    });
    recorder.close();
    const notes = new Map(steps.map(({ note }, index) => [index + 1, note]));
    const of = [...steps.map(({ effects }) => effects), failed_effects];
    const unknown = of.flatMap((effects, index) => effects.flatMap(({ outcome, key }) => (outcome ? [] : [{ seq: index + 1, key }])));
    const { run_id: recorded_as, forked_from, updated_at } = run;
    amendImportedRun(this.#journal, this.#runId, { recorded_as, forked_from, updated_at, notes, unknown });
  }

  #snapshot(): Snapshot {
    const { states } = this.#capsule.start;
    const { name, hash } = this.#graph;
    return { pravah: 1, run_id: this.#runId, seq: 0, flow: { name, hash }, states, control: this.#control };
  }

  #recorder(): RunRecorder {
    const journal = this.#journal;
    const row = journal.row(this.#runId);
    acquireLease(journal.database, row.run, 'capsule', Date.now());
    return loadRun(journal, row, { token: 'capsule', unsaved: new Map(), now: Date.now, onCancel: () => {} }).recorder;
  }

  async #writeStep(recorder: RunRecorder, seq: number, step: CapsuleStep): Promise<void> {
    await this.#writeEffects(recorder, seq, step.effects);
    this.#control = { ...this.#control, ...step.control };
    const violation = compileSchema(snapshotSchema)(toJson({ ...this.#snapshot(), states: [] }));
    if (violation)
      throw unreadable(this.#name, `step ${seq} leaves the run in an invalid state (at ${violation.path}): ${violation.message}`);
    const { messages: history, effects: _written, note: _amended, phase, ...rest } = step;
    const record: StepRecord = { ...rest, ...(phase && { phase }), seq, history, control: this.#control, pure: true };
    recorder.commit(record);
  }

  async #writeEffects(recorder: RunRecorder, seq: number, effects: readonly CapsuleEffect[]): Promise<void> {
    for (const { outcome, ...effect } of effects) {
      let isNew = false;
      await recorder.effect(seq, effect, async () => {
        isNew = true;
        if (outcome && 'error' in outcome) throw fromTransferable(outcome.error);
        return outcome ? outcome.result : null;
      });
      if (!isNew) throw unreadable(this.#name, `step ${seq} contains the effect ${effect.key} twice`);
    }
  }
}

function marksOf({ supplied = [] }: Capsule['start']): InheritedMark[] {
  return supplied.map(({ key, mark }) => ({ key, mark: JSON.stringify(mark) }));
}

/** Returns the bracket nesting depth of a JSON text without parsing it. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inText) {
      if (character === '\\') at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      most = Math.max(most, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return most;
}

function unreadable(name: string, why: string): FlowError {
  return new FlowError('SnapLoadError', `Can't open ${name} as a capsule: ${why}.`, { details: { path: name } });
}
