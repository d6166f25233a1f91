import type { Context } from '#main/engine/ports/context.ts';
import type { GatePoint } from '#main/engine/ports/gate.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Limits } from '#shared/flow/limits.ts';
import type { Json } from '#shared/json.ts';
import type { History } from '#shared/run/message.ts';
import type { Counters, FlowCall, RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** What a run that another run's tool call makes gets from that one. */
export interface Caller {
  /** The outermost run's limits, which the called one draws on. */
  readonly limits: Limits;
  /** What these have counted up to now, in all runs concerned. */
  counted(): Counters;
  /** The call's input may be made of content from outside. */
  readonly tainted: boolean;
  /** What `ctx.now()` says all through the call, in milliseconds: it is on record, so that a repeated step sees the same. */
  readonly now: number;
}

/** A run that a tool call makes. */
export interface CalledRun {
  readonly counters: Counters;
  /** The point before its next transition, at which a debugger may hold it, with the values that it consumes; null where nothing can fire. */
  nextPoint(): (GatePoint & { readonly consumed: readonly Json[] }) | null;
  next(ctx: Context): Promise<RunOutcome>;
  resume(ctx: Context, toolId: string, payload: Json, options: { readonly tool_call_id: string }): Promise<RunOutcome>;
  snapshot(): Snapshot;
  history(): History;
  dispose(): void;
}

/** Starts the run of a called flow, or takes up the one that waited. Handed to each step by its run, which is itself of this kind. */
export type OpenCalledRun = (
  graph: FlowGraph,
  start: { readonly input: Json } | { readonly waited: FlowCall },
  options: RuntimeOptions,
) => CalledRun;
