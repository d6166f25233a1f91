import type { ConversationRequest, OpenedConversation } from '#main/engine/ports/conversation-store.ts';
import {
  AbandonedEffect,
  type AheadPlace,
  type Effect,
  type EffectOutcome,
  type FileChange,
  type MarkedOutcome,
  marked,
  type Perform,
  type Recorder,
  type StepRecord,
  UnknownOutcome,
} from '#main/engine/ports/recorder.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import { type Json, toJson } from '#shared/json.ts';
import { FlowError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { RunEvent, Suspension } from '#shared/run/event.ts';
import { AheadEffects } from './ahead-effects.ts';
import { explainingErrors, inTransaction, needsTransactions } from './database.ts';
import { FileBackups } from './file-backups.ts';
import { KeptConversations } from './kept-conversations.ts';
import { leaseDuration } from './lease.ts';
import { recorderStatements } from './recorder-statements.ts';
import { checked, outcomeSchema, type WaitingSuspension } from './rows.ts';
import { type Ended, SingleStatementWrites } from './single-statement-writes.ts';
import { changedParts, type FoldedRun, StateFold, turnOf } from './state-fold.ts';
import { type BufferedStep, type RunPlace, StepWriter, snapshotInterval } from './step-writer.ts';
import { EffectMarks } from './supplied-marks.ts';
import type { ValueWriter } from './value-store.ts';

/** Maximum time that pure steps are batched, in milliseconds. */
const groupDelay = 50;
/** Maximum number of batched steps. */
const groupSize = 256;

/** Maximum lag of the run's row behind its steps while it is driven, in milliseconds. */
const rowDelay = 1000;

/** Initial state of a recorder. */
export interface RecorderStart extends RunPlace {
  /** The lease under which this process drives the run. */
  readonly token: string;
  /** Attempt number at the next record: a retried step performs its effects again. */
  readonly attempt: number;
  readonly folded: FoldedRun;
  /** Suspensions in the run's row. */
  readonly waiting: readonly WaitingSuspension[];
  /** Outcomes that could not be written (full disk). The effects happened, so they are retained in memory for the next attempt. */
  readonly unsaved: Map<string, EffectOutcome>;
  readonly now: () => number;
  /** Called when the run's row contains a cancellation request. */
  readonly onCancel?: () => void;
  /** Called for every record with the values that it consumed. */
  readonly onCommit?: (step: StepRecord, consumed: Readonly<Record<string, Json>>) => void;
}

/** How driving ended. */
export interface RunEnding {
  readonly status: RunStatus;
  readonly output?: Json;
  /** The failure of the last attempted step, with its events. */
  readonly failure?: { readonly error: TransferableError; readonly events: readonly RunEvent[] };
}

/**
 * Records one run. Steps with an external effect are written to disk before the effect starts and again before `next()` returns its
 * result; pure steps share a transaction. Every write is conditional on the run's last record and on the lease.
 *
 * A step that ends with its effect costs two transactions: the claim (with the preceding pure steps), and the outcome
 * with the step. The step and the claim of the next step's effect could be one, and are not: a caller may act upon the end of `next()`
 * at any later time, and must then find the step recorded after a crash.
 */
export class RunRecorder implements Recorder {
  readonly #start: RecorderStart;
  readonly #fold: StateFold;
  readonly #steps: StepWriter;
  readonly #writer: ValueWriter;
  readonly #statements;
  readonly #files: FileBackups;
  readonly #marks: EffectMarks;
  readonly #ahead: AheadEffects;
  readonly #conversations: KeptConversations;
  #buffer: BufferedStep[] = [];
  #bufferedSince = 0;
  /** Finished effects that are written with the next record. */
  #ended: Ended[] = [];
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushImmediate: NodeJS.Immediate | undefined;
  readonly #singleStatement: SingleStatementWrites;
  /** Lag of the run's row behind the steps on disk: its last record, the tokens since, and the time of its last update. */
  #rowSeq: number;
  #rowTokens = 0;
  #rowMoved = performance.now();
  #writtenSeq: number;
  #lastSeq: number;
  #attempt: number;
  #waiting: readonly WaitingSuspension[];
  /** The list that `#waiting` represents. */
  #suspensions: readonly Suspension[];
  #broken: Error | undefined;

  constructor(start: RecorderStart) {
    this.#start = start;
    this.#fold = new StateFold(start.folded);
    this.#writer = start.writer;
    this.#steps = new StepWriter(start);
    this.#files = new FileBackups(start.database, start.path);
    this.#marks = new EffectMarks(start);
    this.#ahead = new AheadEffects(start);
    this.#conversations = new KeptConversations(start.database, start.reader);
    this.#singleStatement = new SingleStatementWrites(start);
    this.#rowSeq = start.folded.seq;
    this.#writtenSeq = start.folded.seq;
    this.#lastSeq = start.folded.seq;
    this.#attempt = start.attempt;
    this.#waiting = start.waiting;
    this.#suspensions = start.folded.control.suspensions;
    this.#statements = recorderStatements(start.database);
  }

  /** Number of the last record. */
  get seq(): number {
    return this.#lastSeq;
  }

  /** Attempt number at the next record. */
  get attempt(): number {
    return this.#attempt;
  }

  /** The run after the last commit. */
  get folded(): StateFold {
    return this.#fold;
  }

  commit(step: StepRecord): void {
    this.#refuseWhenBroken();
    if (step.seq !== this.#lastSeq + 1) throw conflict(step.seq);
    const before = this.#fold.control;
    const { onCommit } = this.#start;
    const consumed = onCommit && Object.fromEntries(step.consumed.map((name) => [name, this.#fold.get(name)?.value ?? null]));
    this.#fold.take(step);
    this.#buffer.push({
      step,
      changed: changedParts(before, step.control),
      tokens: step.control.counters.tokens - before.counters.tokens,
      turn: turnOf(before, step),
      folded: step.seq % snapshotInterval === 0 ? this.#fold.at() : null,
    });
    this.#lastSeq = step.seq;
    this.#attempt = 1;
    const now = performance.now();
    if (this.#buffer.length === 1) this.#bufferedSince = now;
    const mayWait = step.pure && step.type === 'transition' && this.#buffer.length < groupSize && now - this.#bufferedSince < groupDelay;
    if (!mayWait) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLate(), groupDelay);
    if (consumed) onCommit?.(step, consumed);
  }

  async effect(seq: number, effect: Effect, perform: Perform): Promise<MarkedOutcome> {
    const claimed = this.#claim(seq, effect);
    if (typeof claimed !== 'number') return claimed;
    const attempt = this.#attempt;
    let outcome: EffectOutcome;
    this.#inFlight += 1;
    try {
      outcome = { result: await perform(claimed) };
    } catch (error) {
      if (error instanceof AbandonedEffect) throw error;
      outcome = { error: toTransferable(error) };
    } finally {
      this.#inFlight -= 1;
    }
    const id = effectId(seq, attempt, effect);
    this.#start.unsaved.set(id, outcome);
    this.#refuseWhenBroken();
    this.#ended.push({ id, seq, attempt, key: effect.key, finished_at: this.#start.now(), outcome });
    // The engine normally commits the step before this runs; if it doesn't, the outcome is written without waiting for the step.
    if (effect.closing && this.#inFlight === 0) this.#flushImmediate ??= setImmediate(() => this.#flushLate());
    else this.flush();
    return marked(outcome, effect);
  }

  /**
   * Takes a conversation of the workspace for a visit. A step that began before a crash goes on with what it had read; if others have added to the
   * conversation since its model was asked, it has moved.
   */
  openConversation(request: ConversationRequest): OpenedConversation {
    // Other servers would not see what is said in a working copy.
    if (needsTransactions(this.#start.database)) throw notShared(request.id);
    return this.#writeWaiting(() => {
      const { run } = this.#start;
      const before = this.#conversations.baseAt(run, request.seq);
      const opened = this.#conversations.open(this.#start, request);
      if (opened.type !== 'open' || before === undefined || before === opened.reads[1]) return opened;
      return this.begun(request.seq, 'model') ? { type: 'moved', head: opened.reads[1] } : opened;
    });
  }

  async effectAhead(place: AheadPlace, effect: Effect, perform: Perform): Promise<MarkedOutcome> {
    const { now } = this.#start;
    const { unsaved } = this.#start;
    const id = aheadId(place, effect);
    const known = this.#writeWaiting(() => {
      const saved = unsaved.get(id);
      if (saved) this.#ahead.finish(place, effect, saved, now());
      return this.#ahead.claim(place, effect, now());
    });
    unsaved.delete(id);
    if (known === 'unknown') throw new UnknownOutcome(effect);
    if (known) return known.outcome;
    let outcome: EffectOutcome;
    try {
      outcome = { result: await perform(1) };
    } catch (error) {
      if (error instanceof AbandonedEffect) throw error;
      outcome = { error: toTransferable(error) };
    }
    unsaved.set(id, outcome);
    this.#writeWaiting(() => this.#ahead.finish(place, effect, outcome, now()));
    unsaved.delete(id);
    return outcome;
  }

  takeAhead(seq: number, place: AheadPlace): void {
    if (this.#ahead.has(place)) this.#writeWaiting(() => this.#ahead.take(place, seq, this.#attempt));
  }

  begun(seq: number, key: string): boolean {
    if (this.#statements.selectEffect.get(this.#start.run, seq, this.#attempt, key) !== undefined) return true;
    return this.#isUnknown(seq, key);
  }

  /** Backs up a file's content before an effect in progress replaces it. On disk when this returns. */
  keepFile(seq: number, key: string, change: FileChange): void {
    const { run } = this.#start;
    this.#writeWaiting((last) => {
      if (seq !== last + 1) throw conflict(seq);
      this.#files.recordChange({ run, seq, attempt: this.#attempt, key }, change);
    });
  }

  /** Writes all pending records. Throws `Conflict` if another executor has continued the run; the recorder is then unusable. */
  flush(): void {
    if (this.#buffer.length === 0 && this.#ended.length === 0) return;
    if (!this.#writeStepAlone()) this.#writeWaiting(() => {});
  }

  /**
   * Writes how driving ended, together with all pending records, and releases the lease. A failure closes the
   * attempt at the next record: its effects are not used by the next attempt.
   */
  end(ending: RunEnding): void {
    const { run, now, token } = this.#start;
    this.#writeWaiting((seq) => {
      const { status, output, failure } = ending;
      const error = failure ? this.#writer.write(toJson(failure.error)) : null;
      if (failure) {
        const events = this.#writer.write(toJson(failure.events));
        this.#statements.insertFailure.run(run, seq + 1, this.#attempt, now(), error, events);
        this.#attempt += 1;
      }
      const text = output === undefined ? null : this.#writer.write(output);
      this.#statements.endDriving.run(status, text, error, this.#attempt, now(), run, token);
    });
  }

  /** Writes pending records if possible, and stops the timers. */
  close(): void {
    if (!this.#broken) this.#flushLate();
    this.#stopTimers();
  }

  #flushLate(): void {
    try {
      this.flush();
    } catch {
      // `flush` has stored the failure; the engine's next call throws it.
    }
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#flushImmediate);
    this.#timer = undefined;
    this.#flushImmediate = undefined;
  }

  /**
   * Writes pending records and what `more` writes in one transaction, conditional on our lease. A failure makes the recorder
   * unusable, because its memory differs from the disk.
   */
  #writeWaiting<Result>(more: (seq: number) => Result): Result {
    this.#refuseWhenBroken();
    this.#stopTimers();
    const { database, path } = this.#start;
    const result = this.#breaking(() =>
      explainingErrors(path, () =>
        inTransaction(database, () => {
          this.#moveOn();
          for (const ended of this.#ended) this.#writeOutcome(ended);
          if (this.#buffer.length > 0) this.#writeBuffer();
          return more(this.#lastSeq);
        }),
      ),
    );
    this.#rowSeq = this.#lastSeq;
    this.#rowTokens = 0;
    this.#rowMoved = performance.now();
    this.#written();
    return result;
  }

  /** Writes a single pending step and its effect's outcome in one statement, if nothing else is pending. */
  #writeStepAlone(): boolean {
    this.#refuseWhenBroken();
    const [[buffered], [ended]] = [this.#buffer, this.#ended];
    if (!buffered || !ended || this.#buffer.length + this.#ended.length > 2) return false;
    if (buffered.step.control.suspensions !== this.#suspensions || performance.now() - this.#rowMoved > rowDelay) return false;
    if (!this.#breaking(() => this.#singleStatement.step(buffered, ended))) return false;
    this.#stopTimers();
    this.#rowTokens += buffered.tokens;
    this.#written();
    return true;
  }

  #written(): void {
    for (const { id } of this.#ended) this.#start.unsaved.delete(id);
    this.#ended = [];
    this.#writtenSeq = this.#lastSeq;
    this.#buffer = [];
  }

  #breaking<Result>(write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      this.#writer.forget();
      this.#broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  #refuseWhenBroken(): void {
    if (this.#broken) throw this.#broken;
  }

  /** Updates the run's row to the last record. Throws `Conflict` if the lease was lost. */
  #moveOn(): void {
    const { run, token, now } = this.#start;
    const moment = now();
    const tokens = this.#buffer.reduce((sum, buffered) => sum + buffered.tokens, this.#rowTokens);
    const row = (
      this.#lastSeq === this.#rowSeq
        ? this.#statements.ours.get(run, token)
        : this.#statements.moveRun.get(this.#lastSeq, tokens, moment, moment + leaseDuration, run, token)
    ) as { cancel: number } | undefined;
    if (!row) throw conflict(this.#writtenSeq + 1);
    if (row.cancel === 1) this.#start.onCancel?.();
  }

  #writeBuffer(): void {
    const { run, now } = this.#start;
    for (const buffered of this.#buffer) this.#steps.write(buffered);
    const { suspensions } = (this.#buffer.at(-1) as BufferedStep).step.control;
    if (suspensions === this.#suspensions) return;
    this.#waiting = suspensions.map((suspension) => ({
      ...suspension,
      since: this.#waiting.find((one) => one.tool_call_id === suspension.tool_call_id)?.since ?? now(),
    }));
    this.#statements.setSuspensions.run(this.#writer.write(toJson(this.#waiting)), run);
    this.#suspensions = suspensions;
  }

  /**
   * Claims the effect durably, together with pending records. Returns its recorded outcome, or, if it is to be performed, the number of this
   * attempt: 1, or more if it is repeated because its outcome is unknown.
   */
  #claim(seq: number, effect: Effect): MarkedOutcome | number {
    if (seq !== this.#lastSeq + 1) throw conflict(seq);
    const { run, now, reader, path, unsaved } = this.#start;
    const { key, kind, node, name, input, since } = effect;
    this.#refuseWhenBroken();
    const earlier =
      since === undefined
        ? undefined
        : (this.#statements.selectEarlier.get(run, since, seq, key) as { seq: number; attempt: number; outcome: string } | undefined);
    if (earlier) return this.#marks.marked(checked(outcomeSchema, reader.read(earlier.outcome), path), { ...earlier, key });
    const unknown = this.#isUnknown(seq, key);
    const nothingWaits = this.#buffer.length === 0 && this.#ended.length === 0;
    if (nothingWaits && !unknown && this.#breaking(() => this.#singleStatement.claim(seq, this.#attempt, effect, now()))) return 1;
    const place = { seq, attempt: this.#attempt, key };
    const repeated = () => (effect.repeatable ? this.#repeat(place) : 'unknown');
    const found = this.#writeWaiting((): MarkedOutcome | number | 'unknown' => {
      const claimed = this.#statements.insertEffect.run(run, seq, this.#attempt, key, kind, node, name, this.#writer.write(input), now());
      // Keep the claim in this attempt, too, so that a replay finds the effect that the question was about.
      if (claimed.changes === 1) {
        if (effect.supplied) this.#marks.write(place, effect.supplied);
        return unknown ? repeated() : 1;
      }
      const row = this.#statements.selectEffect.get(run, seq, this.#attempt, key) as { outcome: string | null };
      if (row.outcome !== null) return this.#marks.marked(checked(outcomeSchema, reader.read(row.outcome), path), place);
      const id = effectId(seq, this.#attempt, effect);
      const outcome = unsaved.get(id);
      if (!outcome) return repeated();
      this.#writeOutcome({ id, ...place, finished_at: now(), outcome });
      return this.#marks.marked(outcome, place);
    });
    if (found === 'unknown') throw new UnknownOutcome(effect);
    if (typeof found === 'number') return found;
    unsaved.delete(effectId(seq, this.#attempt, effect));
    return found;
  }

  /** Notes that an effect is begun once more. Returns the number of the attempt. */
  #repeat({ seq, attempt, key }: { readonly seq: number; readonly attempt: number; readonly key: string }): number {
    const { run, now } = this.#start;
    this.#statements.insertRepetition.run(run, seq, attempt, key, now());
    const { count } = this.#statements.countRepetitions.get(run, seq, key) as { count: number };
    return count + 1;
  }

  /** Whether an earlier attempt at this record abandoned the effect, so that its outcome is unknown. */
  #isUnknown(seq: number, key: string): boolean {
    return this.#attempt > 1 && this.#statements.selectUnknown.get(this.#start.run, seq, this.#attempt, key) !== undefined;
  }

  #writeOutcome({ seq, attempt, key, finished_at, outcome }: Ended): void {
    const text = this.#writer.write(toJson(outcome));
    this.#statements.finishEffect.run(finished_at, text, this.#start.run, seq, attempt, key);
  }
}

function effectId(seq: number, attempt: number, { key }: Effect): string {
  return `${seq}/${attempt}/${key}`;
}

function aheadId({ ready, node, phase }: AheadPlace, { key }: Effect): string {
  return `ahead/${ready}/${node}/${phase}/${key}`;
}

function notShared(conversation: string): FlowError {
  return new FlowError(
    'Invalid',
    `The conversation ${conversation} can't be kept: servers with PostgreSQL share runs, but no conversations of the workspace. Serve the flow from a folder, or let the conversation end with its run.`,
    { details: { conversation } },
  );
}

function conflict(seq: number): FlowError {
  return new FlowError(
    'Conflict',
    `Another process has continued this run (record ${seq} already exists). Reload the run, then continue from there.`,
    {
      details: { seq },
    },
  );
}
