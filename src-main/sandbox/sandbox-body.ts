import type { BodyOf } from '#main/engine/bodies/body.ts';
import { HandlerSession } from '#main/engine/bodies/handler-session.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { type AllowedTools, allowedTools } from '#main/engine/tool-calls/tool-policy.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { LentSandbox } from './idle-sandboxes.ts';
import { type GuestError, type GuestOutcome, type Invocation, overranBudget, type Sandbox, SandboxBreach } from './sandbox.ts';
import { SandboxToolCalls } from './sandbox-tool-calls.ts';
import { stripTypes } from './strip-types.ts';

/** Characters that are kept of what a body threw. */
const longestWords = 10_000;

/** Milliseconds that a body may compute in one step. */
const computingTime = 5000;

/** A body that can be called: its code, and the tools that it names. */
interface SandboxBody {
  readonly code: string;
  readonly allowed: AllowedTools;
  readonly tools: readonly string[];
}

/** A function's source, run in the sandbox. The run keeps its virtual machine as long as it is in memory. */
export function evaluateSandboxBody(body: BodyOf<'run'>): EvaluateBody {
  const allowed = allowedTools(body.tools);
  const tools = [...allowed.keys()];
  let ready: SandboxBody | undefined;
  return (step) => {
    const { sandbox } = step.run.resources;
    if (ready !== undefined && tools.length === 0 && sandbox instanceof LentSandbox && sandbox.usable) {
      return new SandboxCall(step, ready).start(sandbox.sandbox);
    }
    return startLater(step, async () => {
      ready ??= { code: await readCode(body), allowed, tools };
      return ready;
    });
  };
}

async function startLater(step: Step, read: () => Promise<SandboxBody>): Promise<unknown> {
  const body = await read();
  const session = body.tools.length > 0 ? await HandlerSession.recorded(step, body.allowed) : undefined;
  const { resources } = step.run;
  const known = resources.sandbox;
  const lent = known instanceof LentSandbox && known.usable ? known : await LentSandbox.of(step.run.plan);
  resources.sandbox = lent;
  return new SandboxCall(step, body, session).start(lent.sandbox);
}

/** The body's function as JavaScript. The parsers are loaded at the first body: they are larger than the engine. */
async function readCode(body: BodyOf<'run'>): Promise<string> {
  const { readRunFileSource, readRunSource } = await import('#shared/flow/source/body-source.ts');
  const read = body.file === undefined ? readRunSource(body.source, stripTypes) : readRunFileSource(body.source, stripTypes);
  if (read.ok) return read.code;
  const { message, line, column } = read.fault;
  throw new FlowError(
    'BuildError',
    `The body cannot be read: ${message} (${body.file ? `${body.file}, ` : ''}line ${line}, column ${column}).`,
  );
}

/** One step of one body. */
class SandboxCall implements Invocation {
  readonly budget = computingTime;
  readonly #step: Step;
  readonly #body: SandboxBody;
  #session: HandlerSession | undefined;
  #toolCalls: SandboxToolCalls | undefined;
  #logFailure: unknown;

  /** `session`: what the body gets of the world, where that is on record already. */
  constructor(step: Step, body: SandboxBody, session?: HandlerSession) {
    this.#step = step;
    this.#body = body;
    this.#session = session;
  }

  get code(): string {
    return this.#body.code;
  }

  get node(): string {
    return this.#step.node;
  }

  get tools(): readonly string[] {
    return this.#body.tools;
  }

  get args(): string {
    return JSON.stringify(this.#step.values);
  }

  get now(): number {
    return this.#session?.now ?? this.#step.now;
  }

  get watched(): boolean {
    return this.#step.ctx.bodies !== undefined;
  }

  get stopped(): boolean {
    const { ctx } = this.#step;
    return ctx.signal.aborted || ctx.stopRequested?.() === true;
  }

  seed(): number {
    return this.#opened.seed;
  }

  log(values: unknown): void {
    try {
      this.#opened.log(values as readonly Json[]);
    } catch (error) {
      this.#logFailure = error;
      throw error;
    }
  }

  call(id: number, name: string, input: unknown): void {
    this.#toolCalls ??= new SandboxToolCalls(this.#opened);
    this.#toolCalls.start(id, name, input as Json);
  }

  /** The body's result; a promise only where it waits for the host. */
  start(sandbox: Sandbox): unknown {
    if (this.#step.ctx.bodies?.begin() === false) throw this.#failed(`was ended: ${overranBudget(computingTime)}`, {});
    const outcome = this.#guarded(sandbox, () => sandbox.invoke(this));
    if (this.#toolCalls || outcome.type === 'open') return this.#finish(sandbox, outcome);
    return this.#result(outcome);
  }

  async #finish(sandbox: Sandbox, first: GuestOutcome): Promise<unknown> {
    let outcome = first;
    while (outcome.type === 'open') {
      const toolCalls = this.#toolCalls;
      if (!(await toolCalls?.arrived())) throw this.#failed('waits for a promise that nothing will settle', {});
      if (this.#opened.stopped) break;
      outcome = this.#guarded(sandbox, () => {
        toolCalls?.deliver(sandbox);
        return sandbox.run();
      });
    }
    // A body that is left in the middle leaves its functions behind: they go with their machine.
    if (outcome.type === 'open') sandbox.dispose();
    await this.#opened.close();
    return this.#result(outcome);
  }

  /** Opened at its first use: most bodies look at nothing but their arguments. */
  get #opened(): HandlerSession {
    this.#session ??= new HandlerSession(this.#step, this.#body.allowed);
    return this.#session;
  }

  #result(outcome: GuestOutcome): unknown {
    if (this.#logFailure) throw this.#logFailure;
    if (outcome.type === 'error') throw this.#thrown(outcome.error);
    if (outcome.type === 'impure') throw this.#step.notJson(outcome.impurity);
    return outcome.type === 'value' ? outcome.value : undefined;
  }

  #guarded(sandbox: Sandbox, work: () => GuestOutcome): GuestOutcome {
    const { bodies } = this.#step.ctx;
    try {
      bodies?.enter();
      return work();
    } catch (error) {
      sandbox.dispose();
      if (this.stopped) throw cancelled(this.node);
      if (error instanceof SandboxBreach) throw this.#failed(`was ended: ${error.message}`, {});
      throw error;
    } finally {
      bodies?.leave();
    }
  }

  #thrown({ name, message, stack, retryable, failure }: GuestError): FlowError {
    const cause = failure === undefined ? undefined : this.#toolCalls?.failure(failure);
    const said = (name && name !== 'Error' ? `${name}: ${message}` : message).replace(/\.$/, '');
    // The text is stored in the journal, sent in events and shown on screen, and a body may throw as much as its memory holds.
    return this.#failed(`failed: ${said.slice(0, longestWords)}`, {
      retryable: retryable ?? true,
      details: stack ? { stack: stack.slice(0, longestWords) } : {},
      ...(cause instanceof ToolError && { cause: cause.toJSON() }),
    });
  }

  #failed(message: string, options: ConstructorParameters<typeof FlowError>[2]): FlowError {
    return new FlowError('HandlerError', `The body of ${this.node} ${message}.`, { node: this.node, ...options });
  }
}
