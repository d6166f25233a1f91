import { seededRandom } from '#main/engine/bodies/seeded-random.ts';
import { suspendRefused } from '#main/engine/bodies/suspend-refused.ts';
import type { CallTarget, HandlerRequest, ModuleOutcome } from '#main/engine/ports/code-process.ts';
import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import type { FromChild, ToChild } from '#main/workspace-code/messages.ts';
import type { Json } from '#shared/json.ts';
import { handlerAt } from './describe-flow.ts';
import { load } from './loading.ts';

type Handler = (...args: readonly unknown[]) => unknown;

/** Pending tool calls by number. */
const waiting = new Map<number, { readonly resolve: (result: Json) => void; readonly reject: (error: Error) => void }>();
let calls = 0;

/** Calls an exported function, or a handler of a flow. */
export async function callHandler(id: number, { target, args, ...about }: HandlerRequest): Promise<ModuleOutcome> {
  const handler = target.type === 'handler' ? await handlerAt(target) : await exported(target);
  // As in the engine's process: a handler gets frozen values and must return JSON.
  for (const value of args) freezeJson(value);
  const value = await handler(...args, contextOf(id, about));
  const impure = freezeJson(value);
  return impure ? { impure } : { value };
}

/** Passes a tool's result to the waiting handler. */
export function settleToolCall(message: Extract<ToChild, { type: 'tool_result' }>): void {
  const call = waiting.get(message.call);
  waiting.delete(message.call);
  if ('result' in message) call?.resolve(message.result);
  else call?.reject(Object.assign(new Error(message.error.message), { name: 'ToolError', call: message.call, ...message.error }));
}

async function exported({ file, export: name }: Extract<CallTarget, { type: 'export' }>): Promise<Handler> {
  const handler = (await load(file))[name];
  if (typeof handler !== 'function') throw new Error(`${file} exports no function ${name}.`);
  return handler as Handler;
}

function contextOf(id: number, { node, now, seed, tools }: Omit<HandlerRequest, 'target' | 'args'>): HandlerContext {
  const post = (message: FromChild): void => {
    process.send?.(message);
  };
  const callTool = (name: string, input: Json): Promise<Json> =>
    new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      post({ type: 'tool', id, call: calls, name, input });
    });
  return {
    node,
    now: () => now,
    random: seededRandom(seed),
    log: (...values) => post({ type: 'log', id, values: values.map((value) => JSON.parse(JSON.stringify(value) ?? 'null') as Json) }),
    tools: Object.fromEntries(tools.map((name) => [name, (input: Json = {}) => callTool(name, input)])),
    // A cancelled run ends this process, so there is nothing to report.
    signal: new AbortController().signal,
    services: {},
    suspend: () => {
      throw suspendRefused(node);
    },
  };
}
