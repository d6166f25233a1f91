import type { ModelResponse, ToolDefinition } from '#main/engine/ports/model-client.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { adviceOnMissingTool } from '#main/engine/tool-calls/missing-tool.ts';
import type { FinishedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import { type AllowedTools, allowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { PlanPolicy } from '#shared/flow/expansion/plan-policy.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { wholeMessages } from '#shared/run/cut-message.ts';
import { FlowError } from '#shared/run/error.ts';
import type { KeptScope } from '#shared/run/kept-conversation.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentState, PendingCall, StateWrites } from '#shared/run/snapshot.ts';
import { ToolBudget } from './budget.ts';
import type { Controller } from './controller.ts';
import type { GuardFunctions } from './guard-functions.ts';
import { submitSchema, unwrapped } from './submitted-output.ts';
import type { Summariser } from './summariser.ts';

/** How an agent's visit to its node ends. */
export interface AgentEnd {
  /** All messages of the visit. */
  readonly messages: readonly Message[];
  /** The answer: text, or the value that the schema asks for. Undefined if a call ended the agent (`RoleCall.ends`). */
  readonly answer?: Json;
  /** What its calls have written into the state that it works on. */
  readonly writes: StateWrites;
}

/** What runs around an agent's model calls and tool calls. Each may write into the state that the agent works on, and throws `StepSuspended` to ask. */
export interface AgentCalls {
  /** Before a model call: the answer in the model's place, or other messages. */
  beforeModel(
    step: Step,
    written: StateWrites,
    messages: readonly Message[],
  ): Promise<Decision<{ response: ModelResponse; messages: Message[] }>>;
  /** After a model call: the answer that counts. */
  afterModel(
    step: Step,
    written: StateWrites,
    response: ModelResponse,
  ): Promise<{ readonly writes: StateWrites; readonly response: ModelResponse }>;
  /** Before a tool call: the result in the tool's place, or another input. */
  beforeTool(step: Step, written: StateWrites, call: PendingCall): Promise<Decision<{ result: Json; input: Json }>>;
  /** After a tool call: another result. */
  afterTool(step: Step, written: StateWrites, call: FinishedCall): Promise<Decision<{ result: Json }>>;
}

type Decision<T> = { readonly writes: StateWrites } & Readonly<Partial<T>>;

/** How an agent of a session differs from any other: what it hears, how its tools are named, and what becomes of its answer. */
export interface AgentRole {
  /** The state that it produces. `AgentPlan.output` is what its answer must match. */
  readonly produces: StatePlan;
  /**
   * Runs before the agent's first turn: what this has written, or the value of its state in place of its own work. Throws `StepSuspended` to ask
   * the user.
   */
  before?(step: Step): Promise<{ readonly writes: StateWrites } | { readonly produced: Json }>;
  /** Runs after the agent has finished: the value of its state from the one that it produced. Throws as `before` does. */
  after?(step: Step, produced: Json): Promise<Json>;
  /** What runs around its calls. */
  readonly calls?: AgentCalls;
  /** Prepares a step. `writes`: what its calls have written so far. */
  begin(step: Step, writes: StateWrites): void;
  opening(step: Step, writes: StateWrites): Promise<readonly Message[]>;
  /** What is wrong with an answer; null if it is accepted. */
  problemOf(answer: Json): string | null;
  /** Makes a call that is no tool's; null for any other. */
  perform(step: Step, call: PendingCall): FinishedCall | null;
  /** What the model sees of a finished call, and what the call has written. */
  receive(call: FinishedCall): { readonly call: FinishedCall; readonly writes: StateWrites };
  /** Whether these calls end the agent without an answer. */
  ends(calls: readonly FinishedCall[]): boolean;
  /** The value of the state that it produces. */
  finish(step: Step, end: AgentEnd): Json;
}

/** An agent's settings with defaults, and the state that it produces. */
export interface AgentPlan {
  readonly settings: AgentSettings;
  readonly output: StatePlan;
  /** How the agent gives its output: as final text, as the answer itself, or by calling `submit`. */
  readonly ends: 'text' | 'answer' | 'submit';
  readonly tools: AllowedTools;
  readonly budget: ToolBudget;
  readonly turns: number;
  readonly seconds: number;
  readonly attempts: number;
  readonly repair: boolean;
  /** GBNF that an answer without tools must follow. */
  readonly grammar: string | undefined;
  /** Where it keeps its conversation; null if each visit starts a new one. */
  readonly keptScope: KeptScope | null;
  /** What is different for an agent of a session. */
  readonly role?: AgentRole;
  readonly controller: Controller | null;
  /** The function that summarises its kept conversation; null: a model does. */
  readonly summariser: Summariser | null;
  /** Its checks that are functions of a program. */
  readonly guardFunctions?: GuardFunctions;
  /** What its answer, a plan with typed steps, has to keep to. */
  readonly policy?: PlanPolicy;
  /** The start of the conversation, if given; otherwise it starts with preamble and prompt. */
  readonly opening: readonly Message[] | undefined;
}

export function agentPlan(
  settings: AgentSettings,
  output: StatePlan,
  opening?: readonly Message[],
  controller: Controller | null = null,
  summariser: Summariser | null = null,
): AgentPlan {
  const tools = allowedTools(settings.tools ?? []);
  const ends = settings.mode === 'chat' ? 'text' : tools.size > 0 ? 'submit' : 'answer';
  return {
    settings,
    output,
    ends,
    tools,
    budget: new ToolBudget(settings, controller !== null),
    turns: settings.limits?.turns ?? 16,
    seconds: settings.limits?.seconds ?? 120,
    attempts: settings.output?.attempts ?? 2,
    repair: settings.output?.repair ?? true,
    grammar: ends === 'submit' ? undefined : settings.output?.grammar,
    keptScope: keptScopeOf(settings),
    opening,
    controller,
    summariser,
  };
}

function keptScopeOf({ conversation }: AgentSettings): KeptScope | null {
  const scope = conversation?.scope ?? 'visit';
  return scope === 'visit' ? null : scope;
}

/** The tool definitions for the agent's model, `submit` last. Throws `NotFound` for a tool that is not available here. */
export function toolDefinitions(step: Step, plan: AgentPlan, state?: AgentState): ToolDefinition[] {
  const concluding = state?.concluding !== undefined && plan.ends === 'submit';
  const held = state?.control?.tools;
  const has = (name: string): boolean => (!state || plan.budget.left(name, state) > 0) && (!held || held.includes(name));
  const names = concluding ? [] : [...availableTools(step, plan).keys()].filter(has);
  const definitions = names.map((name): ToolDefinition => {
    const tool = step.tool(name);
    if (!tool)
      throw new FlowError(
        'NotFound',
        `Agent ${step.node} uses the tool ${name}, which is not available here.${adviceOnMissingTool(step.ctx, name)}`,
        { node: step.node },
      );
    return { name, description: tool.description, input_schema: tool.input_schema };
  });
  if (plan.ends !== 'submit') return definitions;
  const description = 'Ends the task. Call this once, with the final result.';
  return [...definitions, { name: submitTool, description, input_schema: submitSchema(plan.output.schema) }];
}

/** The tools that the agent may call; `mcp:SERVER/*` expands to all tools of a server. */
export function availableTools(step: Step, { tools, budget }: AgentPlan): AllowedTools {
  const expanded = [...tools].flatMap(([name, approve]) => {
    if (!name.endsWith('/*')) return [[name, approve] as const];
    const prefix = name.slice(0, -1);
    const covered = [...step.ctx.tools.keys()].filter((known) => known.startsWith(prefix));
    // Without tools, the name itself is reported as missing.
    return (covered.length > 0 ? covered : [name]).map((known) => [known, approve] as const);
  });
  return new Map(expanded.filter(([name]) => budget.has(step, name)));
}

/** Unwraps the output from the input of `submit`. */
export function submittedOutput({ output }: AgentPlan, input: Json): Json {
  return unwrapped(output.schema, input);
}

/** The state of an agent at the start of a visit to its node. */
export function newAgent(step: Step): AgentState {
  const history_start = wholeMessages(step.run.history[step.node] ?? []).length;
  return { phase: 'reason', turn: 0, attempts: 0, pending: [], seconds: 0, tainted: step.plan.tainted, history_start };
}
