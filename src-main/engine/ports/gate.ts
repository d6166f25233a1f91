import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { CalledFlow, PendingCall, Snapshot } from '#shared/run/snapshot.ts';
import type { StepRecord } from './recorder.ts';

/**
 * A point inside a step at which a debugger may hold the run: before a call is claimed, and in a flow that runs within this step also before and after each
 * of its steps and after its calls.
 */
export interface GatePoint {
  readonly what: 'node' | 'tool' | 'model';
  /** The tool, or the model's URL; of a node its id. */
  readonly name: string;
  readonly node: GraphNode;
  /** The node's id in the run. In a flow that runs within this step it is formed as if the call had a frame. */
  readonly id: string;
  /** The flow that contains the node. */
  readonly flow: FlowGraph;
  /** Of a tool call. */
  readonly tool_call_id?: string;
  /** The calls whose flows run within this step and contain the node, outermost first. None of their steps is a record. */
  readonly calls: readonly GateCall[];
  /** What a tool or model would be sent, or what a node consumes. After it: what it returned or produced. */
  readonly values: () => Json;
  /** Absent before it. */
  readonly after?: GateResult;
}

/** A call whose flow runs within a step. */
export interface GateCall {
  /** What ids of its nodes begin with. */
  readonly key: string;
  readonly call: Pick<CalledFlow, 'flow' | 'tool' | 'tool_call_id'>;
  /** The flow's run as it is now. */
  snapshot(): Snapshot;
}

/** What happened at a point: a call has its result, a step was made, or it failed. */
export type GateResult =
  | { readonly result: NonNullable<PendingCall['result']>; readonly input: Json }
  | { readonly record: StepRecord; readonly consumed: readonly Json[] }
  | { readonly failure: TransferableError };

/** Resolves when the run may continue; undefined if nothing holds it. Rejects when the run is cancelled. */
export type Gate = (point: GatePoint) => Promise<void> | undefined;
