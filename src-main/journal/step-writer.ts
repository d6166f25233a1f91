import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { toJson } from '#shared/json.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { SqlDatabase } from './database.ts';
import { KeptConversations } from './kept-conversations.ts';
import { nodeStatsAt } from './node-stats.ts';
import { recorderStatements } from './recorder-statements.ts';
import { accessBlock } from './state-accesses.ts';
import type { FoldedRun } from './state-fold.ts';
import { noteOf } from './step-note.ts';
import { writeStepMark } from './supplied-marks.ts';
import type { ValueReader, ValueWriter } from './value-store.ts';

/** Number of records between full snapshots, which bounds the rows of a fold. The accesses to states are indexed with each. */
export const snapshotInterval = accessBlock;

/** Number of records between node statistics, which bounds the rows of a count. */
export const nodeStatsInterval = 1024;

/** Destination of a run's records. */
export interface RunPlace {
  readonly database: SqlDatabase;
  readonly path: string;
  readonly run: number;
  readonly run_id: string;
  readonly reader: ValueReader;
  /** Tracks which of the run's values are already written. */
  readonly writer: ValueWriter;
}

/** A step to be written, with the other columns of its row. */
export interface BufferedStep {
  readonly step: StepRecord;
  /** The changed parts of the control. */
  readonly changed: Partial<Control>;
  readonly tokens: number;
  readonly turn: number | null;
  /** The run after this step if a snapshot is due. */
  readonly folded: FoldedRun | null;
}

/** The values of a step's row. */
export interface StepTexts {
  readonly produced: string;
  readonly control: string;
  readonly events: string;
}

/** The fields of a step's row after its run, in the order of the columns that the statements name. */
export function stepParameters({ step, tokens, turn }: BufferedStep, texts: StepTexts): (string | number | null)[] {
  return [
    step.seq,
    step.type,
    step.node,
    step.kind,
    step.phase ?? null,
    JSON.stringify(step.consumed),
    JSON.stringify(step.produced.map(({ name }) => name)),
    texts.produced,
    texts.control,
    texts.events,
    step.started_at,
    step.duration_ms,
    tokens,
    step.pure ? 1 : 0,
    noteOf(step),
    turn,
  ];
}

/** Writes a run's steps with their snapshots and statistics. Call inside a transaction, in the order of the steps. */
export class StepWriter {
  readonly #place: RunPlace;
  readonly #run: number;
  readonly #values: ValueWriter;
  readonly #statements;
  readonly #conversations: KeptConversations;

  constructor(place: RunPlace) {
    this.#place = place;
    this.#conversations = new KeptConversations(place.database, place.reader);
    this.#run = place.run;
    this.#values = place.writer;
    this.#statements = recorderStatements(place.database);
  }

  write(buffered: BufferedStep): void {
    const { step, changed, folded } = buffered;
    const values = this.#values;
    const texts: StepTexts = {
      produced: values.writeEach(step.produced.map(({ value }) => value)),
      control: values.write(toJson(changed)),
      events: step.events.length === 0 ? '[]' : values.write(toJson(step.events)),
    };
    this.#statements.insertStep.run(this.#run, ...stepParameters(buffered, texts));
    for (const [node, messages] of Object.entries(step.history)) {
      if (messages.length === 0) continue;
      this.#statements.insertMessages.run(this.#run, node, step.seq, values.write(toJson(messages)));
      this.#statements.insertConversation.run(this.#run, node, step.seq);
    }
    if (step.conversation) this.#conversations.append(this.#place, step.conversation, step.started_at + step.duration_ms);
    if (step.supplied) writeStepMark(this.#place.database, this.#run, step.seq, step.supplied);
    if (folded) this.#writeSnapshot(folded);
    if (step.seq % nodeStatsInterval === 0) {
      const { database, reader, path, run } = this.#place;
      const tallies = nodeStatsAt(database, reader, path, run, step.seq);
      this.#statements.insertTallies.run(this.#run, step.seq, values.write(toJson(tallies)));
    }
  }

  #writeSnapshot({ seq, states, control }: FoldedRun): void {
    const texts = [...states.values()].map((state) => toJson(state));
    this.#statements.insertSnapshot.run(this.#run, seq, this.#values.writeEach(texts), this.#values.write(toJson(control)));
    for (const index of this.#statements.indexAccesses) index.run(this.#run, seq - snapshotInterval, seq);
  }
}
