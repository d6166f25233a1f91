import type { AskingHandlerContext } from '#main/engine/ports/handler-context.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import type { HandlerFunction, NodeBody } from '#shared/flow/graph.ts';
import { schemaFrom } from './schema-from.ts';
import type { SchemaSource } from './state.ts';

interface Options {
  readonly pure: boolean;
  readonly tools: readonly ToolUse[];
  readonly asks: boolean;
}

/** The body of a node whose handler is a function. */
export function handlerBody(handler: HandlerFunction, { pure, tools, asks }: Options): NodeBody {
  if (!asks || typeof handler !== 'function') return { type: 'function', call: handler, pure, tools };
  // In the engine, schemas are JSON Schemas.
  const call = withSource(handler, (...args: never[]) => {
    const values = args.slice(0, -1);
    const ctx = args.at(-1) as AskingHandlerContext | undefined;
    const suspend: unknown = (value: never, schema?: SchemaSource) =>
      ctx?.suspend(value, schema && schemaFrom(schema, (reason) => `The schema of the answer ${reason}.`));
    return handler(...values, { ...ctx, suspend } as never);
  });
  return { type: 'function', call, pure: false, tools, asks: true };
}

/** Makes a function that stands for a handler have its source, which the flow's hash covers. */
export function withSource(handler: HandlerFunction, call: HandlerFunction): HandlerFunction {
  return Object.defineProperty(call, 'toString', { value: () => String(handler) });
}
