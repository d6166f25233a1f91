import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { NotJson } from '#main/engine/values/freeze-json.ts';
import { guestProgram } from './guest.ts';
import { TimeIsUp, withTimeLimit } from './time-limit.ts';

const memoryLimit = 64 * 1024 * 1024;
const stackLimit = 1024 * 1024;
const rememberedBodies = 1000;

/** A body that took longer than this, in milliseconds, is slow: its next call is made under a time limit. */
const quickCall = 1;

/**
 * Inside a built-in function, a body that no other thread watches is ended after its budget times this, by the clock. More than once, since the clock
 * also runs while a busy machine leaves the thread waiting.
 */
const clockTolerance = 2;

/** An error that a body threw, as the virtual machine describes it. */
export interface GuestError {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly retryable?: boolean;
  /** Number of the tool call whose failure this is. */
  readonly failure?: number;
}

/** A body's outcome so far. */
export type GuestOutcome =
  | { readonly type: 'value'; readonly value: unknown }
  /** The body returned what JSON cannot carry. */
  | { readonly type: 'impure'; readonly impurity: NotJson }
  | { readonly type: 'error'; readonly error: GuestError }
  | { readonly type: 'open' };

/** The limits of the sandbox were overrun. The virtual machine cannot be used any more. */
export class SandboxBreach extends Error {}

/** The message for a body that exceeded its computing budget in milliseconds. */
export const overranBudget = (budget: number): string => `it computed for more than ${budget / 1000} s`;

/** One call of a body: what it is given, and what it may ask of the host while it runs. */
export interface Invocation {
  readonly code: string;
  readonly node: string;
  /** JSON text of the list of arguments. */
  readonly args: string;
  readonly tools: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds of computing. */
  readonly budget: number;
  /** True where another thread ends this one when the body's time is up. */
  readonly watched: boolean;
  /** True once the run is to stop. Asked while the body computes. */
  readonly stopped: boolean;
  /** Seed of the step's random numbers. */
  seed(): number;
  log(values: unknown): void;
  /** Calls a tool; its result comes by `settle`, under this number. */
  call(id: number, name: string, input: unknown): void;
}

/** The functions of the guest program. */
interface Guest {
  readonly contextOf: QuickJSHandle;
  readonly bodyOf: QuickJSHandle;
  readonly outcome: QuickJSHandle;
  readonly settle: QuickJSHandle;
}

/**
 * A virtual machine (QuickJS in WebAssembly) that runs bodies and in which nothing lasts: everything that a body can reach is frozen,
 * and the body's function is created for every call. A machine whose limits were overrun is thrown away (`usable` is false).
 *
 * QuickJS asks whether to continue at every call and loop iteration of the body, but not inside its built-in functions. Where another thread watches, that
 * one ends such a body. Elsewhere a time limit does, for those calls that may turn out to be slow: the first of a body, one after a call that took
 * more than a millisecond, and one with an input that is more than twice as long as any that the body was quick with.
 */
export class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #guest: Guest;
  /** What makes the function of a body, by the body's code. */
  readonly #factories = new Map<string, QuickJSHandle>();
  /** What runs the body of a node, by node. */
  readonly #bodies = new Map<string, { readonly code: string; readonly handle: QuickJSHandle }>();
  /** The longest input that a body was quick with; 0 after a slow call. By the body's code. */
  readonly #quickWith = new Map<string, number>();
  /** Milliseconds that the step has computed, and since when (by the same clock) it computes now. */
  #used = 0;
  #since: number | undefined;
  /** Which limit the step has overrun. */
  #overrun: string | undefined;
  #current: Invocation | undefined;
  #usable = true;

  private constructor(module: QuickJSWASMModule) {
    this.#runtime = module.newRuntime({ memoryLimitBytes: memoryLimit, maxStackSizeBytes: stackLimit });
    this.#runtime.setInterruptHandler(() => this.#isOver());
    this.#context = this.#runtime.newContext();
    this.#guest = this.#install();
  }

  /** Makes a machine in a WebAssembly module of its own, so that all of its memory goes with it. */
  static async create(): Promise<Sandbox> {
    // The one build that is used: the package `quickjs-emscripten` brings four of them, 10 MB.
    const [{ newQuickJSWASMModuleFromVariant }, { default: variant }] = await Promise.all([
      import('quickjs-emscripten-core'),
      import('@jitl/quickjs-wasmfile-release-sync'),
    ]);
    return new Sandbox(await newQuickJSWASMModuleFromVariant(variant));
  }

  get usable(): boolean {
    return this.#usable;
  }

  /** Calls a body. `settle` and `run` continue what it leaves pending. Throws `SandboxBreach`. */
  invoke(invocation: Invocation): GuestOutcome {
    this.#current = invocation;
    this.#used = 0;
    if (invocation.watched) return this.#invoke(invocation, invocation.args);
    const { code, args } = invocation;
    const limited = args.length > 2 * (this.#quickWith.get(code) ?? 0);
    const began = performance.now();
    const outcome = limited ? this.#limited(() => this.#invoke(invocation, args)) : this.#invoke(invocation, args);
    const quick = performance.now() - began < quickCall;
    if (limited || !quick) this.#quickWith.set(code, quick ? args.length : 0);
    return outcome;
  }

  #invoke(invocation: Invocation, args: string): GuestOutcome {
    const vm = this.#context;
    const text = this.#compute(() => {
      const body = this.#bodyOf(invocation);
      const given = vm.newString(args);
      const result = vm.callFunction(body, vm.undefined, given);
      given.dispose();
      return this.#text(result);
    });
    if (!this.#runtime.hasPendingJob()) return outcomeOf(text);
    return text === 'p' ? this.#run() : this.#drained(outcomeOf(text));
  }

  /** Runs what can continue without the host. Throws `SandboxBreach`. */
  run(): GuestOutcome {
    return this.#current?.watched ? this.#run() : this.#limited(() => this.#run());
  }

  #run(): GuestOutcome {
    this.#runJobs();
    const vm = this.#context;
    return outcomeOf(this.#compute(() => this.#text(vm.callFunction(this.#guest.outcome, vm.undefined))) || 'p');
  }

  /** Gives the body the result of a tool call, or its failure (`{message, variant, code}`). */
  settle(id: number, ok: boolean, result: unknown): void {
    const vm = this.#context;
    this.#compute(() => {
      const text = vm.newString(JSON.stringify(result));
      const number = vm.newNumber(id);
      const settled = vm.callFunction(this.#guest.settle, vm.undefined, number, ok ? vm.true : vm.false, text);
      number.dispose();
      text.dispose();
      if (settled.error) throw this.#breach(settled.error);
      settled.value.dispose();
    });
  }

  /** Discards the machine. Its memory is freed once nothing references it. */
  dispose(): void {
    this.#usable = false;
  }

  #install(): Guest {
    const vm = this.#context;
    const log = vm.newFunction('log', (text) => {
      this.#current?.log(JSON.parse(vm.getString(text)));
    });
    const call = vm.newFunction('call', (id, name, input) => {
      this.#current?.call(vm.getNumber(id), vm.getString(name), JSON.parse(vm.getString(input)));
    });
    const now = vm.newFunction('now', () => vm.newNumber(this.#current?.now ?? 0));
    const seed = vm.newFunction('seed', () => vm.newNumber(this.#current?.seed() ?? 0));
    const program = vm.unwrapResult(vm.evalCode(guestProgram, 'pravah.js'));
    const guest = vm.unwrapResult(vm.callFunction(program, vm.undefined, log, call, now, seed));
    for (const handle of [log, call, now, seed, program]) handle.dispose();
    const [contextOf, bodyOf, outcome, settle] = ['contextOf', 'bodyOf', 'outcome', 'settle'].map((name) => vm.getProp(guest, name));
    guest.dispose();
    return { contextOf, bodyOf, outcome, settle } as Guest;
  }

  /** Items of an `each` node give its nodes new ids all the time, so what is cached for them is dropped now and then. */
  #bodyOf({ node, code, tools }: Invocation): QuickJSHandle {
    const known = this.#bodies.get(node);
    if (known?.code === code) return known.handle;
    if (this.#bodies.size >= rememberedBodies) {
      for (const { handle } of this.#bodies.values()) handle.dispose();
      this.#bodies.clear();
    }
    known?.handle.dispose();
    const vm = this.#context;
    const names = [vm.newString(node), vm.newString(JSON.stringify(tools))];
    const context = this.#made(vm.callFunction(this.#guest.contextOf, vm.undefined, ...names));
    const handle = this.#made(vm.callFunction(this.#guest.bodyOf, vm.undefined, this.#factory(code), context));
    for (const each of [...names, context]) each.dispose();
    this.#bodies.set(node, { code, handle });
    return handle;
  }

  /** A function that makes the body's function: compiled once, called for every step. */
  #factory(code: string): QuickJSHandle {
    const known = this.#factories.get(code);
    if (known) return known;
    const vm = this.#context;
    const made = this.#made(vm.evalCode(`(function () { "use strict"; return (${code}\n); })`, 'body.js'));
    this.#factories.set(code, made);
    return made;
  }

  #made(result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
    if (result.error) throw this.#breach(result.error);
    return result.value;
  }

  #drained(outcome: GuestOutcome): GuestOutcome {
    this.#runJobs();
    return outcome;
  }

  #runJobs(): void {
    this.#compute(() => {
      const ran = this.#runtime.executePendingJobs();
      if (ran.error) throw this.#breach(ran.error);
    });
  }

  /** Asked by the machine every few thousand operations, so short bodies pay nothing for it. */
  #isOver(): boolean {
    if (!this.#current) return false;
    const now = computedMilliseconds();
    this.#since ??= now;
    if (this.#current.stopped) this.#overrun = 'it was stopped';
    else if (this.#used + now - this.#since > this.#current.budget) this.#overrun = overranBudget(this.#current.budget);
    return this.#overrun !== undefined;
  }

  /** Ends what still computes when its time is up, inside a built-in function too. */
  #limited<Result>(work: () => Result): Result {
    const budget = this.#current?.budget ?? 0;
    try {
      return withTimeLimit(work, clockTolerance * budget);
    } catch (error) {
      if (!(error instanceof TimeIsUp)) throw error;
      this.#usable = false;
      throw new SandboxBreach(overranBudget(budget));
    }
  }

  /** Lets the machine compute, and counts how long. */
  #compute<Result>(work: () => Result): Result {
    try {
      const result = work();
      // Inside a promise's job the interruption does not come out as one.
      if (this.#overrun !== undefined) throw new SandboxBreach(this.#overrun);
      return result;
    } catch (error) {
      this.#usable = false;
      if (this.#overrun !== undefined) throw new SandboxBreach(this.#overrun);
      if (error instanceof SandboxBreach) throw error;
      // The module itself gave up (its own stack or memory).
      throw new SandboxBreach(`the sandbox broke down (${error instanceof Error ? error.message : String(error)})`);
    } finally {
      if (this.#since !== undefined) this.#used += computedMilliseconds() - this.#since;
      this.#since = undefined;
    }
  }

  #text(result: ReturnType<QuickJSContext['callFunction']>): string {
    const value = this.#made(result);
    const text = this.#context.getString(value);
    value.dispose();
    return text;
  }

  #breach(error: QuickJSHandle): SandboxBreach {
    this.#usable = false;
    const { name, message } = this.#context.dump(error) as { readonly name?: string; readonly message?: string };
    error.dispose();
    if (message === 'out of memory') return new SandboxBreach('it used more than 64 MiB of memory');
    return new SandboxBreach(`${name ?? 'Error'}: ${message ?? 'unknown'}`);
  }
}

/** CPU time of this thread, so that a busy machine takes nothing from a body; wall-clock time where the platform has no such clock. */
function computedMilliseconds(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function outcomeOf(text: string): GuestOutcome {
  switch (text[0]) {
    case 'u':
      return { type: 'value', value: undefined };
    case 'e':
      return { type: 'error', error: JSON.parse(text.slice(1)) as GuestError };
    case 'i':
      return { type: 'impure', impurity: JSON.parse(text.slice(1)) as NotJson };
    case 'p':
      return { type: 'open' };
    default:
      // No JSON begins with one of these letters.
      return { type: 'value', value: JSON.parse(text) };
  }
}
