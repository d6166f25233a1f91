import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import { onAbort } from '#main/engine/step/on-abort.ts';
import type { Step } from '#main/engine/step/step.ts';
import { allowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import type { Json } from '#shared/json.ts';
import { askingHandler } from './asking-handler.ts';
import type { BodyOf } from './body.ts';
import { cannotWait } from './cannot-wait.ts';
import { handlerEffect } from './handler-effect.ts';
import { HandlerSession } from './handler-session.ts';
import { suspendRefused } from './suspend-refused.ts';
import { thrownBy } from './thrown-by.ts';

type Call = (...args: readonly unknown[]) => unknown;

/**
 * A plain function of a code-first flow. If the run is recorded, one that is not declared pure is an effect; a pure one that
 * returns no promise is called straight through.
 */
export function evaluateFunctionBody(body: BodyOf<'function'>): EvaluateBody {
  const call = body.call as Call;
  const allowed = allowedTools(body.tools);
  if (body.asks) return (step) => askingHandler(step, call, body.tools);
  const invoke = (step: Step, session?: HandlerSession): unknown => {
    const ctx = new FunctionContext(step, allowed, session);
    try {
      const result = step.values.length === 1 ? call(step.values[0], ctx) : call(...step.values, ctx);
      return isThenable(result) ? ctx.settled(result) : result;
    } catch (error) {
      throw thrownBy(step, error);
    }
  };
  if (body.pure) return invoke;
  if (allowed.size === 0) return (step) => (step.run.recorder ? handlerEffect(step, step.node, () => invoke(step)) : invoke(step));
  return (step) =>
    step.run.recorder
      ? handlerEffect(step, step.node, async () => invoke(step, await HandlerSession.forCode(step, allowed)))
      : invoke(step);
}

class FunctionContext implements HandlerContext {
  readonly #step: Step;
  readonly #allowed: ReadonlyMap<string, 'always' | 'never' | undefined>;
  #session: HandlerSession | undefined;
  #tools: HandlerContext['tools'] | undefined;

  constructor(step: Step, allowed: ReadonlyMap<string, 'always' | 'never' | undefined>, session?: HandlerSession) {
    this.#step = step;
    this.#allowed = allowed;
    this.#session = session;
  }

  get node(): string {
    return this.#step.node;
  }

  get signal(): AbortSignal {
    return this.#step.ctx.signal;
  }

  get services(): Readonly<Record<string, unknown>> {
    return this.#step.ctx.services;
  }

  get tools(): HandlerContext['tools'] {
    this.#tools ??= Object.fromEntries([...this.#allowed.keys()].map((name) => [name, (input: Json = {}) => this.#call(name, input)]));
    return this.#tools;
  }

  // Functions are made when they are asked for, so that they can be taken out of the context and cost nothing where they are not used.

  get now(): HandlerContext['now'] {
    return () => this.#opened.now;
  }

  get random(): HandlerContext['random'] {
    return () => this.#opened.random();
  }

  get log(): HandlerContext['log'] {
    return (...values) => this.#opened.log(values.map((value) => JSON.parse(JSON.stringify(value) ?? 'null') as Json));
  }

  get suspend(): HandlerContext['suspend'] {
    return () => {
      throw suspendRefused(this.node);
    };
  }

  /** The handler's result once it is there, or the cancellation, whichever comes first. */
  settled(result: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const forget = onAbort(this.signal, () => reject(cancelled(this.node)));
      const fail = (error: unknown): void => {
        forget();
        reject(thrownBy(this.#step, error));
      };
      Promise.resolve(result).then((value) => {
        forget();
        // Calls that the handler did not wait for belong to its step all the same.
        if (this.#session) this.#session.close().then(() => resolve(value), fail);
        else resolve(value);
      }, fail);
    });
  }

  get #opened(): HandlerSession {
    this.#session ??= new HandlerSession(this.#step, this.#allowed);
    return this.#session;
  }

  async #call(name: string, input: Json): Promise<Json> {
    const answer = await this.#opened.call(name, input);
    if (answer === null) throw this.#opened.failure ?? cannotWait(this.node, name);
    if ('error' in answer) throw answer.error;
    return answer.result;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
