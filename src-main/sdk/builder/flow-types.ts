import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { BuiltInToolName } from '#shared/flow/tools/built-in-tools.ts';
import type { Json } from '#shared/json.ts';
import type { DefinedTool } from './define-tool.ts';
import type { FlowMethods } from './flow-methods.ts';
import type { SchemaSource, SchemaValue, State } from './state.ts';

/** The value type of a state. */
export type ValueOf<S> = S extends State<string, infer Value> ? Value : never;

/** The name type of a state. */
export type NameOf<S> = S extends State<infer Name> ? Name : never;

/** The value types of several states, in order. */
export type ValuesOf<States extends readonly State[]> = { readonly [Index in keyof States]: ValueOf<States[Index]> };

/** A built flow: the graph for `FlowRuntime`, with the types of its input and output, and with `start`. */
export interface Flow<Input extends State = State, Output extends State = State, Services = unknown>
  extends TypedFlowGraph<ValueOf<Input>, ValueOf<Output>>,
    FlowMethods<ValueOf<Input>, ValueOf<Output>, Services> {
  /** Type-only; never set. */
  readonly ends?: { readonly input: Input; readonly output: Output };
}

/** A flow that another one contains. Its services are the outer flow's concern. */
export interface InnerFlow<Input extends State, Output extends State> extends TypedFlowGraph<ValueOf<Input>, ValueOf<Output>> {
  readonly ends?: { readonly input: Input; readonly output: Output };
}

/** A tool as a handler calls it if the compiler does not know its types. */
export type UntypedTool = (input?: Json) => Promise<Json>;

/** What the compiler knows about the tools and services of a flow. */
export interface FlowTypes {
  /** Functions by tool name. */
  readonly tools: object;
  readonly services: object;
}

/** A flow that declares neither tools nor services. */
export interface NoTypes extends FlowTypes {
  readonly tools: Readonly<Record<never, never>>;
  readonly services: Readonly<Record<string, unknown>>;
}

/** The functions of the tools in `defineFlow({ tools })`. */
export type ToolFunctions<Tools extends readonly (string | DefinedTool)[]> = {
  readonly [Tool in Tools[number] as Tool extends DefinedTool<infer Name> ? Name : Extract<Tool, string>]: Tool extends DefinedTool<
    string,
    infer Input,
    infer Output
  >
    ? (input: Input) => Promise<Output>
    : UntypedTool;
};

/** Names of tools that nodes of a flow may use: its own, the built-in ones, and tools of the workspace. */
export type ToolName<Types extends FlowTypes> =
  | Extract<keyof Types['tools'], string>
  | BuiltInToolName
  | `./${string}`
  | `mcp:${string}`
  | `openapi:${string}`;

/** Types of `ctx.services`. Created by `services`. */
export interface ServiceTypes<Services extends object> {
  /** Type-only; never set. */
  readonly services?: Services;
}

/** Declares the services that the handlers of a flow use: `defineFlow({ services: services<{ db: Db }>() })`. */
export function services<Services extends object>(): ServiceTypes<Services> {
  return {};
}

/** The context of a handler. `tools` contains the tools that the node names. */
export interface FlowContext<Tools extends string = never, Types extends FlowTypes = NoTypes>
  extends Omit<HandlerContext, 'tools' | 'services' | 'suspend'> {
  readonly tools: { readonly [Name in Tools]: Name extends keyof Types['tools'] ? Types['tools'][Name] : UntypedTool };
  readonly services: Types['services'];
}

/** The context of a handler with `asks: true`. When it runs again after an answer, its calls return what is on record. */
export interface AskingContext<Tools extends string = never, Types extends FlowTypes = NoTypes> extends FlowContext<Tools, Types> {
  /** Suspends the run until a person or a program answers, and returns the answer, which `schema` describes. */
  suspend<Source extends SchemaSource>(value: Json, schema: Source): Promise<SchemaValue<Source>>;
  suspend(value?: Json): Promise<Json>;
  /** Does something outside once. Its JSON result is recorded before it is returned, and returned again when the handler runs again. */
  effect<Result>(name: string, perform: () => Result | Promise<Result>): Promise<Result>;
}

/** The context that a handler gets by its option `asks`. */
export type ContextOf<Tools extends string, Types extends FlowTypes, Asks extends boolean> = [Asks] extends [true]
  ? AskingContext<Tools, Types>
  : FlowContext<Tools, Types>;

/** A handler's return value. Not used for type inference, because the state defines the type. */
export type Result<Value> = NoInfer<Value> | Promise<NoInfer<Value>>;

/** Options of a node with a handler. */
export interface HandlerOptions<Tools extends string, Asks extends boolean = boolean> {
  /** The handler has no side effects, so it may run again after a crash and need not be recorded before the next step. */
  readonly pure?: boolean;
  /**
   * The handler may call `ctx.suspend` and `ctx.effect`. It runs again from its start after each answer, and calls through `ctx` are not made again; what
   * it does outside has to go through `ctx.tools` or `ctx.effect`.
   */
  readonly asks?: Asks;
  /** Tools in `ctx.tools`: names, or names with a stricter policy. */
  readonly tools?: readonly (Tools | { readonly use: Tools; readonly approve?: 'always' | 'never' })[];
  /** Notes for readers; not executed. */
  readonly title?: string;
  readonly note?: string;
}

/** Options of a node without a handler. */
export type NodeOptions = Pick<HandlerOptions<never, never>, 'title' | 'note'>;

/** Whether a name type is a general string or a template, not a literal. */
type IsOpen<Name extends string> = Record<never, never> extends Record<Name, 1> ? true : false;

/** A type that makes the compiler reject equal names with a reason. Non-literal names are checked by `build()`. */
export type Apart<Name extends string, Other extends string, Why extends string> = true extends IsOpen<Name> | IsOpen<Other>
  ? unknown
  : [Name & Other] extends [never]
    ? unknown
    : { readonly 'does not fit': Why };

/** The arguments of `build()`: none, or an impossible one that names the branches that no node consumes. */
export type Unconsumed<Forked extends string, Consumed extends string> = [Exclude<Forked, Consumed>] extends [never]
  ? []
  : [missing: { readonly 'no node consumes': Exclude<Forked, Consumed> }];
