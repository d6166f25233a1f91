import {
  AbandonedEffect,
  type CallDecision,
  type Effect,
  type FileChange,
  type MarkedOutcome,
  UnknownOutcome,
} from '#main/engine/ports/recorder.ts';
import type { SuppliedCall } from '#main/engine/ports/supply.ts';
import type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
import { revealSecrets } from '#main/engine/secrets/reveal.ts';
import { activeTime } from '#main/engine/step/active-time.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import type { DescribedTool, FlowTool } from '#main/engine/step/flow-tool.ts';
import { traced } from '#main/engine/step/run-trace.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { FlowError, fromTransferable, ToolError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { FlowCall, Frame, PendingCall } from '#shared/run/snapshot.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';
import { approvalSchema, readApproval } from './approval.ts';
import { approvedWith, inputToRun, withoutApproval } from './edited-input.ts';
import { FlowCallRun, type FlowOutcome } from './flow-call.ts';
import { collectFrame, openFrame } from './flow-frame.ts';
import { adviceOnMissingTool } from './missing-tool.ts';
import { assertAdmitted, mockedResult, mockOf } from './mocked-call.ts';
import { SuspendSignal } from './suspend-signal.ts';
import { checkedInput, checkedQuestion, checkedResult, type Performed } from './tool-boundary.ts';
import { announceCall, announceCancelled, announceEdit, announceResult, type FinishedCall, failedCall } from './tool-call-events.ts';
import { type CallPolicy, mustAsk } from './tool-policy.ts';
import { type RunningCall, withinTime } from './tool-time.ts';

export type CallOutcome =
  /** `ran`: the tool ran, well or not. Without it the call was refused before. `supplied`: a mock put the result in the place of the tool's. */
  | { readonly type: 'finished'; readonly call: FinishedCall; readonly ran: boolean; readonly supplied?: SuppliedMark }
  | { readonly type: 'suspended'; readonly call: PendingCall; readonly suspension: Suspension };

/** A call whose flow runs next, in this frame. */
export interface OpenedCall {
  readonly type: 'opened';
  readonly call: PendingCall & { readonly frame: string };
  readonly frame: Frame;
}

/**
 * Makes one tool call, or continues one that waited: checks the input, asks the user if needed, performs it through the
 * run's recorder, checks the result and emits events. The one way in which agents, `tool` bodies and `ctx.tools` call tools.
 * A tool's failure is a result with `is_error`; what fails the step (a secret in the result, cancellation, a conflict) is thrown.
 * A flow runs within the step.
 */
export function callTool(step: Step, pending: PendingCall, policy: CallPolicy, fresh: boolean): Promise<CallOutcome> {
  return makeCall(step, pending, policy, fresh, false) as Promise<CallOutcome>;
}

/** Makes a call as `callTool` does. A flow opens a frame, in which it runs step by step; called again after it has finished, its result is collected. */
export function callOrOpen(step: Step, pending: PendingCall, policy: CallPolicy, fresh: boolean): Promise<CallOutcome | OpenedCall> {
  return makeCall(step, pending, policy, fresh, step.run.engine > 1);
}

async function makeCall(
  step: Step,
  pending: PendingCall,
  policy: CallPolicy,
  fresh: boolean,
  opensFrames: boolean,
): Promise<CallOutcome | OpenedCall> {
  if (pending.result) return { type: 'finished', call: pending as FinishedCall, ran: true };
  const asked = step.run.control.suspensions.find((suspension) => asks(suspension, pending));
  if (asked) return { type: 'suspended', call: pending, suspension: asked };
  if (pending.frame !== undefined) return collectFrame(step, pending, pending.frame);
  const started = activeTime(step.ctx);
  if (fresh) announceCall(step, pending);
  const begun = step.run.recorder?.begun?.(step.seq, pending.tool_call_id) ?? false;
  const outcome = await new ToolCall(step, pending, policy, opensFrames).run().catch((error: unknown) => {
    if (step.ctx.signal.aborted) announceCancelled(step, pending, activeTime(step.ctx) - started);
    throw error;
  });
  if (outcome.type !== 'finished') return outcome;
  announceResult(step, outcome.call, outcome, activeTime(step.ctx) - started);
  const { tool_call_id, tool, result } = outcome.call;
  // A call that a process made before it was killed was held there.
  if (!begun) await step.gateAfterCall(tool_call_id, tool, { result, input: inputToRun(outcome.call) });
  return outcome;
}

/** Whether a question is this call's; one of a flow that it runs is. */
function asks({ tool_call_id }: Suspension, call: PendingCall): boolean {
  return tool_call_id === call.tool_call_id || (call.flow !== undefined && tool_call_id.startsWith(`${call.tool_call_id}/`));
}

class ToolCall {
  readonly #step: Step;
  readonly #policy: CallPolicy;
  readonly #opensFrames: boolean;
  #call: PendingCall;
  #ran = false;
  #supplied: SuppliedMark | undefined;

  constructor(step: Step, call: PendingCall, policy: CallPolicy, opensFrames: boolean) {
    this.#opensFrames = opensFrames;
    this.#step = step;
    this.#call = call;
    this.#policy = policy;
  }

  /** An agent knows what it has read, and whether its author trusts that; of other nodes their place in the flow says it. */
  get #tainted(): boolean {
    const { node, tainted } = this.#step.plan;
    return node.kind === 'agent' ? this.#policy.tainted : tainted;
  }

  async run(): Promise<CallOutcome | OpenedCall> {
    try {
      return await this.#run();
    } catch (error) {
      if (error instanceof UnknownOutcome) return this.#unknown(error);
      if (error instanceof ToolError) return this.#failed(error.toJSON());
      throw error;
    }
  }

  async #run(): Promise<CallOutcome | OpenedCall> {
    const given = this.#call.flow ? null : this.#takeAnswer();
    if (given) return given;
    const tool = this.#tool();
    const turn = 'graph' in tool && this.#opensFrames ? undefined : this.#step.toolTurn(tool);
    if (turn) await turn;
    if (this.#call.flow) return this.#goOnWithFlow(tool, this.#call.flow);
    const input = checkedInput(tool, inputToRun(this.#call));
    const mock = this.#call.answer ? undefined : mockOf(this.#step, tool, this.#call.tool_call_id, input);
    if (mock) return this.#mocked(tool, input, mock);
    if ('graph' in tool) return this.#startFlow(tool, input);
    if (this.#call.answer) return this.#goOn(tool, input, this.#call.answer.payload);
    const waits = await this.#approval(tool, input);
    if (waits) return waits;
    return this.#perform(tool, async (ctx) => tool.call(input, ctx));
  }

  /** Takes a mock's result. Nothing happens outside, so the user isn't asked. */
  async #mocked(tool: DescribedTool, input: JsonObject, mock: SuppliedCall): Promise<CallOutcome> {
    const step = this.#step;
    await assertAdmitted(step, tool, input);
    this.#ran = true;
    await this.#held();
    const outcome = await step.effect({ ...this.#effectOf(tool), supplied: mock.mark }, async () => ({
      result: await mockedResult(step, tool, mock),
    }));
    const performed = this.#performed(outcome);
    // The call on record may be a real one, which asked a question.
    if ('suspend' in performed) return this.#suspend('call', performed.suspend, performed.payload_schema);
    return this.#finished(performed.result);
  }

  /** Applies the answer that this step continues from to the call. Returns an outcome if that ends it. */
  #takeAnswer(): CallOutcome | null {
    const { answer } = this.#step;
    if (!answer || answer.suspension.tool_call_id !== this.#call.tool_call_id) return null;
    const { payload, suspension } = answer;
    if (suspension.reason === 'call') {
      this.#call = { ...this.#call, answer: { payload } };
      return null;
    }
    if (suspension.reason === 'unknown_outcome') {
      const known = isJsonObject(payload) ? payload.result : undefined;
      return known === undefined ? null : this.#finished(known);
    }
    const { approve, input, reason } = readApproval(payload);
    if (!approve) {
      return this.#failed(new ToolError('Denied', `The person refused ${this.#call.tool}: ${reason || 'no reason was given'}`).toJSON());
    }
    const { seq, run } = this.#step;
    const omitsEdit = run.recorder?.omitsEdit?.(seq, this.#call.tool_call_id) ?? false;
    this.#call = approvedWith(this.#call, input ?? shownInput(suspension) ?? this.#call.input, !omitsEdit);
    if (this.#call.edited_by) announceEdit(this.#step, this.#call, this.#call.edited_by);
    return null;
  }

  #tool(): Tool | FlowTool {
    const { allowed } = this.#policy;
    const { tool: name } = this.#call;
    const tool = allowed.has(name) ? this.#step.tool(name) : undefined;
    if (tool) return tool;
    if (allowed.has(name))
      throw new ToolError('Missing', `The tool ${name} is not available here.${adviceOnMissingTool(this.#step.ctx, name)}`);
    const known = [...allowed.keys()].join(', ');
    throw new ToolError('UnknownTool', `There is no tool ${name} here. There ${allowed.size === 1 ? 'is' : 'are'} ${known || 'none'}.`);
  }

  /** Asks a person about this call first; null if no question is needed. */
  async #approval(tool: DescribedTool, input: JsonObject): Promise<CallOutcome | null> {
    const question = await this.#question(tool, input);
    return question === null ? null : this.#suspend('approval', question, approvalSchema(tool));
  }

  async #startFlow(tool: FlowTool, input: JsonObject): Promise<CallOutcome | OpenedCall> {
    const waits = await this.#approval(tool, input);
    if (waits) return waits;
    if (this.#opensFrames) return openFrame(this.#step, this.#call, tool, tool.inputOf(input), this.#tainted);
    this.#ran = true;
    return this.#flowOutcome(await new FlowCallRun(this.#step, this.#call, tool, this.#tainted).start(tool.inputOf(input)));
  }

  async #goOnWithFlow(tool: Tool | FlowTool, flow: FlowCall): Promise<CallOutcome> {
    const { answer, node } = this.#step;
    if (!('graph' in tool) || !answer || !asks(answer.suspension, this.#call)) {
      throw new FlowError('SnapLoadError', `The call of ${this.#call.tool} waits for an answer, and nothing asks for one.`, { node });
    }
    this.#ran = true;
    return this.#flowOutcome(await new FlowCallRun(this.#step, this.#call, tool, this.#tainted).goOn(flow, answer.payload));
  }

  #flowOutcome(outcome: FlowOutcome): CallOutcome {
    if (outcome.type === 'suspended') {
      return { type: 'suspended', call: { ...this.#call, flow: outcome.flow }, suspension: outcome.question };
    }
    const { flow: _gone, ...call } = this.#call;
    this.#call = call;
    return this.#finished(outcome.output);
  }

  /** The question to the user before this call; null if none is needed. Refuses what is refused in any case. */
  async #question(tool: DescribedTool, input: JsonObject): Promise<Json | null> {
    const { ctx } = this.#step;
    const decided = this.#decided(tool);
    if (decided) return decided.type === 'asked' ? decided.question : null;
    if (this.#step.run.recorder?.begun?.(this.#step.seq, this.#call.tool_call_id)) return null;
    const ask = mustAsk(tool, this.#policy, ctx, (await tool.admit?.(input, ctx)) ?? 'never');
    const approved = this.#call.approved_input !== undefined;
    if (!ask) return null;
    const preview = (await tool.preview?.(input, ctx)) ?? null;
    if (approved && !this.#changedSinceAsked(preview?.path, preview?.before_hash)) return null;
    const base = { kind: 'approval', tool: tool.name, input, input_schema: tool.input_schema };
    return preview ? { ...base, path: preview.path, before_hash: preview.before_hash } : base;
  }

  /** What the record says of this call, where the run is computed again from it. Throws the refusal that it met. */
  #decided(tool: DescribedTool): CallDecision | undefined {
    const { run, seq } = this.#step;
    const decided = run.recorder?.decided?.(seq, {
      tool_call_id: this.#call.tool_call_id,
      tool: tool.name,
      effect: 'graph' in tool ? 'flow' : tool.effect,
    });
    if (decided?.type === 'refused') throw fromTransferable(decided.error);
    return decided;
  }

  /** Whether the file is no longer the one that the person saw when approving; then the difference is shown again. */
  #changedSinceAsked(path: string | undefined, hash: string | null | undefined): boolean {
    const { answer } = this.#step;
    if (path === undefined || answer?.suspension.tool_call_id !== this.#call.tool_call_id || answer.suspension.reason !== 'approval')
      return false;
    const asked = answer.suspension.value as { readonly path?: string; readonly before_hash?: string | null };
    const approved = readApproval(answer.payload);
    const seen = approved.before_hash !== undefined ? approved.before_hash : asked.path === path ? asked.before_hash : hash;
    return seen !== hash;
  }

  async #goOn(tool: Tool, input: JsonObject, payload: Json): Promise<CallOutcome> {
    const { resume } = tool;
    if (!resume) return this.#finished(payload);
    return this.#perform(tool, async (ctx) => resume.call(tool, input, payload, ctx));
  }

  async #perform(tool: Tool, work: (ctx: ToolContext) => Promise<Json>): Promise<CallOutcome> {
    this.#ran = true;
    const performed = await this.#effect(tool, work);
    if ('suspend' in performed) {
      const { answer: _used, ...call } = this.#call;
      this.#call = call;
      return this.#suspend('call', performed.suspend, performed.payload_schema);
    }
    return this.#finished(performed.result);
  }

  #finished(value: Json): CallOutcome {
    return { type: 'finished', call: { ...this.#call, result: { value, is_error: false } }, ran: true, ...this.#mark };
  }

  get #mark(): { readonly supplied?: SuppliedMark } {
    return this.#supplied ? { supplied: this.#supplied } : {};
  }

  async #effect(tool: Tool, work: (ctx: ToolContext) => Promise<Json>): Promise<Performed> {
    const step = this.#step;
    const operation = {
      start: { kind: 'tool', name: tool.name, tool_call_id: this.#call.tool_call_id },
      input: () => inputToRun(this.#call),
      end: () => ({}),
      output: (performed: Performed) => ('result' in performed ? performed.result : performed.suspend),
    } as const;
    const perform = async (): Promise<Json> => (await traced(step, operation, () => this.#watch(tool, work))) as Json;
    await this.#held();
    if (tool.effect === 'none') return (await perform()) as Performed;
    return this.#performed(await step.effect(this.#effectOf(tool), perform));
  }

  /** Waits where a debugger holds the run before this call. */
  #held(): Promise<void> | undefined {
    const { tool, tool_call_id } = this.#call;
    return this.#step.gate('tool', tool_call_id, tool, () => inputToRun(this.#call));
  }

  #effectOf(tool: DescribedTool): Effect {
    const { tool_call_id: key } = this.#call;
    const closing = !this.#policy.codeFollows;
    const repeatable = !('graph' in tool) && mayRepeat(tool);
    return { key, kind: 'tool', node: this.#step.node, name: tool.name, input: inputToRun(this.#call), closing, repeatable };
  }

  #performed(outcome: MarkedOutcome): Performed {
    this.#supplied = outcome.supplied;
    if ('result' in outcome) return outcome.result as Performed;
    if (this.#step.ctx.signal.aborted) throw cancelled(this.#step.node);
    throw fromTransferable(outcome.error);
  }

  /** Runs the tool and makes of what comes out either a checked result, a question, or a `ToolError`. */
  async #watch(tool: Tool, work: (ctx: ToolContext) => Promise<Json>): Promise<Performed> {
    const suspend = (value: Json, payloadSchema?: JsonSchema): never => {
      throw new SuspendSignal(value, payloadSchema);
    };
    const step = this.#step;
    const { node, answer } = step;
    const { tool_call_id } = this.#call;
    const log = (message: string) => {
      if (step.listening) step.emit({ type: 'log', node, level: 'info', values: [message] });
    };
    const asked = answer?.suspension.tool_call_id === tool_call_id ? { asked: answer.suspension.value } : {};
    const { recorder } = step.run;
    const keepFile = recorder?.keepFile && ((change: FileChange) => recorder.keepFile?.(step.seq, tool_call_id, change));
    const reveal = (field: string, value: Json, url: URL) => revealSecrets(step.ctx, step.plan.node.body, field, value, url);
    const contextOf = (call: RunningCall): ToolContext => ({
      ...step.ctx,
      signal: call.signal,
      run_id: step.contextRunId,
      node,
      tool_call_id,
      suspend,
      log: (message) => {
        if (!call.ended) log(message);
      },
      reveal,
      ...asked,
      ...(keepFile && { keepFile: (change) => keepFile(assertInProgress(tool, call, change)) }),
    });
    if (step.ctx.signal.aborted) throw cancelled(node);
    let result: Json;
    try {
      result = await withinTime(tool, step.ctx.signal, async (call) => work(contextOf(call)));
    } catch (error) {
      if (error instanceof SuspendSignal) return checkedQuestion(tool, error);
      if (
        error instanceof AbandonedEffect ||
        error instanceof ToolError ||
        (error instanceof FlowError && error.variant !== 'HandlerError')
      )
        throw error;
      throw new ToolError('Other', `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: toTransferable(error),
      });
    }
    return { result: checkedResult(step, tool, result) };
  }

  #unknown({ effect }: UnknownOutcome): CallOutcome {
    const step = this.#step;
    const suspension = unknownOutcome(step, effect, `${step.node}::${this.#call.tool}`, this.#call.tool_call_id);
    return { type: 'suspended', call: this.#call, suspension };
  }

  #suspend(reason: Suspension['reason'], value: Json, payloadSchema?: JsonSchema): CallOutcome {
    const { tool, tool_call_id } = this.#call;
    const { node } = this.#step;
    const schema = payloadSchema === undefined ? {} : { payload_schema: payloadSchema };
    // A new question about the input supersedes an approval of it.
    const call = reason === 'approval' ? withoutApproval(this.#call) : this.#call;
    return { type: 'suspended', call, suspension: { reason, tool_id: `${node}::${tool}`, node, tool_call_id, value, ...schema } };
  }

  #failed(error: TransferableError): CallOutcome {
    const { flow: _gone, ...call } = this.#call;
    const step = this.#step;
    const tool = this.#ran ? step.tool(this.#call.tool) : undefined;
    // Trying again could do something twice.
    const known = tool && !('graph' in tool) && !mayRepeat(tool) ? { ...error, retryable: false } : error;
    const placed = known.tool_id === null ? { ...known, node: step.node, tool_id: `${step.node}::${this.#call.tool}` } : known;
    return { type: 'finished', call: failedCall(call, placed), ran: this.#ran, ...this.#mark };
  }
}

/** Whether a call that has failed, or whose outcome is unknown, may be made again. */
function mayRepeat({ effect, idempotent }: Pick<Tool, 'effect' | 'idempotent'>): boolean {
  return effect !== 'write' || idempotent === true;
}

/** The input that a question about a call showed: what is approved when the answer changes nothing. */
function shownInput({ value }: Suspension): Json | undefined {
  return isJsonObject(value) ? value.input : undefined;
}

/** Prevents an abandoned call from changing a file. */
function assertInProgress(tool: Tool, call: RunningCall, change: FileChange): FileChange {
  if (call.ended) throw new ToolError('Other', `${tool.name} changes no file: its call has timed out or was cancelled.`);
  return change;
}
