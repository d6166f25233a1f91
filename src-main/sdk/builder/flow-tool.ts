import type { AgentSettings, ToolUse } from '#shared/flow/document.ts';
import type { FlowGraph, PlanParts, ProgramFunction } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Decision, LoopState } from '#shared/run/loop-state.ts';
import type { Summary, SummaryRequest } from '#shared/run/summary-request.ts';
import { type GuardsInCode, programFunctionOf, type SettingsFunction, splitGuards } from './agent-functions.ts';
import type { Flow, FlowContext } from './flow-types.ts';
import { type PlanInCode, splitPlan } from './plan-options.ts';
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

/** An agent's settings in code: its tools may be flows, and a function may steer it. */
export type AgentOptions<Type extends string = string> = Omit<
  AgentSettings,
  'tools' | 'control' | 'by_input' | 'context' | 'plan' | 'guards'
> & {
  /** Checks of what goes in and out. */
  readonly guards?: GuardsInCode;
  /** Gives it settings for an input. For agents of the modes `structured` and `chat`. */
  readonly settings?: SettingsFunction;
  /** Model URLs that `settings` may choose, besides `model`. */
  readonly models?: readonly string[];
  /** How an agent of mode `plan` plans. */
  readonly plan?: PlanInCode<Type>;
  /** How much of the conversation is sent. A function may make the summaries. */
  readonly context?: ContextInCode;
  readonly tools?: readonly (ToolUse | FlowUse)[];
  /** Asked before each model call, before its tool calls and after them. What it decides is recorded; a replay does not call it. */
  readonly control?: AgentSettings['control'] | ControlFunction;
};

/** The `context` of an agent in code: `summarise.run` makes the summaries instead of a model. What it returns is recorded; a replay does not call it. */
export type ContextInCode =
  | AgentSettings['context']
  | (({ readonly last: number } | { readonly tokens: number; readonly count?: 'estimate' | 'provider' }) & {
      readonly summarise: { readonly at?: number; readonly keep?: number; readonly run: SummaryFunction };
    });

/** Summarises the older part of a kept conversation. */
export type SummaryFunction = (request: SummaryRequest, ctx: FlowContext) => Summary | Promise<Summary>;

/** Splits a `context` into that of a document and the function that summarises. */
export function splitSummariser(context: ContextInCode): {
  readonly context: AgentSettings['context'];
  readonly summariser?: ProgramFunction;
} {
  const summarise = context?.summarise;
  if (!context || !summarise || !('run' in summarise)) return { context: context as AgentSettings['context'] };
  const { run, ...others } = summarise;
  return {
    context: { ...context, summarise: others } as AgentSettings['context'],
    summariser: programFunctionOf(run),
  };
}

/** Steers an agent, by a word or an object. */
export type ControlFunction = (loop: LoopState, ctx: FlowContext) => Decision['do'] | Decision | Promise<Decision['do'] | Decision>;

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

/** Splits an agent's settings into those of a document, its function that steers it, and the flows that it calls, by tool name. */
export function splitFlowTools({
  tools,
  control,
  context: given,
  plan: planned,
  guards: checks,
  settings: chooser,
  models,
  ...others
}: AgentOptions): {
  readonly agent: AgentSettings;
  readonly controller?: ProgramFunction;
  readonly summariser?: ProgramFunction;
  readonly plan_parts?: PlanParts;
  readonly guard_functions?: Readonly<Record<string, ProgramFunction>>;
  readonly chooser?: ProgramFunction;
  readonly models?: readonly string[];
  readonly called: ReadonlyMap<string, FlowGraph>;
} {
  const { context, summariser } = splitSummariser(given);
  const { plan, plan_parts } = splitPlan(planned);
  const { guards, functions } = splitGuards(checks);
  const rest = { ...others, ...(context && { context }), ...(plan && { plan }), ...(guards && { guards }) };
  const settings = typeof control === 'function' || control === undefined ? rest : { ...rest, control };
  const controller: ProgramFunction | undefined = typeof control === 'function' ? programFunctionOf(control) : undefined;
  const steered = {
    ...(controller && { controller }),
    ...(summariser && { summariser }),
    ...(plan_parts && { plan_parts }),
    ...functions,
    ...(chooser && { chooser: programFunctionOf(chooser) }),
    ...(models && { models }),
  };
  if (!Array.isArray(tools)) return { agent: { ...settings, ...(tools && { tools: tools as ToolUse[] }) }, called: new Map(), ...steered };
  const called = new Map(tools.filter(isFlowUse).map(({ use, flow }) => [use, flow]));
  const named = tools.map((tool): ToolUse => (isFlowUse(tool) ? nameOf(tool) : tool));
  return { agent: { ...settings, tools: named }, called, ...steered };
}

function nameOf({ use, approve }: FlowUse): ToolUse {
  return approve === undefined ? use : { use, approve };
}

function isFlowUse(tool: ToolUse | FlowUse): tool is FlowUse {
  return typeof tool === 'object' && tool !== null && 'flow' in tool;
}
