import { type Evaluated, evaluateAt } from '#main/debug/evaluate.ts';
import type { NameNode } from '#main/debug/place.ts';
import { previousStop, type RecordedStop, recordedStops } from '#main/debug/scan.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { StateAt, TimelineEntry } from '#shared/contract/runs.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import type { Frame } from '#shared/run/stop.ts';
import { framesAt } from './run-frames.ts';
import { stateAt, timelineOf } from './run-views.ts';

/** What a debugger shows of one run: the present, or the run as it was after an earlier record. Looking changes nothing. */
export class RunInspector {
  readonly journal: Journal;
  readonly runId: string;
  readonly prices: Prices;
  /** Null is the present. */
  #shown: number | null = null;

  /** `prices`: for expressions over the run's cost. */
  constructor(journal: Journal, runId: string, prices: Prices = {}) {
    this.prices = prices;
    this.journal = journal;
    this.runId = runId;
  }

  get row(): RunRow {
    return this.journal.row(this.runId);
  }

  get graph(): FlowGraph {
    return this.journal.graphOf(this.row);
  }

  get reader(): RunReader {
    return new RunReader(this.journal, this.row, this.prices);
  }

  /** Number of the last record. */
  get lastSeq(): number {
    return this.row.last_seq;
  }

  /** Number of the shown record. */
  get seq(): number {
    return this.#shown ?? this.lastSeq;
  }

  get isPresent(): boolean {
    return this.#shown === null;
  }

  /** The question that waits first; undefined if none does. */
  get waiting(): Suspension | undefined {
    return this.reader.foldAt(this.lastSeq).control.suspensions[0];
  }

  showPresent(): void {
    this.#shown = null;
  }

  /** Shows the run after a record. Throws `FlowError` `Invalid` before its start and after its end. */
  lookAt(seq: number): void {
    if (seq < 0) throw new FlowError('Invalid', 'This is the start of the run.');
    if (seq > this.lastSeq) throw new FlowError('Invalid', 'This is the present. Step or continue to run further.');
    this.#shown = seq === this.lastSeq ? null : seq;
  }

  /** Shows the last place before the shown one at which a breakpoint would have stopped the run. Null, with nothing changed, if there is none. */
  lookAtPreviousStop(breakpoints: readonly Breakpoint[]): RecordedStop | null {
    const last = previousStop(this.graph, this.reader, breakpoints, this.seq);
    if (last) this.lookAt(last.seq);
    return last;
  }

  /** Shows the next place after the shown one at which a breakpoint would have stopped the run. Null, with the present shown, if there is none. */
  lookAtNextStop(breakpoints: readonly Breakpoint[]): RecordedStop | null {
    for (const stop of recordedStops(this.graph, this.reader, breakpoints, true)) {
      if (stop.seq <= this.seq || stop.seq >= this.lastSeq) continue;
      this.lookAt(stop.seq);
      return stop;
    }
    this.showPresent();
    return null;
  }

  /** Returns the frames of the shown record; of the present, those of the node that waits or fires next. */
  frames(name?: NameNode): Frame[] {
    return framesAt(this.journal, this.runId, this.#shown ?? undefined, name);
  }

  /** Returns the frames of the node that waited or fired next after the shown record. */
  nextFrames(name?: NameNode): Frame[] {
    return framesAt(this.journal, this.runId, this.#shown === null ? undefined : this.#shown + 1, name);
  }

  states(): StateAt {
    return stateAt(this.journal, this.runId, this.seq);
  }

  /** Evaluates expressions at the shown record. `frame`: see `evaluateAt`. */
  evaluate(expressions: readonly string[], frame?: number): Evaluated[] {
    return evaluateAt(this.graph, this.reader, this.seq, expressions, frame);
  }

  /** Returns at most `limit` timeline rows that end with the shown record. */
  timeline(limit: number): readonly TimelineEntry[] {
    const from = Math.max(1, this.seq - limit + 1);
    return this.seq === 0 ? [] : timelineOf(this.journal, this.runId, from, this.seq - from + 1).entries;
  }
}
