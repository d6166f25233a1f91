import { bodyEvaluator, isPureBody } from '#main/engine/bodies/body.ts';
import { performers } from '#main/engine/nodes/performers.ts';
import type { FlowPlan, NodePlan } from '#main/engine/step/node-plan.ts';
import { StatePlan } from '#main/engine/step/state-plan.ts';
import { flowTools } from '#main/engine/tool-calls/flow-tools.ts';
import { taintedNodes } from '#main/engine/tool-calls/taint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';

const plans = new WeakMap<FlowGraph, FlowPlan>();
const taintedPlans = new WeakMap<FlowGraph, FlowPlan>();

/**
 * The plan of a graph, made once; with `tainted`, that of one whose input comes from outside. Throws `FlowError` `BuildError` for a graph
 * that names a state it has no schema for.
 */
export function planOf(graph: FlowGraph, tainted = false): FlowPlan {
  const made = tainted ? taintedPlans : plans;
  let plan = made.get(graph);
  if (!plan) {
    plan = makePlan(graph, tainted);
    made.set(graph, plan);
  }
  return plan;
}

function makePlan(graph: FlowGraph, tainted: boolean): FlowPlan {
  const states = new Map(Object.entries(graph.schemas).map(([name, schema], index) => [name, new StatePlan(name, schema, index)]));
  const state = (name: string): StatePlan => {
    const found = states.get(name);
    if (!found) throw new FlowError('BuildError', `The flow "${graph.name}" has no schema for the state ${name}. Build the flow again.`);
    return found;
  };
  const nodes = new Map<string, NodePlan>();
  const tools = flowTools(graph);
  const called = (flow: string, from: boolean): FlowPlan | undefined => {
    const tool = tools.get(flow);
    return tool && planOf(tool.graph, from);
  };
  const after = taintedNodes(graph);
  for (const node of graph.nodes) {
    const shape = { node, inputs: node.from.map(state), outputs: node.to.map(state) };
    const plan = {
      ...shape,
      pure: isPureBody(node.body),
      perform: performers[node.kind](shape, bodyEvaluator(shape)),
      each: node.body.type === 'each' ? planOf(node.body.flow, tainted || after.has(node.id)) : null,
      parallel: node.body.type === 'each' ? (node.body.parallel ?? 1) : 1,
      tainted: tainted || after.has(node.id),
      flowTools: tools,
      called,
    };
    for (const input of plan.inputs) input.consumer = plan;
    if (node.kind === 'fork') {
      plan.outputs.forEach((output, index) => {
        output.branch = index;
      });
    }
    nodes.set(node.id, plan);
  }
  return { graph, states, nodes, entry: state(graph.input), terminal: state(graph.output) };
}
