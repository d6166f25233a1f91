import type { Context } from '#main/engine/ports/context.ts';
import type { Gate, GateCall, GateResult } from '#main/engine/ports/gate.ts';
import { type CallDecision, type DecidedCall, type Recorder, type StepRecord, UnknownOutcome } from '#main/engine/ports/recorder.ts';
import type { OutputPoint, Supply } from '#main/engine/ports/supply.ts';
import { callFailure, isResultOfCall } from '#main/engine/step/call-failure.ts';
import type { CalledRun, Caller } from '#main/engine/step/caller.ts';
import { sumCounters } from '#main/engine/step/counters.ts';
import { type FlowTool, nameOfFlow } from '#main/engine/step/flow-tool.ts';
import { recordedTime } from '#main/engine/step/recorded-time.ts';
import { tracedInside } from '#main/engine/step/run-trace.ts';
import type { Step } from '#main/engine/step/step.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { type Json, toJson } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import type { RunEvent, Suspension } from '#shared/run/event.ts';
import { callFrameKey } from '#shared/run/node-id.ts';
import type { Counters, FlowCall, PendingCall, RunOutcome } from '#shared/run/snapshot.ts';

/** The outcome of a call of a flow: its output, or a question of one of its nodes. */
export type FlowOutcome =
  | { readonly type: 'finished'; readonly output: Json }
  | { readonly type: 'suspended'; readonly flow: FlowCall; readonly question: Suspension };

/** How long steps that wait for nothing may keep other work of this thread waiting, in milliseconds. */
const yieldInterval = 50;

/**
 * Runs a flow as one tool call of a step. It runs until it ends or asks the user; its side effects are effects of the step, so
 * after a crash the repeated call finds their outcomes. While it waits, the call keeps it as a snapshot.
 */
export class FlowCallRun {
  readonly #step: Step;
  readonly #call: PendingCall;
  readonly #tool: FlowTool;
  readonly #tainted: boolean;
  /** Why the recorder could not do its part: that is no failure of the called flow. */
  #unrecorded: unknown;
  /** The called flow's last step, which is no record of the run. */
  #made: StepRecord | undefined;

  /** `tainted`: the caller has read content from outside. */
  constructor(step: Step, call: PendingCall, tool: FlowTool, tainted: boolean) {
    this.#step = step;
    this.#tainted = tainted;
    this.#call = call;
    this.#tool = tool;
  }

  /** Begins with this input. Throws `ToolError` when the flow fails, and what fails the caller's step. */
  async start(input: Json): Promise<FlowOutcome> {
    const step = this.#step;
    const now = step.run.recorder ? await recordedTime(step, `${this.#call.tool_call_id}/now`) : step.now;
    return this.#guarded(() => this.#drive(this.#open({ input }, now), now));
  }

  /** Continues the waiting flow from the answer to its question. */
  async goOn(waited: FlowCall, payload: Json): Promise<FlowOutcome> {
    const [question] = waited.snapshot.control.suspensions;
    if (!question) throw new FlowError('SnapLoadError', `${this.#tool.name} waits, and asks nothing.`, { node: this.#step.node });
    return this.#guarded(() => this.#drive(this.#open({ waited }, waited.now), waited.now, { question, payload }));
  }

  #open(start: { readonly input: Json } | { readonly waited: FlowCall }, now: number): CalledRun {
    const { run } = this.#step;
    const recorder = this.#recorder;
    const prefix = `${this.#step.node}::${this.#tool.name}::`;
    const models = Object.entries(run.models).flatMap(([node, url]) => {
      if (node === anyAgent) return [[node, url]];
      return node.startsWith(prefix) ? [[node.slice(prefix.length), url]] : [];
    });
    return run.openCalled(this.#tool.graph, start, {
      run_id: `${this.#step.contextRunId}/${this.#call.tool_call_id}`,
      // Its transitions are part of one step: they have no records in which it could open frames.
      engine: 1,
      models: Object.fromEntries(models) as Record<string, string>,
      caller: this.#caller(now),
      ...(recorder && { recorder }),
    });
  }

  async #drive(run: CalledRun, now: number, answer?: { readonly question: Suspension; readonly payload: Json }): Promise<FlowOutcome> {
    const around = this.#step.ctx;
    const gate = this.#gateIn(run);
    const ctx: Context = {
      ...around,
      ...tracedInside(this.#step),
      ...this.#supply,
      // A breakpoint may be set while the call is in progress.
      get gate() {
        return around.gate && gate;
      },
      onEvent: this.#step.listening ? (event: RunEvent) => this.#tell(event) : undefined,
    };
    let counted = run.counters;
    const count = (): void => {
      this.#step.spend(difference(run.counters, counted));
      counted = run.counters;
    };
    try {
      let outcome: RunOutcome = { type: 'continue' };
      if (answer) {
        const { tool_id, tool_call_id } = answer.question;
        outcome = await run.resume(ctx, tool_id, answer.payload, { tool_call_id });
        count();
      }
      let yielded = performance.now();
      while (outcome.type === 'continue') {
        outcome = await (ctx.gate === undefined ? run.next(ctx) : this.#nextHeld(run, ctx));
        count();
        if (performance.now() - yielded < yieldInterval) continue;
        await new Promise(setImmediate);
        yielded = performance.now();
      }
      if (outcome.type === 'done') return { type: 'finished', output: outcome.output };
      const { type: _type, ...question } = outcome;
      return { type: 'suspended', flow: { snapshot: run.snapshot(), history: run.history(), now }, question: this.#asCallers(question) };
    } finally {
      run.dispose();
    }
  }

  /** Makes the called flow's next step. Waits where a debugger holds it before the step, and after it. */
  async #nextHeld(run: CalledRun, ctx: Context): Promise<RunOutcome> {
    const point = run.nextPoint();
    // Read each time: what the debugger asks for may have changed while the run was held.
    if (point) await ctx.gate?.(point);
    this.#made = undefined;
    const after = async (result: GateResult, id: string, values: () => Json) => {
      if (point) await ctx.gate?.({ ...point, id, values, after: result });
    };
    try {
      const outcome = await run.next(ctx);
      const made = this.#made as StepRecord | undefined;
      if (made) await after({ record: made, consumed: point?.consumed ?? [] }, made.node, () => valuesOf(made));
      return outcome;
    } catch (error) {
      const failed = error instanceof FlowError || error instanceof ToolError;
      if (failed && !ctx.signal.aborted && !this.#unrecorded)
        await after({ failure: error.toJSON() }, point?.id ?? '', () => error.message);
      throw error;
    }
  }

  /** A question of the called flow as one of the call. Its id stays one question's own. */
  #asCallers(question: Suspension): Suspension {
    const { node } = this.#step;
    const { tool_call_id, tool } = this.#call;
    return {
      ...question,
      // The node that waits is the caller, and its own output is not what is asked for.
      reason: question.reason === 'suspend_node' ? 'call' : question.reason,
      tool_id: `${node}::${tool}`,
      node,
      tool_call_id: `${tool_call_id}/${question.tool_call_id}`,
    };
  }

  async #guarded(drive: () => Promise<FlowOutcome>): Promise<FlowOutcome> {
    try {
      return await drive();
    } catch (error) {
      if (this.#unrecorded) throw this.#unrecorded;
      if (error instanceof FlowError && !isResultOfCall(error)) {
        // A partial message of one of its agents is in no conversation of the caller.
        const { partial: _said, ...details } = error.options.details ?? {};
        throw new FlowError(error.variant, error.message, { ...error.options, details, node: this.#step.node });
      }
      if (!(error instanceof FlowError || error instanceof ToolError)) throw error;
      throw callFailure(this.#tool.name, error.toJSON());
    }
  }

  #caller(now: number): Caller {
    const step = this.#step;
    return {
      limits: step.run.limits,
      now,
      tainted: this.#tainted,
      counted: () => {
        // The step that makes the call is one, too.
        const begun = sumCounters(step.run.counted(), { steps: 1, seconds: step.elapsed / 1000 });
        return sumCounters(begun, { ...step.spent, seconds: 0 });
      },
    };
  }

  /** Pins and mocks, which see the called flow's effects as effects of the caller's step. */
  get #supply(): { readonly supply?: Supply } {
    const { ctx, seq } = this.#step;
    const { supply } = ctx;
    if (!supply) return {};
    const outside = <P extends OutputPoint>(point: P): P => ({ ...point, seq, key: this.#keyOf(point.seq, point.key) });
    return {
      supply: {
        pins: (node, id) => supply.pins(node, id),
        output: (point) => supply.output(outside(point)),
        call: (point) => supply.call(outside(point)),
      },
    };
  }

  /** The debugger sees the called flow's nodes as if they were in a frame. */
  #gateIn(run: CalledRun): Gate {
    const { ctx, node, plan } = this.#step;
    const { tool, tool_call_id } = this.#call;
    const flow = nameOfFlow(plan, this.#tool);
    const key = callFrameKey(node, flow, tool_call_id);
    const call: GateCall = { key, call: { flow, tool, tool_call_id }, snapshot: () => run.snapshot() };
    const inside = (calls: readonly GateCall[]) => calls.map((inner) => ({ ...inner, key: `${key}::${inner.key}` }));
    return (point) => ctx.gate?.({ ...point, id: `${key}::${point.id}`, calls: [call, ...inside(point.calls)] });
  }

  #keyOf(seq: number, key: string): string {
    return `${this.#call.tool_call_id}/${seq}/${key}`;
  }

  /** Effects of the called flow are effects of the caller's step, under keys of their own. Its records are part of the call. */
  get #recorder(): Recorder | undefined {
    const step = this.#step;
    const { tool } = this.#call;
    const { recorder } = step.run;
    if (!recorder) return undefined;
    const keyOf = (seq: number, key: string): string => this.#keyOf(seq, key);
    return {
      effect: async (seq, effect, perform) => {
        const key = keyOf(seq, effect.key);
        try {
          // The called flow's end is not the end of the step.
          const { since: _inItsOwnNumbers, ...made } = effect;
          return await step.effect({ ...made, closing: false, key, node: `${step.node}::${tool}::${effect.node}` }, () => perform(1));
        } catch (error) {
          if (!(error instanceof UnknownOutcome)) this.#unrecorded = error;
          throw error;
        }
      },
      commit: (record) => {
        this.#made = record;
      },
      ...(recorder.keepFile && { keepFile: (seq, key, change) => recorder.keepFile?.(step.seq, keyOf(seq, key), change) }),
      begun: (seq, key) => recorder.begun?.(step.seq, keyOf(seq, key)) ?? false,
      ...(recorder.decided && {
        decided: (seq, call) => this.#decided(recorder, { ...call, tool_call_id: keyOf(seq, call.tool_call_id) }),
      }),
      ...(recorder.omitsEdit && { omitsEdit: (_seq, id) => recorder.omitsEdit?.(step.seq, id) ?? false }),
    };
  }

  #decided(recorder: Recorder, call: DecidedCall): CallDecision {
    try {
      return recorder.decided?.(this.#step.seq, call) ?? { type: 'made' };
    } catch (error) {
      this.#unrecorded = error;
      throw error;
    }
  }

  /** Emits the called flow's events to the caller's listener. Questions, answers and failures are emitted as the call's own. */
  #tell(event: RunEvent): void {
    if (event.type === 'error' || event.type === 'suspended' || event.type === 'resumed') return;
    const { run_id: _run, seq: _seq, timestamp: _timestamp, ...body } = event;
    this.#step.emit({ parent_span_id: this.#call.tool_call_id, ...body });
  }
}

/** What a step produced; of a turn of an agent, what it said. */
function valuesOf({ produced, inner, history }: StepRecord): Json {
  const states = inner?.produced ?? produced;
  return toJson(states.length > 0 ? states.map(({ value }) => value) : Object.values(history).flat());
}

function difference(after: Counters, before: Counters): Counters {
  return {
    steps: after.steps - before.steps,
    seconds: after.seconds - before.seconds,
    model_calls: after.model_calls - before.model_calls,
    tokens: after.tokens - before.tokens,
    ...(after.cost !== undefined && { cost: after.cost - (before.cost ?? 0) }),
  };
}
