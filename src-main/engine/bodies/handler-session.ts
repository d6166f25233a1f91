import { StepSuspended } from '#main/engine/step/draft.ts';
import { recordedTime } from '#main/engine/step/recorded-time.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { CallOutcome } from '#main/engine/tool-calls/tool-call.ts';
import { argsHash } from '#main/engine/tool-calls/tool-call-events.ts';
import type { AllowedTools, CallPolicy } from '#main/engine/tool-calls/tool-policy.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { HandlerState, PendingCall } from '#shared/run/snapshot.ts';
import { seededRandom, seedOf } from './seeded-random.ts';

const maxLogLines = 1000;

/** Loaded at the first call: most handlers make none, and templates bring a parser along. */
let toolCalls: typeof import('#main/engine/tool-calls/tool-call.ts') | undefined;

/** The result of a call, or its failure to throw inside the handler. */
export type HandlerCallResult = { readonly result: Json } | { readonly error: Error };

/**
 * What one handler can use during one step: a fixed clock, seeded random numbers, a log, tools.
 * When the handler runs again after an answer, calls that it had made before are found by tool and input and are not made again.
 */
export class HandlerSession {
  readonly #step: Step;
  readonly #policy: CallPolicy;
  readonly #now: number;
  readonly #seed: number;
  readonly #since: number | undefined;
  readonly #earlier: PendingCall[];
  readonly #calls = new Map<string, PendingCall>();
  /** By the call that asks. */
  readonly #suspensions = new Map<string, Suspension>();
  readonly #underWay = new Set<Promise<unknown>>();
  #failure: unknown;
  #random: (() => number) | undefined;
  #lines = 0;

  constructor(step: Step, allowed: AllowedTools, now = step.now) {
    const state = step.run.control.handlers[step.node];
    this.#step = step;
    this.#policy = { allowed, source: 'code', tainted: false, codeFollows: true };
    this.#now = state?.now ?? now;
    this.#seed = state?.seed ?? seedOf(step.contextRunId, step.ready);
    this.#since = state?.since;
    this.#earlier = [...(state?.calls ?? [])];
  }

  /** A session whose time is on record before the handler does anything outside. */
  static async recorded(step: Step, allowed: AllowedTools): Promise<HandlerSession> {
    if (step.run.control.handlers[step.node]) return new HandlerSession(step, allowed);
    return new HandlerSession(step, allowed, await recordedTime(step, 'now'));
  }

  /** The session of plain code: where its calls are on record, its time is, too, so that done again it makes the very same calls. */
  static forCode(step: Step, allowed: AllowedTools): HandlerSession | Promise<HandlerSession> {
    return step.run.recorder && allowed.size > 0 ? HandlerSession.recorded(step, allowed) : new HandlerSession(step, allowed);
  }

  get now(): number {
    return this.#now;
  }

  get seed(): number {
    return this.#seed;
  }

  /** True once a tool has asked a question or failed the step: the handler is abandoned. */
  get stopped(): boolean {
    return this.#suspensions.size > 0 || this.#failure !== undefined;
  }

  /** Ids of the calls on record that the handler has not made again. */
  get unmade(): readonly PendingCall[] {
    return this.#earlier;
  }

  /** What fails the step although the handler may not see it: a secret in a result, a cancellation. */
  get failure(): unknown {
    return this.#failure;
  }

  random(): number {
    this.#random ??= seededRandom(this.#seed);
    return this.#random();
  }

  /** Emits one line of the run's log. Throws `SerializeError` past the limit. */
  log(values: readonly Json[]): void {
    this.#lines += 1;
    if (this.#lines > maxLogLines) {
      throw new FlowError(
        'SerializeError',
        `${this.#step.node} writes more than ${maxLogLines.toLocaleString('en')} log lines in one step.`,
        { node: this.#step.node },
      );
    }
    if (this.#step.listening) this.#step.emit({ type: 'log', node: this.#step.node, level: 'info', values: [...values] });
  }

  /**
   * Calls a tool. Resolves to null when the call has no result for the handler: the user is asked first, or the step fails.
   */
  async call(tool: string, input: Json): Promise<HandlerCallResult | null> {
    if (this.stopped) return null;
    const work = this.#callTool(tool, input);
    this.#underWay.add(work);
    try {
      return this.#take(await work);
    } catch (error) {
      this.#failure = error;
      return null;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /** Waits for pending calls, then throws what ends the step: a failure, or `StepSuspended` with everything done so far. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay]);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#suspensions.size === 0) return;
    const suspensions = [...this.#calls.keys()].flatMap((id) => this.#suspensions.get(id) ?? []);
    const calls = [...this.#calls.values(), ...this.#earlier];
    const handler: HandlerState = { now: this.#now, seed: this.#seed, calls, ...(this.#since !== undefined && { since: this.#since }) };
    throw new StepSuspended({ type: 'suspended', suspensions, handler });
  }

  async #callTool(tool: string, input: Json): Promise<CallOutcome> {
    toolCalls ??= await import('#main/engine/tool-calls/tool-call.ts');
    const known = this.#recorded(tool, input);
    const call = known ?? { tool_call_id: this.#newCallId(tool, input), tool, input };
    this.#calls.set(call.tool_call_id, call);
    return toolCalls.callTool(this.#step, call, this.#policy, known === undefined);
  }

  #take(outcome: CallOutcome): HandlerCallResult | null {
    this.#calls.set(outcome.call.tool_call_id, outcome.call);
    if (outcome.type === 'suspended') {
      this.#suspensions.set(outcome.call.tool_call_id, outcome.suspension);
      return null;
    }
    if (this.stopped) return null;
    const { value, error } = outcome.call.result;
    return error ? { error: fromTransferable(error) } : { result: value };
  }

  /** The call with these arguments that the handler had made when it ran before. */
  #recorded(tool: string, input: Json): PendingCall | undefined {
    const hash = argsHash(input);
    const index = this.#earlier.findIndex((call) => call.tool === tool && argsHash(call.input) === hash);
    return index < 0 ? undefined : this.#earlier.splice(index, 1)[0];
  }

  /** Made of what is called, not of the order of calls, so that it is the same when the handler is run again after a crash. */
  #newCallId(tool: string, input: Json): string {
    const stem = `call_${this.#step.run.engine < 3 ? (this.#since ?? this.#step.seq) : this.#step.ready}_${argsHash([tool, input]).slice(0, 12)}`;
    let id = stem;
    for (let times = 2; this.#calls.has(id); times += 1) id = `${stem}_${times}`;
    return id;
  }
}
