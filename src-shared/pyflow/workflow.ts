import type { JsonObject } from '#shared/json.ts';

interface AgentHead {
  readonly name: string;
  readonly description: string;
  /** Position in the workflow's `agents`. */
  readonly index: number;
}

/** An agent that evaluates a Python expression. */
export interface ExprAgent extends AgentHead {
  readonly type: 'expr';
  readonly expression: string;
  readonly input_keys: readonly string[];
  readonly output_key: string;
}

/** An agent that calls a Python function. */
export interface CodeAgent extends AgentHead {
  readonly type: 'code';
  readonly function: string;
  readonly input_keys: readonly string[];
  readonly output_key: string;
}

/** An agent that calls one tool with fixed arguments. */
export interface ToolAgent extends AgentHead {
  readonly type: 'tool';
  readonly tool: string;
  readonly tool_config: JsonObject;
  readonly output_key: string;
}

/** A tool that an agent lists. */
export interface ListedTool {
  readonly name: string;
  /** Of an API: patterns of the operations that the agent gets. Absent for all. */
  readonly patterns?: readonly string[];
}

/** An agent that asks a model. */
export interface LlmAgent extends AgentHead {
  readonly type: 'llm';
  readonly model: string;
  readonly instruction: string;
  readonly tools: readonly ListedTool[];
  readonly agent_tools: readonly string[];
  readonly output_key: string | null;
  readonly include_contents: 'default' | 'none';
  readonly output_schema: JsonObject | null;
  readonly input_schema: JsonObject | null;
  readonly callbacks: Readonly<Record<string, string>>;
  readonly temperature: number | null;
  readonly max_output_tokens: number | null;
  readonly top_p: number | null;
  readonly top_k: number | null;
}

/** An agent that runs other agents. */
export interface WorkflowAgent extends AgentHead {
  readonly type: 'sequential' | 'parallel' | 'loop';
  readonly sub_agents: readonly string[];
}

export type LeafAgent = ExprAgent | CodeAgent | ToolAgent | LlmAgent;
export type PyflowAgent = LeafAgent | WorkflowAgent;

/** A node of a `dag` orchestration. */
export interface DagNode {
  readonly agent: string;
  readonly depends_on: readonly string[];
}

/** How the agents of a workflow run together. */
export type Orchestration =
  | { readonly type: 'sequential' | 'parallel'; readonly agents: readonly string[] }
  | { readonly type: 'loop'; readonly agents: readonly string[]; readonly max_iterations: number | null }
  | { readonly type: 'dag'; readonly nodes: readonly DagNode[] }
  | { readonly type: 'react'; readonly agent: string; readonly planner: string | null; readonly thinking_budget: number | null }
  | { readonly type: 'llm_routed'; readonly router: string; readonly agents: readonly string[] };

/** A PyFlow workflow whose shape was checked. */
export interface Workflow {
  readonly name: string;
  readonly description: string;
  readonly agents: readonly PyflowAgent[];
  readonly orchestration: Orchestration;
  readonly a2a: JsonObject | null;
}
