import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { Run } from '#main/sdk/run/run.ts';
import { type DiagramOptions, diagramOf } from '#shared/flow/diagram/diagram.ts';
import { dotText } from '#shared/flow/diagram/dot.ts';
import { mermaidText } from '#shared/flow/diagram/mermaid.ts';
import type { TypedFlowGraph } from '#shared/flow/graph.ts';

/** Options of `flow.start`. */
export interface StartOptions {
  /** Default: a new id from the context. */
  readonly run_id?: string;
  /** Model URLs that replace those of the flow's agents, by node; `*` for all without their own. */
  readonly models?: Readonly<Record<string, string>>;
}

/** What a built flow can do. */
export interface FlowMethods<Input, Output, Services> {
  /** The same flow as its graph. */
  readonly graph: TypedFlowGraph<Input, Output>;
  /** The flow's diagram as text. `diagram` of this package also draws SVG. */
  diagram(format?: 'mermaid' | 'dot', options?: DiagramOptions): string;
  /**
   * Starts a run in memory; `journal.start` starts a recorded one. Throws `DeserializeError` if the input violates the schema of the input state.
   * Nothing runs until it is driven: `await flow.start(input, ctx).toEnd()`.
   */
  start(input: NoInfer<Input>, ctx: Context & { readonly services: Services }, options?: StartOptions): Run<Output>;
}

/** Adds the methods of a flow. They are not enumerable, so that JSON text, copies and the hash of the graph stay the same. */
export function withMethods<Input, Output, Services>(
  graph: TypedFlowGraph<Input, Output>,
): TypedFlowGraph<Input, Output> & FlowMethods<Input, Output, Services> {
  const methods: FlowMethods<Input, Output, Services> = {
    graph,
    diagram(format = 'mermaid', options = {}) {
      const drawn = diagramOf(graph, options);
      return format === 'dot' ? dotText(drawn) : mermaidText(drawn);
    },
    start(input, ctx, { run_id = ctx.newId(), models } = {}) {
      return new Run(FlowRuntime.new<Input, Output>(graph, input, { run_id, ...(models && { models }) }), ctx);
    },
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(graph, name, { value });
  return graph as TypedFlowGraph<Input, Output> & FlowMethods<Input, Output, Services>;
}
