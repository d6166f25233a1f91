import { LogLimit } from '#main/debug/log-limit.ts';
import { madeRecord } from '#main/debug/made-record.ts';
import { framesOf, placeOf, type RunAt, unknownFrame } from '#main/debug/place.ts';
import { recordedMoments } from '#main/debug/scan.ts';
import { type LogLine, StopAt } from '#main/debug/stop-at.ts';
import { framesOfPoint } from '#main/debug/within.ts';
import type { GatePoint } from '#main/engine/ports/gate.ts';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import type { RunReader } from '#main/journal/run-reader.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { EndStatus } from '#shared/run/event.ts';
import type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
import { type Frame, placeText, type Stop, type StopReason } from '#shared/run/stop.ts';
import type { LoadedRun } from './loaded-run.ts';
import { runAt } from './step-target.ts';

/** Where one driven run stops: its breakpoints, and the reason why it is stopped. Without breakpoints a step costs one test. */
export class RunStops {
  readonly #log: LogLimit;
  readonly #holds: boolean;
  /** The run is also held before each step of flows that run within a step, down to this many of them inside each other. */
  depth = 0;
  /** How many such flows contain the point at which the run is held. */
  heldDepth = 0;
  #breakpoints: readonly Breakpoint[] = [];
  /** Breakpoints of the current call only. */
  #until: readonly Breakpoint[] = [];
  #stopAt: StopAt | undefined;
  #driven: { readonly run: LoadedRun; readonly reader: () => RunReader } | undefined;
  #costs: RunReader | undefined;
  #active = false;
  #made: { readonly step: StepRecord; readonly consumed: Readonly<Record<string, Json>> } | undefined;
  #hit: Stop | null = null;
  /** Why the run is stopped; null while it is driven, after its end, and before it was driven here. */
  last: Stop | null = null;

  /** `holds`: the driver asks `holdAt` inside steps. */
  constructor(log: (line: LogLine) => void, now: () => number, holds: boolean) {
    this.#log = new LogLimit(log, now);
    this.#holds = holds;
  }

  /** Whether there is anything to check inside a step. */
  get gated(): boolean {
    return this.#holds && (this.#active || this.depth > 0);
  }

  /** Returns why the run is held at a point inside a step; null if it isn't. */
  holdAt(run: LoadedRun, point: GatePoint): Stop | null {
    const stop = this.#active ? (this.#stopAt?.hold(point, this.#at(run)) ?? null) : null;
    this.heldDepth = point.calls.length;
    if (stop || point.what !== 'node' || point.after || point.calls.length > this.depth) return stop;
    const place = framesOfPoint(run.graph, point, runAt(run));
    return { reason: 'hold', point: 'hold', place, breakpoints: [], text: `before ${placeText(place)}` };
  }

  /** Whether there is anything to check after a step. */
  get active(): boolean {
    return this.#active;
  }

  /** Says that a run was started and stands before its first transition. */
  enter(graph: FlowGraph, { states, control }: Snapshot, next: string | null): void {
    const at = { states: new Map(states.map((state) => [state.name, state])), control };
    this.last = standing(graph, at, next, 'entry');
  }

  /** Replaces the breakpoints, also while the run is driven. Hits of those that remain are kept. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    this.#breakpoints = breakpoints;
    if (this.#stopAt || !this.#driven || breakpoints.length === 0) this.#apply();
    else this.#create(this.#driven.run, this.#driven.reader);
  }

  /** Prepares a call that drives the run. `until`: further breakpoints, for this call only. */
  begin(run: LoadedRun, reader: () => RunReader, until: readonly Breakpoint[] = []): void {
    this.#until = until;
    this.#driven = { run, reader };
    this.#costs = undefined;
    this.#hit = null;
    this.last = null;
    this.#made = undefined;
    if (this.#stopAt) this.#apply();
    else if (this.#breakpoints.length + until.length > 0) this.#create(run, reader);
  }

  committed(step: StepRecord, consumed: Readonly<Record<string, Json>>): void {
    if (this.#active) this.#made = { step, consumed };
  }

  /** Whether the run stops here, after a transition or (without one) before its first. */
  stopsHere(run: LoadedRun, outcome: RunOutcome): boolean {
    const made = this.#made;
    this.#made = undefined;
    const next = outcome.type === 'continue' ? run.runtime.nextNode : null;
    if (!this.#stopAt?.set.concerns(made?.step.node ?? '', next)) return false;
    const stop = this.#stopAt.check({ made: made ? madeRecord(made.step, made.consumed) : null, next, at: this.#at(run) });
    if (!stop || outcome.type === 'done') return false;
    this.#hit = stop;
    return outcome.type === 'continue';
  }

  /** Ends a call: returns where and why the run is stopped now, null if it has ended. */
  end(run: LoadedRun, status: EndStatus, reason: StopReason, error?: TransferableError): Stop | null {
    const failed = error && status === 'error' ? (this.#stopAt?.failed(error, this.#at(run)) ?? null) : null;
    this.#log.flush();
    this.#driven = undefined;
    this.#costs = undefined;
    this.#until = [];
    if (this.#stopAt) this.#apply();
    const isOver = status === 'success' || status === 'cancelled';
    this.last = isOver ? null : (failed ?? this.#hit ?? plainStop(run, status, reason, error));
    return this.last;
  }

  /** The run between two transitions, with its cost as its records tell it. */
  #at(run: LoadedRun): RunAt {
    return { ...runAt(run), cost: () => this.#costAt(run) };
  }

  #costAt({ recorder }: LoadedRun): number {
    recorder.flush();
    this.#costs ??= this.#driven?.reader();
    return this.#costs?.costAt(recorder.seq) ?? 0;
  }

  #create(run: LoadedRun, reader: () => RunReader): void {
    this.#stopAt = new StopAt(run.graph, [...this.#breakpoints, ...this.#until], (line) => this.#log.log(line), this.#holds);
    this.#active = !this.#stopAt.set.empty;
    if (!this.#stopAt.set.comparesValues || run.recorder.seq === 0) return;
    for (const { made } of recordedMoments(run.graph, reader())) if (made) this.#stopAt.observe(made);
  }

  #apply(): void {
    const stopAt = this.#stopAt;
    stopAt?.replace([...this.#breakpoints, ...this.#until]);
    this.#active = stopAt !== undefined && !stopAt.set.empty;
  }
}

/** The stop of a run that no breakpoint has stopped. */
function plainStop(run: LoadedRun, status: EndStatus, reason: StopReason, error: TransferableError | undefined): Stop {
  const at = runAt(run);
  const node = (status === 'suspended' ? at.control.suspensions[0]?.node : undefined) ?? error?.node ?? run.runtime.nextNode;
  return standing(run.graph, at, node, status === 'suspended' ? 'waiting' : status === 'error' ? 'error' : reason);
}

function standing(graph: FlowGraph, at: RunAt, node: string | null, reason: StopReason): Stop {
  const place = node ? placeOf(graph, node, at) : null;
  const frames: Frame[] = place ? framesOf(place) : node ? unknownFrame(node) : [];
  return { reason, point: 'stop', place: frames, breakpoints: [], text: textOf(reason, frames) };
}

function textOf(reason: StopReason, frames: readonly Frame[]): string {
  if (frames.length === 0) return '';
  if (reason === 'waiting') return `waiting in ${placeText(frames)}`;
  return `${reason === 'error' ? 'failure in' : 'before'} ${placeText(frames)}`;
}
