import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { State } from './state.ts';

/** The value type of a state. */
export type ValueOf<S> = S extends State<string, infer Value> ? Value : never;

/** The name type of a state. */
export type NameOf<S> = S extends State<infer Name> ? Name : never;

/** The value types of several states, in order. */
export type ValuesOf<States extends readonly State[]> = { readonly [Index in keyof States]: ValueOf<States[Index]> };

/** A built flow: the graph for `FlowRuntime`, with the types of its input and output. */
export interface Flow<Input extends State = State, Output extends State = State> extends TypedFlowGraph<ValueOf<Input>, ValueOf<Output>> {
  /** Type-only; never set. */
  readonly ends?: { readonly input: Input; readonly output: Output };
}

/** The context of a handler. `tools` contains the tools that the node names. */
export interface FlowContext<Tools extends string = never> extends Omit<HandlerContext, 'tools'> {
  readonly tools: Readonly<Record<Tools, (input?: Json) => Promise<Json>>>;
}

/** A handler's return value. Not used for type inference, because the state defines the type. */
export type Result<Value> = NoInfer<Value> | Promise<NoInfer<Value>>;

/** Options of a node with a handler. */
export interface HandlerOptions<Tools extends string> {
  /** The handler has no side effects, so it may run again after a crash and need not be recorded before the next step. */
  readonly pure?: boolean;
  /** Tools in `ctx.tools`: names, or names with a stricter policy. */
  readonly tools?: readonly (Tools | { readonly use: Tools; readonly approve?: 'always' | 'never' })[];
  /** Notes for readers; not executed. */
  readonly title?: string;
  readonly note?: string;
}

/** Options of a node without a handler. */
export type NodeOptions = Pick<HandlerOptions<never>, 'title' | 'note'>;

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
