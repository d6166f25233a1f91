import { bodyEvaluator, isPureBody } from '#main/runtime/bodies/body.ts';
import type { Draft } from '#main/runtime/draft.ts';
import { type FlowTool, flowTools } from '#main/runtime/flow-tool.ts';
import { performers } from '#main/runtime/nodes/performers.ts';
import { StatePlan } from '#main/runtime/state-plan.ts';
import type { Step } from '#main/runtime/step.ts';
import { nodesAfterUntrusted } from '#main/runtime/untrusted-tools.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/runtime/error.ts';

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
  /** The flows of its graph that it may call as tools, by name. */
  readonly flowTools: ReadonlyMap<string, FlowTool>;
  /** The step can be recomputed: it touches nothing outside. */
  readonly pure: boolean;
  /** What it consumes comes from outside, or was made of what does: an agent's writing tools ask from its first turn. */
  readonly wary: boolean;
}

/** A graph made ready to run. Holds nothing of any run, so all runs of the graph share it. */
export interface FlowPlan {
  readonly graph: FlowGraph;
  readonly states: ReadonlyMap<string, StatePlan>;
  readonly nodes: ReadonlyMap<string, NodePlan>;
  readonly entry: StatePlan;
  readonly terminal: StatePlan;
}

const plans = new WeakMap<FlowGraph, FlowPlan>();
const waryPlans = new WeakMap<FlowGraph, FlowPlan>();

/**
 * The plan of a graph, made once; with `wary`, that of one whose input comes from outside. Throws `FlowError` `BuildError` for a graph
 * that names a state it has no schema for.
 */
export function planOf(graph: FlowGraph, wary = false): FlowPlan {
  const made = wary ? waryPlans : plans;
  let plan = made.get(graph);
  if (!plan) {
    plan = makePlan(graph, wary);
    made.set(graph, plan);
  }
  return plan;
}

function makePlan(graph: FlowGraph, wary: boolean): FlowPlan {
  const states = new Map(Object.entries(graph.schemas).map(([name, schema], index) => [name, new StatePlan(name, schema, index)]));
  const state = (name: string): StatePlan => {
    const found = states.get(name);
    if (!found) throw new FlowError('BuildError', `The flow "${graph.name}" has no schema for the state ${name}. Build the flow again.`);
    return found;
  };
  const nodes = new Map<string, NodePlan>();
  const tools = flowTools(graph);
  const after = nodesAfterUntrusted(graph);
  for (const node of graph.nodes) {
    const shape = { node, inputs: node.from.map(state), outputs: node.to.map(state) };
    const plan = {
      ...shape,
      pure: isPureBody(node.body),
      perform: performers[node.kind](shape, bodyEvaluator(shape)),
      each: node.body.type === 'each' ? planOf(node.body.flow, wary || after.has(node.id)) : null,
      wary: wary || after.has(node.id),
      flowTools: tools,
    };
    for (const input of plan.inputs) input.consumer = plan;
    nodes.set(node.id, plan);
  }
  return { graph, states, nodes, entry: state(graph.input), terminal: state(graph.output) };
}

/** A node with its states, before it can run. */
export type NodeShape = Pick<NodePlan, 'node' | 'inputs' | 'outputs'>;
