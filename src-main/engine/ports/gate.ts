import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

/** A point inside a step at which a debugger may hold the run: before a call is claimed, or before a step of a flow that runs within this step. */
export interface GatePoint {
  readonly what: 'node' | 'tool' | 'model';
  /** The tool, or the model's URL; of a node its id. */
  readonly name: string;
  readonly node: GraphNode;
  /** The node's id in the run; inside a flow that runs within one step, behind the call's id. */
  readonly id: string;
  /** The flow that contains the node. */
  readonly flow: FlowGraph;
  /** Of a tool call. */
  readonly tool_call_id?: string;
  /** True inside a flow that runs within one step: none of its steps is a record. */
  readonly within: boolean;
  /** What a tool or model would be sent, or what a node consumes. */
  readonly values: () => Json;
}

/** Resolves when the run may continue; undefined if nothing holds it. Rejects when the run is cancelled. */
export type Gate = (point: GatePoint) => Promise<void> | undefined;
