import { StepSuspended } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { CallOutcome, OpenedCall } from '#main/engine/tool-calls/tool-call.ts';
import { announceCall, announceResult, type FinishedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import type { Json } from '#shared/json.ts';
import type { PendingCall, StateWrites } from '#shared/run/snapshot.ts';
import type { AgentCalls } from './agent-plan.ts';

type Outcome = CallOutcome | OpenedCall;

/** Runs what an agent's role wants around the tool calls of a turn. */
export class CallHooks {
  readonly #step: Step;
  readonly #calls: AgentCalls | undefined;
  /** What the agent has written, with what was written around its calls. */
  writes: StateWrites;

  constructor(step: Step, calls: AgentCalls | undefined, writes: StateWrites) {
    this.#step = step;
    this.#calls = calls;
    this.writes = writes;
  }

  /** `fresh`: the step does not continue from an answer, so what runs before a call has not run yet. */
  async around(call: PendingCall, fresh: boolean, perform: (call: PendingCall) => Promise<Outcome>): Promise<Outcome> {
    if (!this.#calls || call.result) return perform(call);
    let toCall = call;
    try {
      if (fresh && call.frame === undefined) {
        const before = await this.#calls.beforeTool(this.#step, this.writes, call);
        this.#write(before.writes);
        if (before.result !== undefined) return { type: 'finished', call: this.#announced(call, before.result), ran: true };
        if (before.input !== undefined) toCall = { ...call, input: before.input };
      }
      const outcome = await perform(toCall);
      if (outcome.type !== 'finished') return outcome;
      toCall = outcome.call;
      const after = await this.#calls.afterTool(this.#step, this.writes, outcome.call);
      this.#write(after.writes);
      if (after.result === undefined) return outcome;
      return { ...outcome, call: { ...outcome.call, result: { ...outcome.call.result, value: after.result } } };
    } catch (error) {
      // What the tool returned is not lost while the user says how the callback ended.
      if (error instanceof StepSuspended && error.draft.type === 'suspended') {
        const [suspension] = error.draft.suspensions;
        if (suspension) return { type: 'suspended', call: toCall, suspension };
      }
      throw error;
    }
  }

  #write(writes: StateWrites): void {
    if (Object.keys(writes).length > 0) this.writes = { ...this.writes, ...writes };
  }

  #announced(call: PendingCall, value: Json): FinishedCall {
    const finished = { ...call, result: { value, is_error: false } };
    announceCall(this.#step, call);
    announceResult(this.#step, finished, { ran: true }, 0);
    return finished;
  }
}
