import type { AgentSettings, ToolUse } from '#shared/flow/document.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Flow } from './flow-types.ts';
import type { State } from './state.ts';

/** A flow in code as an agent's tool: the result of `flowTool`. */
export interface FlowUse {
  /** `flow:` and the name. */
  readonly use: string;
  readonly approve?: 'always' | 'never';
  readonly flow: FlowGraph;
}

/** How an agent calls a flow. */
export interface FlowToolOptions {
  /** Letters, digits, - and _. */
  readonly name: string;
  /** What the flow does, for the model that decides whether to call it. Default: the flow's name. */
  readonly description?: string;
  /** Whether a call needs the user's approval. Default `never`: what the flow itself does asks as it does elsewhere. */
  readonly approve?: 'always' | 'never';
}

/** An agent's settings in code: its tools may be flows. */
export type AgentOptions = Omit<AgentSettings, 'tools'> & { readonly tools?: readonly (ToolUse | FlowUse)[] };

const namePattern = /^[\w-]{1,64}$/;

/**
 * Makes a flow in code a tool of an agent. Each call runs the flow step by step, as records of the agent's run. Throws `FlowError` `BuildError` for an
 * invalid name.
 *
 * ```ts
 * .agent(Question, Answer, { model, tools: [flowTool(lookUp, { name: 'look_up', description: 'Looks a customer up.' })] })
 * ```
 */
export function flowTool(flow: Flow<State, State>, { name, description, approve }: FlowToolOptions): FlowUse {
  if (!namePattern.test(name)) {
    throw new FlowError('BuildError', `The flow tool ${JSON.stringify(name)} has an invalid name. Use letters, digits, - and _.`);
  }
  const graph = description === undefined ? flow : { ...flow, description };
  return { use: `flow:${name}`, flow: graph, ...(approve && { approve }) };
}

/** Splits an agent's settings into those of a document and the flows that it calls, by tool name. */
export function splitFlowTools({ tools, ...settings }: AgentOptions): {
  readonly agent: AgentSettings;
  readonly called: ReadonlyMap<string, FlowGraph>;
} {
  if (!Array.isArray(tools)) return { agent: { ...settings, ...(tools && { tools: tools as ToolUse[] }) }, called: new Map() };
  const called = new Map(tools.filter(isFlowUse).map(({ use, flow }) => [use, flow]));
  const named = tools.map((tool): ToolUse => (isFlowUse(tool) ? nameOf(tool) : tool));
  return { agent: { ...settings, tools: named }, called };
}

function nameOf({ use, approve }: FlowUse): ToolUse {
  return approve === undefined ? use : { use, approve };
}

function isFlowUse(tool: ToolUse | FlowUse): tool is FlowUse {
  return typeof tool === 'object' && tool !== null && 'flow' in tool;
}
