import { explainingErrors, type SqlDatabase } from '#main/journal/database.ts';
import { KeptFiles } from '#main/journal/kept-files.ts';
import { leaseDuration } from '#main/journal/lease.ts';
import { recorderStatements } from '#main/journal/recorder-statements.ts';
import { checked, outcomeSchema, type WaitingSuspension } from '#main/journal/rows.ts';
import { changedParts, type FoldedRun, StateFold, turnOf } from '#main/journal/state-fold.ts';
import { noteOf } from '#main/journal/step-note.ts';
import { type ValueReader, ValueWriter } from '#main/journal/value-store.ts';
import {
  type Effect,
  type EffectOutcome,
  type FileChange,
  type Recorder,
  type StepRecord,
  UnknownOutcome,
} from '#main/runtime/recorder.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, type TransferableError, toTransferable } from '#shared/runtime/error.ts';
import type { RunEvent } from '#shared/runtime/event.ts';
import type { Control } from '#shared/runtime/snapshot.ts';

/** A full snapshot stands after every so many records, so that any state is a fold of fewer rows. */
export const snapshotInterval = 64;

/** Pure steps wait for each other at most this long, in milliseconds … */
const groupDelay = 50;
/** … and at most so many. */
const groupSize = 256;

/** How the recorder stands in its run. */
export interface RecorderStart {
  readonly database: SqlDatabase;
  readonly path: string;
  readonly run: number;
  /** The lease under which this process drives the run. */
  readonly token: string;
  /** Number of the try at the record that comes next: a step that failed and is tried again makes its effects anew. */
  readonly attempt: number;
  readonly reader: ValueReader;
  readonly folded: FoldedRun;
  /** Suspensions as they stand in the run's row. */
  readonly waiting: readonly WaitingSuspension[];
  /** Outcomes that could not be written (full disk): the effect happened, so they are kept for the next try, in this process or never. */
  readonly unsaved: Map<string, EffectOutcome>;
  readonly now: () => number;
  /** Called when the run's row says that somebody wants it cancelled. */
  readonly onCancel?: () => void;
  /** Called for every record, with the values that it consumed. */
  readonly onCommit?: (step: StepRecord, consumed: Readonly<Record<string, Json>>) => void;
}

/** How a spell of driving ended. */
export interface RunEnding {
  readonly status: RunStatus;
  readonly output?: Json;
  /** The failure of the step that was tried last, with the events that it had made. */
  readonly failure?: { readonly error: TransferableError; readonly events: readonly RunEvent[] };
}

interface Buffered {
  readonly step: StepRecord;
  readonly changed: Partial<Control>;
  readonly tokens: number;
  readonly turn: number | null;
  /** The fold after this step, where a snapshot is due. */
  readonly folded: FoldedRun | null;
}

/**
 * Writes one run down. Steps with an outside effect are on disk before the effect starts and again before its result is used;
 * pure steps share a transaction. Every write is conditional on the run's last record and on the lease.
 */
export class RunRecorder implements Recorder {
  readonly #start: RecorderStart;
  readonly #fold: StateFold;
  readonly #writer: ValueWriter;
  readonly #statements;
  readonly #files: KeptFiles;
  #buffer: Buffered[] = [];
  #bufferedSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #writtenSeq: number;
  #lastSeq: number;
  #attempt: number;
  #waiting: readonly WaitingSuspension[];
  #broken: Error | undefined;

  constructor(start: RecorderStart) {
    this.#start = start;
    this.#fold = new StateFold(start.folded);
    this.#writer = new ValueWriter(start.database, start.run);
    this.#writtenSeq = start.folded.seq;
    this.#lastSeq = start.folded.seq;
    this.#attempt = start.attempt;
    this.#waiting = start.waiting;
    this.#statements = recorderStatements(start.database);
    this.#files = new KeptFiles(start.database, start.path);
  }

  /** Number of the last record. */
  get seq(): number {
    return this.#lastSeq;
  }

  /** Number of the try at the record that comes next. */
  get attempt(): number {
    return this.#attempt;
  }

  /** The run as the last commit left it. */
  get folded(): StateFold {
    return this.#fold;
  }

  commit(step: StepRecord): void {
    this.#refuseWhenBroken();
    if (step.seq !== this.#lastSeq + 1) throw conflict(step.seq);
    const changed = changedParts(this.#fold.control, step.control);
    const tokens = step.control.counters.tokens - this.#fold.control.counters.tokens;
    const turn = turnOf(this.#fold.control, step);
    const { onCommit } = this.#start;
    const consumed = onCommit && Object.fromEntries(step.consumed.map((name) => [name, this.#fold.get(name)?.value ?? null]));
    this.#fold.apply({ ...step, control: changed });
    this.#buffer.push({ step, changed, tokens, turn, folded: step.seq % snapshotInterval === 0 ? this.#fold.at() : null });
    this.#lastSeq = step.seq;
    this.#attempt = 1;
    const now = performance.now();
    if (this.#buffer.length === 1) this.#bufferedSince = now;
    const mayWait = step.pure && step.type === 'transition' && this.#buffer.length < groupSize && now - this.#bufferedSince < groupDelay;
    if (!mayWait) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLate(), groupDelay);
    if (consumed) onCommit?.(step, consumed);
  }

  async effect(seq: number, effect: Effect, perform: () => Promise<Json>): Promise<EffectOutcome> {
    this.#refuseWhenBroken();
    this.flush();
    const recorded = this.#claim(seq, effect);
    if (recorded) return recorded;
    let outcome: EffectOutcome;
    try {
      outcome = { result: await perform() };
    } catch (error) {
      outcome = { error: toTransferable(error) };
    }
    this.#recordOutcome(seq, effect, outcome);
    return outcome;
  }

  /** Keeps what a file holds before an effect under way replaces it. On disk when this returns. */
  keepFile(seq: number, key: string, change: FileChange): void {
    const { run } = this.#start;
    this.#transaction(() => {
      this.#assertStillOurs(seq - 1);
      this.#files.keep({ run, seq, attempt: this.#attempt, key }, change);
    });
  }

  /** Writes what waits for its transaction. Throws `Conflict` when another driver has moved the run; the recorder is of no use then. */
  flush(): void {
    if (this.#buffer.length > 0) this.#writeWaiting(() => {});
  }

  /**
   * Writes how this spell of driving ended, together with what waits for its transaction, and gives the lease back. A failure closes the
   * try at the record that comes next: effects made in it are not taken for those of the next try.
   */
  end(ending: RunEnding): void {
    const { run, now, token } = this.#start;
    this.#writeWaiting((seq) => {
      this.#assertStillOurs(seq);
      const { status, output, failure } = ending;
      const error = failure ? this.#writer.write(failure.error as unknown as Json) : null;
      if (failure) {
        this.#statements.insertFailure.run(
          run,
          seq + 1,
          this.#attempt,
          now(),
          error,
          this.#writer.write(failure.events as unknown as Json),
        );
        this.#attempt += 1;
      }
      this.#statements.endDriving.run(
        status,
        output === undefined ? null : this.#writer.write(output),
        error,
        this.#attempt,
        now(),
        run,
        token,
      );
    });
  }

  /** Stops the timer. What waits must have been flushed. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #flushLate(): void {
    try {
      this.flush();
    } catch {
      // `flush` has kept the failure; the next call of the engine meets it.
    }
  }

  /** Writes the buffer and what `more` writes in one transaction. A failure makes the recorder useless: what it holds is not what is on disk. */
  #writeWaiting(more: (seq: number) => void): void {
    this.#refuseWhenBroken();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#transaction(() => {
        if (this.#buffer.length > 0) this.#writeBuffer();
        more(this.#lastSeq);
      });
    } catch (error) {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
    this.#writtenSeq = this.#lastSeq;
    this.#buffer = [];
  }

  #refuseWhenBroken(): void {
    if (this.#broken) throw this.#broken;
  }

  #transaction<Result>(write: () => Result): Result {
    const { database, path } = this.#start;
    try {
      return explainingErrors(path, () => database.transaction(write).immediate());
    } catch (error) {
      this.#writer.forget();
      throw error;
    }
  }

  #assertStillOurs(seq: number): void {
    const row = this.#statements.ours.get(this.#start.run, seq, this.#start.token) as { cancel: number } | undefined;
    if (!row) throw conflict(seq + 1);
    if (row.cancel === 1) this.#start.onCancel?.();
  }

  #writeBuffer(): void {
    this.#assertStillOurs(this.#writtenSeq);
    const { run, now } = this.#start;
    let tokens = 0;
    for (const { step, changed, tokens: stepTokens, turn, folded } of this.#buffer) {
      tokens += stepTokens;
      this.#writeStep(step, changed, stepTokens, turn);
      if (folded) {
        this.#statements.insertSnapshot.run(
          run,
          step.seq,
          this.#writer.write([...folded.states.values()] as unknown as Json),
          this.#writer.write(folded.control as unknown as Json),
        );
      }
    }
    const control = this.#buffer.at(-1)?.step.control as Control;
    this.#waiting = control.suspensions.map((suspension) => ({
      ...suspension,
      since: this.#waiting.find((one) => one.tool_call_id === suspension.tool_call_id)?.since ?? now(),
    }));
    const suspensions = this.#writer.write(this.#waiting as unknown as Json);
    this.#statements.moveRun.run(this.#lastSeq, tokens, suspensions, now(), now() + leaseDuration, run);
  }

  #writeStep(step: StepRecord, changed: Partial<Control>, tokens: number, turn: number | null): void {
    const { run } = this.#start;
    const writer = this.#writer;
    this.#statements.insertStep.run(
      run,
      step.seq,
      step.type,
      step.node,
      step.kind,
      step.phase ?? null,
      JSON.stringify(step.consumed),
      JSON.stringify(step.produced.map(({ name }) => name)),
      writer.write(step.produced.map(({ value }) => value)),
      writer.write(changed as unknown as Json),
      writer.write(step.events as unknown as Json),
      step.started_at,
      step.duration_ms,
      tokens,
      step.pure ? 1 : 0,
      noteOf(step),
      turn,
    );
    for (const [node, messages] of Object.entries(step.history)) {
      if (messages.length > 0) this.#statements.insertMessages.run(run, node, step.seq, writer.write(messages as unknown as Json));
    }
  }

  /** Claims the effect durably; returns its outcome where one is on record. */
  #claim(seq: number, effect: Effect): EffectOutcome | undefined {
    const { run, now, reader, path } = this.#start;
    return this.#transaction(() => {
      if (seq !== this.#writtenSeq + 1) throw conflict(seq);
      this.#assertStillOurs(this.#writtenSeq);
      const row = this.#statements.selectEffect.get(run, seq, this.#attempt, effect.key) as { outcome: string | null } | undefined;
      if (!row) {
        const input = this.#writer.write(effect.input);
        this.#statements.insertEffect.run(run, seq, this.#attempt, effect.key, effect.kind, effect.node, effect.name, input, now());
        return undefined;
      }
      if (row.outcome !== null) return checked(outcomeSchema, reader.read(row.outcome), path);
      const unsaved = this.#start.unsaved.get(this.#effectId(seq, effect));
      if (!unsaved) throw new UnknownOutcome(effect);
      this.#writeOutcome(seq, effect, unsaved);
      return unsaved;
    });
  }

  #recordOutcome(seq: number, effect: Effect, outcome: EffectOutcome): void {
    this.#start.unsaved.set(this.#effectId(seq, effect), outcome);
    this.#transaction(() => {
      this.#assertStillOurs(seq - 1);
      this.#writeOutcome(seq, effect, outcome);
    });
    this.#start.unsaved.delete(this.#effectId(seq, effect));
  }

  #effectId(seq: number, effect: Effect): string {
    return `${seq}/${this.#attempt}/${effect.key}`;
  }

  #writeOutcome(seq: number, effect: Effect, outcome: EffectOutcome): void {
    const { run, now } = this.#start;
    this.#statements.finishEffect.run(now(), this.#writer.write(outcome as unknown as Json), run, seq, this.#attempt, effect.key);
  }
}

function conflict(seq: number): FlowError {
  return new FlowError(
    'Conflict',
    `Another process has moved this run on (record ${seq} is not the next one any more). Look at the run again, then go on from there.`,
    {
      details: { seq },
    },
  );
}
