import { callPosition } from '#shared/flow/call-position.ts';
import type { GraphNodeKind } from '#shared/flow/document.ts';
import type { HandlerFunction, NodeBody } from '#shared/flow/graph.ts';
import type { Limits } from '#shared/flow/limits.ts';
import type { Parallel } from '#shared/flow/parallel.ts';
import type { Json } from '#shared/json.ts';
import { assembleFlow, type NodeDraft } from './assemble-flow.ts';
import type { DefinedTool } from './define-tool.ts';
import { withMethods } from './flow-methods.ts';
import { type AgentOptions, splitFlowTools } from './flow-tool.ts';
import type {
  Apart,
  ContextOf,
  Flow,
  FlowContext,
  FlowTypes,
  HandlerOptions,
  InnerFlow,
  NameOf,
  NodeOptions,
  NoTypes,
  Result,
  ServiceTypes,
  ToolFunctions,
  ToolName,
  Unconsumed,
  UntypedTool,
  ValuesOf,
} from './flow-types.ts';
import { handlerBody, withSource } from './handler-body.ts';
import { joinChain } from './join-chain.ts';
import type { Sides } from './sides.ts';
import type { State } from './state.ts';

/** Options of an `each` node. */
export interface EachOptions extends NodeOptions {
  /** How many items run at once, up to 64. Default: 1. */
  readonly parallel?: number;
}

/** Options of a flow. */
export interface FlowHead<
  Input extends State = State,
  Output extends State = State,
  Tools extends readonly (string | DefinedTool)[] = readonly (string | DefinedTool)[],
  Services extends object = object,
> {
  readonly input: Input;
  /** The only state that no node consumes. */
  readonly output: Output;
  /** Default: the name of the input state. */
  readonly name?: string;
  /** Default: as in a document (1,000 steps, 600 seconds, 200 model calls, 500,000 tokens). */
  readonly limits?: Partial<Limits>;
  /** How far its runs work ahead. Default: 8 nodes at once, model calls only. */
  readonly parallel?: Partial<Parallel>;
  /** Tools that its nodes use in addition to the built-in ones: made by `defineTool`, or names. The run's context has to contain them. */
  readonly tools?: Tools;
  /** Types of `ctx.services`: `services<{ db: Db }>()`. The run's context has to contain them. */
  readonly services?: ServiceTypes<Services>;
}

/** A linked list of nodes in reverse order, so that every builder can be extended without copying. */
interface NodeChain {
  readonly node: NodeDraft;
  readonly before: NodeChain | null;
}

/**
 * Starts a flow in code. Every call adds a node and returns a new builder; `build()` returns the graph.
 *
 * ```ts
 * const flow = defineFlow({ input: Ticket, output: Reply })
 *   .work(Ticket, Scored, (ticket) => ({ ...ticket, score: ticket.text.length }))
 *   .either(Scored, [Urgent, Routine], (ticket) => (ticket.score > 3 ? left(ticket) : right(ticket)))
 *   …
 *   .build();
 * ```
 */
export function defineFlow<
  Input extends State,
  Output extends State,
  const Tools extends readonly (string | DefinedTool)[] = readonly [],
  Services extends object = NoTypes['services'],
>(
  head: FlowHead<Input, Output, Tools, Services>,
): FlowBuilder<Input, Output, never, never, { readonly tools: ToolFunctions<Tools>; readonly services: Services }> {
  return new FlowBuilder(head, null);
}

/** A flow under construction. `Forked` and `Consumed` are the names of fork branches and of consumed states. */
export class FlowBuilder<
  Input extends State,
  Output extends State,
  Forked extends string = never,
  Consumed extends string = never,
  Types extends FlowTypes = NoTypes,
> {
  readonly #head: FlowHead<Input, Output>;
  readonly #last: NodeChain | null;

  constructor(head: FlowHead<Input, Output>, last: NodeChain | null) {
    this.#head = head;
    this.#last = last;
  }

  /** Converts one state to another. Without a handler the value is passed through unchanged. */
  work<From extends string, Value, To extends string, Made, Tools extends ToolName<Types> = never, Asks extends boolean = false>(
    from: State<From, Value>,
    to: State<To, Made> & Apart<To, From, 'a work node cannot produce the state that it consumes'>,
    ...body: Value extends Made
      ? [handler?: (value: Value, ctx: ContextOf<Tools, Types, Asks>) => Result<Made>, options?: HandlerOptions<Tools, Asks>]
      : [handler: (value: Value, ctx: ContextOf<Tools, Types, Asks>) => Result<Made>, options?: HandlerOptions<Tools, Asks>]
  ): FlowBuilder<Input, Output, Forked, Consumed | From, Types> {
    return this.#with('work', [from], [to], body);
  }

  /** Chooses one of two states: the handler returns `left(value)` or `right(value)`. One of them may be the input state: a loop. */
  either<
    From extends string,
    Value,
    First extends string,
    Left,
    Second extends string,
    Right,
    Tools extends ToolName<Types> = never,
    Asks extends boolean = false,
  >(
    from: State<From, Value>,
    to: readonly [State<First, Left>, State<Second, Right> & Apart<Second, First, 'the two branches need different states'>],
    handler: (value: Value, ctx: ContextOf<Tools, Types, Asks>) => Result<Sides<Left, Right>>,
    options?: HandlerOptions<Tools, Asks>,
  ): FlowBuilder<Input, Output, Forked, Consumed | From, Types> {
    return this.#with('either', [from], to, [handler, options]);
  }

  /** Produces several states at once: the handler returns their values in order. Each branch must be consumed by a node. */
  fork<
    From extends string,
    Value,
    const Branches extends readonly [State, State, ...State[]],
    Tools extends ToolName<Types> = never,
    Asks extends boolean = false,
  >(
    from: State<From, Value>,
    to: Branches,
    ...body: [Value] extends [ValuesOf<Branches>[number]]
      ? [handler?: (value: Value, ctx: ContextOf<Tools, Types, Asks>) => Result<ValuesOf<Branches>>, options?: HandlerOptions<Tools, Asks>]
      : [handler: (value: Value, ctx: ContextOf<Tools, Types, Asks>) => Result<ValuesOf<Branches>>, options?: HandlerOptions<Tools, Asks>]
  ): FlowBuilder<Input, Output, Forked | NameOf<Branches[number]>, Consumed | From, Types> {
    return this.#with('fork', [from], to, body);
  }

  /** Joins two states as soon as both exist. Without a handler: a shallow merge in which the second wins. */
  join<
    First extends string,
    A,
    Second extends string,
    B,
    To extends string,
    Made,
    Tools extends ToolName<Types> = never,
    Asks extends boolean = false,
  >(
    from: readonly [State<First, A>, State<Second, B> & Apart<Second, First, 'a join takes two different states'>],
    to: State<To, Made> & Apart<To, First | Second, 'a join cannot produce a state that it takes'>,
    ...body: A & B extends Made
      ? [handler?: (first: A, second: B, ctx: ContextOf<Tools, Types, Asks>) => Result<Made>, options?: HandlerOptions<Tools, Asks>]
      : [handler: (first: A, second: B, ctx: ContextOf<Tools, Types, Asks>) => Result<Made>, options?: HandlerOptions<Tools, Asks>]
  ): FlowBuilder<Input, Output, Forked, Consumed | First | Second, Types>;
  /**
   * Joins up to 16 states as soon as all of them exist. It becomes a chain of joins of two; the states in between are lists named after the states that they
   * contain (`A_B`).
   */
  join<const Parents extends readonly [State, State, State, ...State[]], To extends string, Made, Tools extends ToolName<Types> = never>(
    from: Parents,
    to: State<To, Made> & Apart<To, NameOf<Parents[number]>, 'a join cannot produce a state that it takes'>,
    handler: (...args: [...values: ValuesOf<Parents>, ctx: FlowContext<Tools, Types>]) => Result<Made>,
    options?: HandlerOptions<Tools, false>,
  ): FlowBuilder<Input, Output, Forked, Consumed | NameOf<Parents[number]>, Types>;
  join(from: readonly State[], to: State, ...body: readonly unknown[]): FlowBuilder<Input, Output, Forked, string, Types> {
    const { pairs, last, handler } = joinChain(from, body[0] as HandlerFunction);
    const begin = new FlowBuilder<Input, Output, Forked, string, Types>(this.#head, this.#last);
    const chain = pairs.reduce(
      (before, { parents, into, collect }) => before.#with('join', parents, [into], [collect, { pure: true }]),
      begin,
    );
    return chain.#with('join', last, [to], [handler, ...body.slice(1)]);
  }

  /** Calls a tool. It waits for an approval if the tool needs one. */
  tool<From extends string, Value, To extends string, Made, Name extends ToolName<Types>, Argument>(
    from: State<From, Value>,
    to: State<To, Made> & Apart<To, From, 'a tool node cannot produce the state that it consumes'>,
    tool: DefinedTool<Name, Argument, NoInfer<Made>>,
    input: (value: Value) => NoInfer<Argument>,
    options?: NodeOptions,
  ): FlowBuilder<Input, Output, Forked, Consumed | From, Types> {
    const call = (value: Value, ctx: { readonly tools: Readonly<Record<string, UntypedTool>> }) =>
      ctx.tools[tool.name]?.(input(value) as Json);
    return this.#with('work', [from], [to], [withSource(input, call), { tools: [tool.name], asks: true, ...options }]);
  }

  /** A model converts one state to another, with any number of turns and tool calls within the limits. */
  agent<From extends string, To extends string, const Type extends string = string>(
    from: State<From>,
    to: State<To> & Apart<To, From, 'an agent cannot produce the state that it consumes'>,
    settings: AgentOptions<Type>,
    options?: NodeOptions,
  ): FlowBuilder<Input, Output, Forked, Consumed | From, Types> {
    const { called, ...body } = splitFlowTools(settings);
    return this.#and({
      kind: 'agent',
      from: [from],
      to: [to],
      body: { type: 'agent', ...body },
      called,
      ...options,
    });
  }

  /** Waits for an answer from a user or a program, which is the output state. */
  suspend<From extends string, To extends string>(
    from: State<From>,
    to: State<To> & Apart<To, From, 'a suspend node cannot produce the state that it consumes'>,
    options?: NodeOptions,
  ): FlowBuilder<Input, Output, Forked, Consumed | From, Types> {
    return this.#and({ kind: 'suspend', from: [from], to: [to], body: { type: 'suspend' }, ...options });
  }

  /** Inserts another flow's nodes. Its input and output keep their names; its other states are named `{input}::{name}`. */
  flow<Inner extends State, InnerOutput extends State>(
    flow: InnerFlow<Inner, InnerOutput>,
    options?: NodeOptions,
  ): FlowBuilder<Input, Output, Forked, Consumed | NameOf<Inner>, Types> {
    return this.#and({ kind: 'flow', flow, ...options });
  }

  /** Runs another flow for each item of a list, `parallel` items at once; the list of its outputs is the output state. */
  each<From extends string, Item, To extends string, Made>(
    from: State<From, readonly Item[]>,
    to: State<To, readonly Made[]>,
    flow: InnerFlow<State<string, Item>, State<string, Made>>,
    options: EachOptions = {},
  ): FlowBuilder<Input, Output, Forked, Consumed | From, Types> {
    const { parallel, ...rest } = options;
    const body = { type: 'each', flow, ...(parallel !== undefined && { parallel }) } as const;
    return this.#and({ kind: 'each', from: [from], to: [to], body, ...rest });
  }

  /** Creates the graph. Throws `FlowError` `Invalid` with all problems in `details.problems`. */
  build(..._missing: Unconsumed<Forked, Consumed>): Flow<Input, Output, Types['services']> {
    const nodes: NodeDraft[] = [];
    for (let link = this.#last; link; link = link.before) nodes.push(link.node);
    return withMethods(assembleFlow(this.#head, nodes.reverse()));
  }

  #with<Next extends string, Taken extends string>(
    kind: GraphNodeKind,
    from: readonly State[],
    to: readonly State[],
    given: readonly unknown[],
  ): FlowBuilder<Input, Output, Next, Taken, Types> {
    const [handler, options = {}] = given as readonly [HandlerFunction?, HandlerOptions<string>?];
    const { pure = false, tools = [], asks = false, ...shown } = options;
    const body: NodeBody = handler === undefined ? { type: 'default' } : handlerBody(handler, { pure, tools, asks });
    return this.#and({ kind, from, to, body, ...shown });
  }

  #and<Next extends string, Taken extends string>(node: NodeDraft): FlowBuilder<Input, Output, Next, Taken, Types> {
    const written = callPosition();
    return new FlowBuilder<Input, Output, Next, Taken, Types>(this.#head, {
      node: written ? { ...node, written } : node,
      before: this.#last,
    });
  }
}
