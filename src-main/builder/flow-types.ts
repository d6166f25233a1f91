import type { State } from '#main/builder/state.ts';
import type { HandlerContext } from '#main/runtime/handler-context.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';

/** The values that a state can have. */
export type ValueOf<S> = S extends State<string, infer Value> ? Value : never;

/** The name of a state, as far as the compiler knows it. */
export type NameOf<S> = S extends State<infer Name> ? Name : never;

/** The values of several states, in their order. */
export type ValuesOf<States extends readonly State[]> = { readonly [Index in keyof States]: ValueOf<States[Index]> };

/** A built flow: the graph that `FlowRuntime` runs, with the types of its ends. */
export interface Flow<Input extends State = State, Output extends State = State> extends TypedFlowGraph<ValueOf<Input>, ValueOf<Output>> {
  /** For the compiler; nothing ever stands here. */
  readonly ends?: { readonly input: Input; readonly output: Output };
}

/** What a handler gets after its values. `tools` holds those that the node names. */
export interface FlowContext<Tools extends string = never> extends Omit<HandlerContext, 'tools'> {
  readonly tools: Readonly<Record<Tools, (input?: Json) => Promise<Json>>>;
}

/** What a handler gives back, now or later. Never helps to infer the value's type: that is the state's to say. */
export type Result<Value> = NoInfer<Value> | Promise<NoInfer<Value>>;

/** How a node with a handler is run. */
export interface HandlerOptions<Tools extends string> {
  /** The handler touches nothing outside, so it may be computed again after a crash, and need not be on disk before the next step. */
  readonly pure?: boolean;
  /** What `ctx.tools` holds: names of tools, or names with a stricter policy. */
  readonly tools?: readonly (Tools | { readonly use: Tools; readonly approve?: 'always' | 'never' })[];
  /** For people; no meaning to the engine. */
  readonly title?: string;
  readonly note?: string;
}

/** How a node without a handler is shown. */
export type NodeOptions = Pick<HandlerOptions<never>, 'title' | 'note'>;

/** Whether the compiler knows a name only as some text, or by its pattern. */
type IsOpen<Name extends string> = Record<never, never> extends Record<Name, 1> ? true : false;

/** Nothing, or what says why these two names may not be the same one. Names that the compiler does not know are left to `build()`. */
export type Apart<Name extends string, Other extends string, Why extends string> = true extends IsOpen<Name> | IsOpen<Other>
  ? unknown
  : [Name & Other] extends [never]
    ? unknown
    : { readonly 'does not fit': Why };

/** Nothing to pass to `build`, or what says which branches nobody consumes. */
export type Unconsumed<Forked extends string, Consumed extends string> = [Exclude<Forked, Consumed>] extends [never]
  ? []
  : [missing: { readonly 'no node consumes': Exclude<Forked, Consumed> }];
