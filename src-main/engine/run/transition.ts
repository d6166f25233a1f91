import type { Context } from '#main/engine/ports/context.ts';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { assertNoSecret, maskedFailure } from '#main/engine/secrets/guard.ts';
import { isResultOfCall } from '#main/engine/step/call-failure.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { type Draft, StepSuspended } from '#main/engine/step/draft.ts';
import { type FrameCursor, hasFrames, readyInside, resolveFrame } from '#main/engine/step/frame-cursor.ts';
import type { NodePlan } from '#main/engine/step/node-plan.ts';
import type { StateMap } from '#main/engine/step/state-map.ts';
import { Step } from '#main/engine/step/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import { type Json, toJson } from '#shared/json.ts';
import { cutMessage } from '#shared/run/cut-message.ts';
import { FlowError, type ToolError } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';
import { frameName } from '#shared/run/node-id.ts';
import type { Control, RunOutcome } from '#shared/run/snapshot.ts';
import { controlAfter } from './control.ts';
import type { Prepared } from './lane.ts';
import { assertMayCallModel, assertWithinLimits } from './limits.ts';
import type { RunState } from './run-state.ts';
import { announceEnd, announceStart, consumedBy, phaseOf } from './step-events.ts';
import { failureOf, reported } from './step-failure.ts';
import { suppliedDraft, suppliedFailure } from './supplied-draft.ts';

const noStates: readonly NamedState[] = [];
const noNames: readonly string[] = [];
const noValues: readonly Json[] = [];

/** Makes one transition of a run: see `FlowRuntime.next`. A promise only where something waits. */
export function advance(run: RunState, ctx: Context): RunOutcome | Promise<RunOutcome> {
  if (run.states.done) return run.outcome;
  if (run.isWaiting) throw run.resumeRequired();
  const plan = run.states.next;
  if (!plan) throw reported(run, ctx, run.states.deadlock());
  let cursor: FrameCursor | null = null;
  try {
    if (ctx.signal.aborted) throw cancelled(plan.node.id);
    assertWithinLimits(run.limits, run.counted());
    if (hasFrames(plan)) cursor = resolveFrame(run.states, plan, run.control, { isPinned: pinsOf(run, ctx) });
  } catch (error) {
    throw reported(run, ctx, failureOf(error, plan.node.id, ctx.signal));
  }
  const begun = run.engine < 3 ? undefined : run.lanes.take(plan, cursor, () => readyOf(run, cursor?.plan ?? plan, cursor) as string);
  run.lanes.start(plan, cursor);
  if (begun) return takeStep(run, ctx, begun, cursor);
  return cursor ? makeStep(run, ctx, cursor.plan, cursor.states, cursor) : makeStep(run, ctx, plan, run.states, null);
}

/** Tells which `each` nodes are pinned, so that their items are not begun. A run that continues from an answer is inside an item. */
function pinsOf({ control }: RunState, { supply }: Context): ((plan: NodePlan, id: string) => boolean) | undefined {
  return supply && control.answers.length === 0 ? ({ node }, id) => supply.pins(node, id) : undefined;
}

/** Identifies the firing of the node that is next: see `Step.ready`. */
function readyOf({ engine, states }: RunState, plan: NodePlan, cursor: FrameCursor | null): string | undefined {
  if (engine < 3) return undefined;
  if (cursor === null) return states.readyTag(plan);
  return readyInside(states.readyTag(states.next as NodePlan), cursor);
}

/** Continues with a step that a lane has begun, or finished, in the run's turn. */
function takeStep(run: RunState, ctx: Context, { step, result }: Prepared, cursor: FrameCursor | null): Promise<RunOutcome> {
  step.takeTurn({ run, ctx, seq: run.seq + 1, cursor }, () => {
    announceStart(step);
    try {
      if (phaseOf(step) === 'reason' || phaseOf(step) === 'guard') assertMayCallModel(run.limits, run.counted());
    } catch (error) {
      throw reported(run, ctx, failureOf(error, step.node, ctx.signal));
    }
  });
  return result.then((made) => commitOrFail(run, step, 'draft' in made ? made.draft : draftOf(run, step, made.error)));
}

function makeStep(
  run: RunState,
  ctx: Context,
  plan: NodePlan,
  states: StateMap,
  cursor: FrameCursor | null,
): RunOutcome | Promise<RunOutcome> {
  // Where a called flow is stuck, its node has nothing to consume.
  const values = cursor?.fault ? noValues : states.valuesOf(plan);
  const step = new Step(run, plan, ctx, run.seq + 1, ctx.clock.now(), values, cursor, readyOf(run, plan, cursor));
  if (run.engine > 2) run.recorder?.takeAhead?.(step.seq, step.place);
  announceStart(step);
  let draft: Draft | Promise<Draft>;
  try {
    if (cursor?.fault) throw cursor.fault;
    draft = (ctx.supply === undefined ? undefined : suppliedDraft(step, states)) ?? plan.perform(step);
  } catch (error) {
    draft = draftOf(run, step, error);
  }
  if (!(draft instanceof Promise)) return commitOrFail(run, step, draft);
  return draft.then(
    (made) => commitOrFail(run, step, made),
    (error: unknown) => commitOrFail(run, step, draftOf(run, step, error)),
  );
}

/**
 * What was thrown through a body to end its step with a suspension, or the end of the called flow that the step has failed. Throws the step's failure for
 * anything else.
 */
function draftOf(run: RunState, step: Step, error: unknown): Draft {
  if (error instanceof StepSuspended) return error.draft;
  const cause = suppliedFailure(step, failureOf(error, step.node, step.ctx.signal));
  if (step.call !== undefined && step.unrecorded === undefined && isResultOfCall(cause)) return failedCall(step, cause);
  run.outcomes.forget(() => step.place);
  const failure = reported(run, step.ctx, cause);
  run.keepCut(step.node, failure.toJSON());
  throw failure;
}

/** Ends the called flow that contains a step. The failure has no event of its own: it is reported as the result of the call. */
function failedCall(step: Step, cause: FlowError | ToolError): Draft {
  const error = step.ctx.secrets.size > 0 ? maskedFailure(step.ctx, cause.toJSON()) : cause.toJSON();
  const message = error.node === step.node ? cutMessage(error) : null;
  return { type: 'failed_call', error, ...(message && { history: [message] }) };
}

function commitOrFail(run: RunState, step: Step, made: Draft): RunOutcome | Promise<RunOutcome> {
  try {
    const written = commit(run, step, asCallers(step, withoutConflict(run, step, made)));
    return written instanceof Promise ? written.catch((error: unknown) => failToCommit(run, step, error)) : written;
  } catch (error) {
    return failToCommit(run, step, error);
  }
}

function failToCommit(run: RunState, step: Step, error: unknown): never {
  throw reported(run, step.ctx, suppliedFailure(step, failureOf(error, step.node, undefined)));
}

/** A draft that may be committed: one whose states are all free. In a called flow a conflict is its failure. Throws `StateConflict`. */
function withoutConflict(run: RunState, step: Step, draft: Draft): Draft {
  if (draft.type !== 'finished') return draft;
  const { plan, cursor } = step;
  try {
    (cursor === null ? run.states : cursor.states).assertFree(plan, draft.produced);
    return draft;
  } catch (error) {
    if (step.call === undefined || !(error instanceof FlowError)) throw error;
    return failedCall(step, suppliedFailure(step, error));
  }
}

/** Asks the questions of a called flow as those of the outermost call: whoever answers knows the flow that they have started. */
function asCallers({ cursor, call }: Step, draft: Draft): Draft {
  if (draft.type !== 'suspended' || call === undefined) return draft;
  const { id, frame } = cursor?.levels.find((level) => level.frame.call) ?? {};
  const name = frameName(id ?? '');
  if (name?.type !== 'call') return draft;
  const tool_id = `${name.caller}::${frame?.call?.tool}`;
  const asked = (suspension: Suspension): Suspension =>
    suspension.inner_tool_id === undefined ? { ...suspension, tool_id, inner_tool_id: suspension.tool_id } : suspension;
  return { ...draft, suspensions: draft.suspensions.map(asked) };
}

/** States, conversations and events of a step become the run's together, or not at all. */
function commit(run: RunState, step: Step, draft: Draft): RunOutcome | Promise<RunOutcome> {
  const { ctx } = step;
  if (ctx.secrets.size > 0) assertNoSecret(ctx, step.node, enteringRun(draft));
  const duration = step.elapsed;
  const control = controlAfter(run.control, step, draft, duration / 1000);
  if (step.listening) announceEnd(step, draft, duration);
  const written = run.recorder?.commit(recordOf(step, draft, control, duration)) ?? storedConversation(run, step, draft);
  return written ? written.then(() => apply(run, step, draft, control)) : apply(run, step, draft, control);
}

/** Adds a step's messages to the context's conversation, for a run whose recorder keeps none. */
function storedConversation({ recorder }: RunState, { ctx, run }: Step, draft: Draft): Promise<void> | undefined {
  const change = draft.type === 'suspended' ? undefined : draft.kept?.change;
  const { conversations } = ctx;
  if (!change || !conversations || recorder?.openConversation) return undefined;
  const { id, expected, entries, releases } = change;
  const added = conversations.append(id, expected, entries);
  return releases ? added.then(() => conversations.release(id, { run_id: run.run_id })) : added;
}

/** The values that a draft would put into the run, beside its agents' conversations. */
function enteringRun(draft: Draft): readonly Json[] {
  if (draft.type === 'finished') return draft.produced.map(({ value }) => value);
  return draft.type === 'suspended' ? [toJson(draft.suspensions)] : [];
}

/** The only place where a step changes the run. */
function apply(run: RunState, step: Step, draft: Draft, control: Control): RunOutcome {
  run.apply(step, draft, control);
  const { outcome } = run;
  if (outcome.type === 'done') run.dispose();
  return outcome;
}

function recordOf(step: Step, draft: Draft, control: Control, duration: number): StepRecord {
  const { plan, node, cursor } = step;
  const produced = draft.type === 'finished' ? draft.produced : noStates;
  const made = draft.type === 'phase' ? draft.phase : undefined;
  const phase = plan.node.kind === 'agent' ? { phase: made === 'compact' || made === 'guard' ? made : phaseOf(step) } : {};
  return {
    seq: step.seq,
    type: draft.type === 'suspended' ? 'suspended' : 'transition',
    node,
    kind: plan.node.kind,
    ...phase,
    consumed: draft.type === 'finished' && !cursor ? plan.node.from : noNames,
    produced: cursor ? noStates : produced,
    ...(cursor && draft.type === 'finished' && { inner: { consumed: consumedBy(step), produced } }),
    history: draft.type !== 'suspended' && draft.history ? { [draft.kept?.id ?? node]: draft.history } : {},
    ...(draft.type !== 'suspended' && draft.kept?.change && { conversation: draft.kept.change }),
    control,
    events: step.events,
    started_at: step.started,
    duration_ms: duration,
    pure: plan.pure && step.supplied === undefined,
    ...(step.supplied && { supplied: step.supplied }),
  };
}

/**
 * Records that an answer was accepted (`control` holds it) before anything follows from it. `plan` is the node that continues with it.
 */
export function recordAnswer(
  run: RunState,
  ctx: Context,
  plan: NodePlan,
  cursor: FrameCursor | null,
  control: Control,
  payload: Json,
): void | Promise<void> {
  const step = new Step(run, plan, ctx, run.seq + 1, ctx.clock.now(), noValues, cursor);
  const { suspension } = control.answers[0] as Control['answers'][0];
  const { node, tool_id, tool_call_id } = suspension;
  if (step.listening) step.emit({ type: 'resumed', node, tool_id, tool_call_id, payload });
  const written = run.recorder?.commit({
    seq: step.seq,
    type: 'resumed',
    node,
    kind: plan.node.kind,
    consumed: noNames,
    produced: noStates,
    history: {},
    control,
    events: step.events,
    started_at: step.started,
    duration_ms: 0,
    pure: false,
  });
  return written ? written.then(() => run.take(step.seq, control)) : run.take(step.seq, control);
}
