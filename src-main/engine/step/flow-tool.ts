import type { Tool } from '#main/engine/ports/tool.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { NodePlan } from './node-plan.ts';

/** What is known of a tool before it is called: a tool of the workspace, or a flow. */
export type DescribedTool = Omit<Tool, 'call' | 'resume'>;

/** A flow that nodes call as a tool: its input is the flow's input, its result the flow's output. */
export interface FlowTool extends DescribedTool {
  readonly graph: FlowGraph;
  /** Results of it come from outside, or may. */
  readonly untrusted: boolean;
  /** The flow's input for a call's input. */
  inputOf(input: JsonObject): Json;
}

/** The name under which a node's graph lists a flow that it calls: a session may call it under another one. */
export function nameOfFlow({ flowTools }: Pick<NodePlan, 'flowTools'>, tool: FlowTool): string {
  const [name = tool.name] = [...flowTools].find(([, { graph }]) => graph === tool.graph) ?? [];
  return name;
}
