import type { Builtin } from '#shared/flow/expansion/builtin.ts';
import type { PlanPolicy } from '#shared/flow/expansion/plan-policy.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentSettings, GraphNodeKind, ToolUse } from './document.ts';
import type { Limits } from './limits.ts';
import type { Parallel } from './parallel.ts';
import type { AgentSession, NodeSession } from './session.ts';

/** A code-first handler. `args` are the consumed states in the order of `from`. */
export type HandlerFunction = (...args: never[]) => unknown;

/** A function of a program that belongs to an agent: it steers it, checks it, summarises for it, or gives it settings. */
export interface ProgramFunction {
  readonly type: 'function';
  readonly call: HandlerFunction;
  readonly pure: true;
  readonly tools: readonly ToolUse[];
}

/** What an agent of mode `plan` names: the flow of each type of step that is one, and what makes the plan in place of a model. */
export interface PlanParts {
  readonly flows: Readonly<Record<string, FlowGraph>>;
  readonly planner?: FlowGraph | Extract<NodeBody, { type: 'module' | 'function' }>;
}

/** What a node does with what it consumes. */
export type NodeBody =
  /** No body: identity for `work`, the same value to every branch of a `fork`, shallow merge for `join`. */
  | { readonly type: 'default' }
  /** Source of one function expression, run in the sandbox. `file` is set for `run_file`. */
  | { readonly type: 'run'; readonly source: string; readonly file?: string; readonly tools: readonly ToolUse[] }
  /** Source of one expression of the expression language. */
  | { readonly type: 'expr'; readonly source: string; readonly into?: string }
  /** One call of a tool with templated arguments. */
  | { readonly type: 'tool'; readonly tool: string; readonly with: JsonObject; readonly into?: string }
  /** A function exported by a file of a trusted workspace. */
  | {
      readonly type: 'module';
      readonly file: string;
      readonly export: string;
      readonly tools: readonly ToolUse[];
      /** It runs within an effect, which records what it returns. */
      readonly within_effect?: true;
    }
  /**
   * A function of a code-first flow. `pure` handlers may be recomputed after a crash. Those that `asks` may suspend: they run again from their start after
   * an answer, and what they did through `ctx` is not done again.
   */
  | {
      readonly type: 'function';
      readonly call: HandlerFunction;
      readonly pure: boolean;
      readonly tools: readonly ToolUse[];
      readonly asks?: boolean;
    }
  /**
   * A handler of a flow in code, by its place in the file (relative to the workspace) that exports the flow: the ids of the `each` nodes that lead to
   * it, then its own. It runs only while its source is this one.
   */
  | {
      readonly type: 'handler';
      readonly file: string;
      readonly at: readonly string[];
      readonly source: string;
      readonly pure: boolean;
      readonly tools: readonly ToolUse[];
    }
  | {
      readonly type: 'agent';
      readonly agent: AgentSettings;
      /** The state whose value the agent answers with; the node's own then holds `{value}`, or `{error}` where the agent failed. */
      readonly answers?: { readonly name: string; readonly schema: JsonSchema };
      /** The start of its conversation, instead of preamble and prompt. */
      readonly opening?: readonly Message[];
      /** The application's key of the message that begins its exchange in a kept conversation. */
      readonly message_key?: string;
      /** It summarises its kept conversation and says nothing. */
      readonly compacts?: true;
      /**
       * It makes a plan: an answer with too many steps fails with `ORCHESTRATION_STEP_MISMATCH` after its attempts. With a policy, its steps are typed, and
       * any violation of the policy does.
       */
      readonly plans?: true | PlanPolicy;
      /** The flows that its plan names. Absent once it is expanded. */
      readonly plan_parts?: PlanParts;
      /** What steers it: a function of a flow in code, or a file that a document names. Other controllers are in `agent.control`. */
      readonly controller?: ProgramFunction | Extract<NodeBody, { type: 'run' | 'module' }>;
      /** What summarises its kept conversation, of a flow in code. Default: a model. */
      readonly summariser?: ProgramFunction;
      /** The checks that are functions, of a flow in code, by stage and index: `output/0`. */
      readonly guard_functions?: Readonly<Record<string, ProgramFunction>>;
      /** What gives it settings for an input, of a flow in code, and the models that it can choose besides `agent.model`. */
      readonly chooser?: ProgramFunction;
      readonly models?: readonly string[];
      /** What it has as an agent of a session (`session.ts`). */
      readonly session?: AgentSession;
    }
  /** What a node does with a session (`session.ts`). */
  | { readonly type: 'session'; readonly session: NodeSession }
  /** What a node of an expanded agent does. */
  | { readonly type: 'builtin'; readonly call: Builtin }
  | { readonly type: 'suspend' }
  | { readonly type: 'each'; readonly flow: FlowGraph /** How many items run at once. Default: 1. */; readonly parallel?: number };

/** Where the builder's call that adds a node of a flow in code is written. Lines and columns count from 1. */
export interface CodePosition {
  /** Relative to the workspace, once the flow was loaded from it; may be a file that the flow's file imports. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line in which the call ends. */
  readonly last: number;
}

/** A node in the file that it is written in. */
export interface NodeOrigin {
  /** The file, relative to the workspace; empty for a flow in code that was not read from a file. */
  readonly flow: string;
  /** The node's id in that file. */
  readonly node: string;
  /** Title of a `flow` node, which the graph itself does not contain. */
  readonly title?: string;
  /** Of a `flow` node: the states that enter and leave it, by their names in the graph. */
  readonly states?: { readonly input: string; readonly output: string };
  /** Of a `flow` node in code. */
  readonly written?: CodePosition;
}

/** One node of a built flow. */
export interface GraphNode {
  /** The state it consumes; of a join its two states, joined by `+`. */
  readonly id: string;
  readonly kind: GraphNodeKind;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly body: NodeBody;
  readonly title?: string;
  readonly note?: string;
  /** JSON Pointer of the node in its document; of an inlined one, of the outer `flow` node. */
  readonly path: string;
  /** For a node that an agent of mode `plan` or `redundant` was expanded to: that agent's id. */
  readonly part_of?: string;
  /** For an inlined node: its own state names by inlined name, so that handlers see the names they were written with. */
  readonly own_names?: Readonly<Record<string, string>>;
  /**
   * For an inlined node: the `flow` nodes that contain it, outermost first, and the node itself. Other nodes are written in the graph's own file
   * (`originOf` returns the chain of either). Not part of the hash.
   */
  readonly origin?: readonly NodeOrigin[];
  /** Of a node in code that was loaded from a file. Not part of the hash. */
  readonly written?: CodePosition;
}

/** A built flow: nested flows inlined, names resolved. Documents and code-first flows both become one. */
export interface FlowGraph {
  /** Its file, relative to the workspace. Absent for a flow in code that was not read from a file, and in journals of older versions. Not part of the hash. */
  readonly source?: string;
  readonly name: string;
  readonly description?: string;
  readonly input: string;
  readonly output: string;
  /** The entry's schema first; inlined schemas under their inlined names. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** In document order. */
  readonly nodes: readonly GraphNode[];
  readonly limits: Limits;
  /** How far its runs work ahead; absent fields have the defaults (`parallel.ts`). */
  readonly parallel?: Partial<Parallel>;
  /** `latest`: its sessions behave as those of the newest PyFlow. */
  readonly dialect?: 'latest';
  /** Flows that nodes call as tools, by the name under which they do (`flow:./lookup.flow.json`). */
  readonly flow_tools?: Readonly<Record<string, FlowGraph>>;
  /** It does one step of a plan, whose name is in its input: its events have it as `step_name`. */
  readonly plan_step?: true;
  /** SHA-256 (hex) of the canonical document with its inner files and `run_file` sources. */
  readonly hash: string;
}

/** A graph whose input and output the compiler knows: the result of building a flow in code. `types` exists only at compile time. */
export interface TypedFlowGraph<Input, Output> extends FlowGraph {
  readonly types?: { readonly input: Input; readonly output: Output };
}

/** The graph as it is recorded: JSON text omits the functions of bodies in code, which only their program can call. */
export function graphJson(graph: FlowGraph): JsonObject {
  // `toJson` rejects functions.
  return graph as unknown as JsonObject;
}

/** The id of the node that consumes these states: the state's name, or a join's two joined by `+`. */
export function nodeIdOf(from: readonly string[]): string {
  return from.join('+');
}

/** A state as it waits: its schema name and its value. */
export interface NamedState {
  readonly name: string;
  readonly value: Json;
}
