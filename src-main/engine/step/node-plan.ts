import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import type { Draft } from './draft.ts';
import type { FlowTool } from './flow-tool.ts';
import type { StatePlan } from './state-plan.ts';
import type { Step } from './step.ts';

/** Runs a node once (an agent: one phase) and says what that would commit. Promises are made only where something waits. */
export type PerformNode = (step: Step) => Draft | Promise<Draft>;

/** What a body makes of the consumed values, before the node's kind gives it its form. */
export type EvaluateBody = (step: Step) => unknown;

/** A node made ready to run. */
export interface NodePlan {
  readonly node: GraphNode;
  readonly inputs: readonly StatePlan[];
  readonly outputs: readonly StatePlan[];
  readonly perform: PerformNode;
  /** Of an `each` node: the flow that its items run through. */
  readonly each: FlowPlan | null;
  /** Of an `each` node: how many of its items run at once. Else 1. */
  readonly parallel: number;
  /** The flows of its graph that it may call as tools, by name. */
  readonly flowTools: ReadonlyMap<string, FlowTool>;
  /** Returns the plan of such a flow, made once; undefined if there is none. `tainted`: its input comes from outside. */
  readonly called: (flow: string, tainted: boolean) => FlowPlan | undefined;
  /** The step can be recomputed: it touches nothing outside. */
  readonly pure: boolean;
  /** What it consumes is tainted: made of content from outside. An agent's writing tools then need approval from its first turn. */
  readonly tainted: boolean;
}

/** A node with its states, before it can run. */
export type NodeShape = Pick<NodePlan, 'node' | 'inputs' | 'outputs'>;

/** Makes the function that runs a node. */
export type MakePerformer = (shape: NodeShape) => PerformNode;

/** A graph made ready to run. Holds nothing of any run, so all runs of the graph share it. */
export interface FlowPlan {
  readonly graph: FlowGraph;
  readonly states: ReadonlyMap<string, StatePlan>;
  readonly nodes: ReadonlyMap<string, NodePlan>;
  readonly entry: StatePlan;
  readonly terminal: StatePlan;
}
