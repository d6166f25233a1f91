import type { BodyOf } from '#main/runtime/bodies/body.ts';
import { HandlerSession } from '#main/runtime/handler-session.ts';
import type { EvaluateBody } from '#main/runtime/plan.ts';
import { type GuestError, type GuestOutcome, Sandbox, SandboxBreach } from '#main/runtime/sandbox/sandbox.ts';
import type { Step } from '#main/runtime/step.ts';
import { cancelled } from '#main/runtime/step-failure.ts';
import { type AllowedTools, allowedTools } from '#main/runtime/tool-policy.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/runtime/error.ts';

/** Milliseconds that a body may compute in one step. */
const computingTime = 5000;

/** A function's source, run in the sandbox. The virtual machine lives as long as the run is in memory. */
export function evaluateSandboxBody(body: BodyOf<'run'>): EvaluateBody {
  const allowed = allowedTools(body.tools);
  const tools = [...allowed.keys()];
  let code: string | undefined;
  return (step) => {
    const { sandbox } = step.run.resources;
    if (code !== undefined && tools.length === 0 && sandbox instanceof Sandbox && sandbox.usable) {
      return new SandboxCall(step, code, tools, new HandlerSession(step, allowed)).start(sandbox);
    }
    return startLater(step, allowed, async () => {
      code ??= await readCode(body);
      return code;
    });
  };
}

async function startLater(step: Step, allowed: AllowedTools, read: () => Promise<string>): Promise<unknown> {
  const code = await read();
  const tools = [...allowed.keys()];
  const session = tools.length > 0 ? await HandlerSession.recorded(step, allowed) : new HandlerSession(step, allowed);
  const { resources } = step.run;
  const known = resources.sandbox;
  const sandbox = known instanceof Sandbox && known.usable ? known : await Sandbox.create();
  resources.sandbox = sandbox;
  return new SandboxCall(step, code, tools, session).start(sandbox);
}

/** The body's function as JavaScript. The parsers are loaded at the first body: they are larger than the engine. */
async function readCode(body: BodyOf<'run'>): Promise<string> {
  const { readRunFileSource, readRunSource } = await import('#shared/flow/source/body-source.ts');
  const read = body.file === undefined ? readRunSource(body.source) : readRunFileSource(body.source);
  if (read.ok) return read.code;
  const { message, line, column } = read.fault;
  throw new FlowError(
    'BuildError',
    `The body cannot be read: ${message} (${body.file ? `${body.file}, ` : ''}line ${line}, column ${column}).`,
  );
}

interface Delivery {
  readonly id: number;
  readonly ok: boolean;
  readonly result: unknown;
}

/** One step of one body. */
class SandboxCall {
  readonly #step: Step;
  readonly #code: string;
  readonly #tools: readonly string[];
  readonly #session: HandlerSession;
  readonly #deliveries: Delivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures = new Map<number, Error>();
  #logFailure: unknown;

  constructor(step: Step, code: string, tools: readonly string[], session: HandlerSession) {
    this.#step = step;
    this.#code = code;
    this.#tools = tools;
    this.#session = session;
  }

  /** The body's result; a promise only where it waits for the host. */
  start(sandbox: Sandbox): unknown {
    const outcome = this.#guarded(sandbox, () =>
      sandbox.invoke({
        code: this.#code,
        node: this.#step.node,
        args: JSON.stringify(this.#step.values),
        tools: this.#tools,
        now: this.#session.now,
        seed: this.#session.seed,
        calls: { log: (values) => this.#log(values), tool: (id, name, input) => this.#call(id, name, input as Json) },
        budget: computingTime,
        stopped: () => this.#stopped(),
      }),
    );
    if (this.#underWay.size > 0 || outcome.type === 'open') return this.#finish(sandbox, outcome);
    return this.#result(outcome);
  }

  async #finish(sandbox: Sandbox, first: GuestOutcome): Promise<unknown> {
    let outcome = first;
    while (outcome.type === 'open' && !this.#session.stopped) {
      if (this.#deliveries.length === 0) {
        if (this.#underWay.size === 0) throw this.#hangs();
        await Promise.race(this.#underWay);
        continue;
      }
      outcome = this.#guarded(sandbox, () => {
        for (const { id, ok, result } of this.#deliveries.splice(0)) sandbox.settle(id, ok, result);
        return sandbox.run();
      });
    }
    // A body that is left in the middle leaves its functions behind: they go with their machine.
    if (outcome.type === 'open') sandbox.dispose();
    await this.#session.close();
    return this.#result(outcome);
  }

  #result(outcome: GuestOutcome): unknown {
    if (this.#logFailure) throw this.#logFailure;
    if (outcome.type === 'error') throw this.#thrown(outcome.error);
    return outcome.type === 'value' ? outcome.value : undefined;
  }

  #guarded(sandbox: Sandbox, work: () => GuestOutcome): GuestOutcome {
    try {
      return work();
    } catch (error) {
      sandbox.dispose();
      if (this.#stopped()) throw cancelled(this.#step.node);
      if (error instanceof SandboxBreach) throw this.#failed(`was ended: ${error.message}`, {});
      throw error;
    }
  }

  #stopped(): boolean {
    const { ctx } = this.#step;
    return ctx.signal.aborted || ctx.stopRequested?.() === true;
  }

  #log(values: unknown): void {
    try {
      this.#session.log(values as readonly Json[]);
    } catch (error) {
      this.#logFailure = error;
      throw error;
    }
  }

  #call(id: number, name: string, input: Json): void {
    const work = this.#deliver(id, name, input).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #deliver(id: number, name: string, input: Json): Promise<void> {
    const answer = await this.#session.call(name, input);
    if (answer === null) return;
    if ('result' in answer) {
      this.#deliveries.push({ id, ok: true, result: answer.result });
      return;
    }
    const { error } = answer;
    this.#failures.set(id, error);
    const { variant, code } = error instanceof ToolError ? error.toJSON() : { variant: 'Other', code: '' };
    this.#deliveries.push({ id, ok: false, result: { message: error.message, variant, code } });
  }

  #hangs(): FlowError {
    return this.#failed('waits for a promise that nothing will settle', {});
  }

  #thrown({ name, message, stack, retryable, failure }: GuestError): FlowError {
    const cause = failure === undefined ? undefined : this.#failures.get(failure);
    const said = name && name !== 'Error' ? `${name}: ${message}` : message;
    return this.#failed(`failed: ${said}`, {
      retryable: retryable ?? true,
      details: stack ? { stack } : {},
      ...(cause instanceof ToolError && { cause: cause.toJSON() }),
    });
  }

  #failed(message: string, options: ConstructorParameters<typeof FlowError>[2]): FlowError {
    return new FlowError('HandlerError', `The body of ${this.#step.node} ${message}.`, { node: this.#step.node, ...options });
  }
}
