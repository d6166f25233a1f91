import type { AskingHandlerContext } from '#main/engine/ports/handler-context.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { onAbort } from '#main/engine/step/on-abort.ts';
import type { Step } from '#main/engine/step/step.ts';
import { allowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { HandlerSession } from './handler-session.ts';
import { thrownBy } from './thrown-by.ts';

/** The call in which a handler asks: `{node}::ask` is its `tool_id`. */
const ask = 'ask';

/**
 * Runs a handler that may suspend. It is no effect as a whole: what it does goes through `ctx`, is recorded call by call, and is not done again when the
 * handler runs again from its start, after an answer or a crash.
 */
export async function askingHandler(
  step: Step,
  call: (...args: readonly unknown[]) => unknown,
  tools: readonly ToolUse[],
): Promise<unknown> {
  const allowed = new Map(allowedTools(tools));
  const session = await HandlerSession.recorded(step, allowed);
  const calls = new AskingCalls(step, session, allowed);
  const outcome = await new Promise<{ readonly value: unknown } | 'abandoned'>((resolve, reject) => {
    const forget = onAbort(step.ctx.signal, () => reject(cancelled(step.node)));
    calls.onAbandoned = () => {
      forget();
      resolve('abandoned');
    };
    const handler = async () => call(...step.values, calls.context);
    handler().then(
      (value) => {
        forget();
        resolve({ value });
      },
      (error: unknown) => {
        forget();
        // A call that failed the step is the reason, whatever the handler made of it.
        reject(session.failure ?? thrownBy(step, error));
      },
    );
  });
  await session.close();
  if (outcome === 'abandoned') throw new Error('A handler was abandoned without a question.');
  if (session.unmade.length > 0) throw diverged(step, session.unmade);
  return outcome.value;
}

/** The `ctx` of one run of the handler. */
class AskingCalls {
  onAbandoned: () => void = () => {};
  readonly context: AskingHandlerContext;
  readonly #session: HandlerSession;
  readonly #allowed: Map<string, 'always' | 'never' | undefined>;
  /** What the handler does outside, by name and position among those with the same name. */
  readonly #effects = new Map<string, readonly (() => unknown)[]>();

  constructor(step: Step, session: HandlerSession, allowed: Map<string, 'always' | 'never' | undefined>) {
    this.#session = session;
    this.#allowed = allowed;
    const names = [...allowed.keys()];
    step.ownTools = (name) => this.#ownTool(name);
    const log = (...values: readonly unknown[]) => session.log(values.map((value) => JSON.parse(JSON.stringify(value) ?? 'null') as Json));
    this.context = {
      node: step.node,
      signal: step.ctx.signal,
      services: step.ctx.services,
      now: () => session.now,
      random: () => session.random(),
      log,
      tools: Object.fromEntries(names.map((name) => [name, (input: Json = {}) => this.#call(name, input)])),
      suspend: (value = null, schema) => this.#call(ask, { value, ...(schema !== undefined && { schema: schema as Json }) }),
      effect: (name, perform) => this.#effect(name, perform),
    };
  }

  #effect(name: string, perform: () => unknown): Promise<Json> {
    const own = `effect:${name}`;
    const same = [...(this.#effects.get(own) ?? []), perform];
    this.#effects.set(own, same);
    return this.#call(own, { number: same.length });
  }

  /** Never settles if the handler is abandoned: it runs again from its start. */
  async #call(name: string, input: Json): Promise<Json> {
    // Its author wrote the call, so it needs no approval.
    if (!this.#allowed.has(name)) this.#allowed.set(name, 'never');
    const answer = await this.#session.call(name, input);
    if (answer === null) {
      this.onAbandoned();
      return new Promise(() => {});
    }
    if ('error' in answer) throw answer.error;
    return answer.result;
  }

  #ownTool(name: string): Tool | undefined {
    if (name === ask) {
      return {
        ...ownTool(name, 'Asks a question.', 'none'),
        asks: true,
        call: ({ value, schema }, ctx) => ctx.suspend(value as Json, schema as JsonSchema | undefined),
      };
    }
    if (!this.#effects.has(name)) return undefined;
    return {
      ...ownTool(name, 'An effect of the handler.', 'write'),
      call: async ({ number }) => ((await this.#effects.get(name)?.[Number(number) - 1]?.()) ?? null) as Json,
    };
  }
}

const ownTool = (name: string, description: string, effect: 'none' | 'write') =>
  ({ name, description, effect, input_schema: { type: 'object', additionalProperties: true }, approve: 'never' }) as const;

/** The failure of a handler that did not make again what it had done before a question. */
function diverged({ node }: Step, calls: HandlerSession['unmade']): FlowError {
  const names = calls.map(({ tool }) =>
    tool === ask ? 'ctx.suspend' : tool.startsWith('effect:') ? `ctx.effect(${tool.slice(7)})` : `ctx.tools.${tool}`,
  );
  return new FlowError(
    'HandlerError',
    `The handler of ${node} diverged: when it ran again, it did not make the recorded ${names.length === 1 ? 'call' : 'calls'} ${names.join(', ')}. Everything that differs between two runs has to come from ctx.`,
    { node, code: 'ORCHESTRATION_HANDLER_DIVERGED', retryable: false, details: { calls: names } },
  );
}
