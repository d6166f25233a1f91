import type { ConversationRequest, OpenedConversation } from '#main/engine/ports/conversation-store.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import type { Step } from '#main/engine/step/step.ts';
import { wait } from '#main/engine/step/wait.ts';
import { fillText } from '#shared/flow/template.ts';
import { FlowError } from '#shared/run/error.ts';
import { conversationId, type KeptScope, keyProblem } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import type { AgentState, VisitedConversation } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';

/** How long a visit waits for a busy conversation by default, in seconds. */
const defaultWait = 30;
/** Milliseconds between two looks at a busy conversation. */
const lookAgain = 50;

/** A visit to an agent with a kept conversation, at the beginning of one of its steps. */
export interface KeptVisit {
  readonly scope: KeptScope;
  readonly visited: VisitedConversation;
  /** What this step has read: entries that the history does not have yet. */
  readonly read: readonly ConversationEntry[];
  /** Entries in the history, with those read by this step. */
  readonly entries: readonly ConversationEntry[];
  /** Index of the visit's own first entry. */
  readonly own: number;
  /** Of the first entry, where the step begins the visit. */
  readonly reads?: readonly [number, number];
}

/**
 * Enters an agent's kept conversation: takes it for the visit and reads it, or makes sure that it is still the visit's. Throws `Conflict` if another
 * visit holds it, or if others have added to it since.
 */
export async function enterConversation(step: Step, plan: AgentPlan, state: AgentState | undefined): Promise<KeptVisit> {
  const scope = plan.settings.conversation?.scope as KeptScope;
  const id = state?.conversation?.id ?? conversationId(scope, keyOf(step, plan));
  const known = (step.run.history[id] ?? []) as readonly ConversationEntry[];
  refuseHeldByOther(step, id);
  if (state?.conversation) {
    const expected = known.at(-1)?.entry.position ?? 0;
    if (scope === 'workspace') await openWaiting(step, plan, { ...requestOf(step, id), expected });
    return { scope, visited: state.conversation, read: [], entries: known, own: state.history_start };
  }
  const opened =
    scope === 'workspace' ? await openWaiting(step, plan, { ...requestOf(step, id), ...longestRead(plan) }) : ownConversation(known);
  const last = known.at(-1)?.entry.position ?? 0;
  const read = opened.entries.filter(({ entry }) => entry.position > last);
  const entries = [...known, ...read];
  const [first, base] = opened.reads;
  const from = entries.findLastIndex(({ entry }) => entry.position < first) + 1;
  const exchange = step.run.recorder?.recordedEntries?.(step.seq, id)?.[0]?.entry.exchange ?? step.ctx.newId();
  return { scope, visited: { id, base, from, exchange }, read, entries, own: entries.length, reads: [first, base] };
}

/** Lets go of a conversation when a step has failed. A journal needs no word of it: a run that has failed holds nothing there. */
export async function leaveConversation({ run, ctx }: Step, { scope, visited }: KeptVisit): Promise<void> {
  if (scope === 'workspace' && !run.recorder?.openConversation) await ctx.conversations?.release(visited.id, { run_id: run.run_id });
}

/** A conversation of the run is what its history has. */
function ownConversation(known: readonly ConversationEntry[]): Extract<OpenedConversation, { type: 'open' }> {
  return { type: 'open', reads: [1, known.length], entries: [] };
}

function keyOf(step: Step, { settings }: AgentPlan): string {
  const key = fillText(settings.conversation?.key ?? '', step.input);
  const problem = keyProblem(key);
  if (problem === null) return key;
  throw new FlowError('HandlerError', `The key of ${step.node}'s conversation ${problem}. Fix conversation.key, or its input.`, {
    node: step.node,
    code: 'CONFIG_CONVERSATION_KEY',
    category: 'configuration',
    retryable: false,
    details: { key: key.slice(0, 200) },
  });
}

function requestOf({ seq, run, node, ctx }: Step, id: string): ConversationRequest {
  return { seq, id, holder: { run_id: run.run_id, node, since: ctx.clock.now() } };
}

/** Without summaries, a visit reads no more entries than it may send. */
function longestRead({ settings: { context } }: AgentPlan): Pick<ConversationRequest, 'last'> {
  return context && 'last' in context && !context.summarise ? { last: context.last } : {};
}

/** Another agent of the run can only be in the middle of its visit where it has called the flow that contains this one: waiting would never end. */
function refuseHeldByOther(step: Step, id: string): void {
  const { run, node } = step;
  const other = Object.entries(run.control.agents).find(([key, agent]) => key !== node && agent.conversation?.id === id)?.[0];
  if (other === undefined) return;
  throw busy(step, id, { run_id: run.run_id, node: other, since: step.started });
}

/** Opens a conversation, waiting for a busy one as long as the agent may. */
async function openWaiting(
  step: Step,
  { settings }: AgentPlan,
  request: ConversationRequest,
): Promise<Extract<OpenedConversation, { type: 'open' }>> {
  const { busy: whenBusy = 'fail', wait_seconds = defaultWait } = settings.conversation ?? {};
  const until = performance.now() + (whenBusy === 'wait' ? wait_seconds * 1000 : 0);
  for (;;) {
    const waits = performance.now() < until;
    const opened = await open(step, { ...request, waits });
    if (opened.type === 'open') return opened;
    if (opened.type === 'moved') throw moved(step, request.id);
    if (!waits) throw busy(step, request.id, opened.holder);
    await wait(lookAgain, step.ctx.signal).catch(() => {
      throw cancelled(step.node);
    });
  }
}

async function open({ run, ctx, node }: Step, request: ConversationRequest): Promise<OpenedConversation> {
  if (run.recorder?.openConversation) return run.recorder.openConversation(request);
  const { conversations } = ctx;
  if (!conversations || run.caller) {
    const why = run.caller ? 'a flow that is called within one step cannot reach it' : 'this context has none';
    throw new FlowError('BuildError', `Agent ${node} keeps a conversation of the workspace, but ${why}. Use the scope run.`, { node });
  }
  const { id, holder, expected } = request;
  const other = await conversations.hold(id, holder);
  if (other) return { type: 'busy', holder: other };
  const { head, entries } = await conversations.load(id);
  if (expected !== undefined && expected !== head) return { type: 'moved', head };
  return { type: 'open', reads: [entries[0]?.entry.position ?? head + 1, head], entries };
}

function busy(step: Step, id: string, holder: { run_id: string; node: string; since: number; waits_for?: string }): FlowError {
  const waiting = holder.waits_for === undefined ? '' : `, which waits for an answer to ${holder.waits_for}`;
  return new FlowError(
    'Conflict',
    `The conversation ${id} is busy: ${holder.node} of run ${holder.run_id} is in the middle of it${waiting}. Try again when that has ended, or take it away with: pravah conversations release.`,
    {
      node: step.node,
      code: 'ORCHESTRATION_CONVERSATION_BUSY',
      retryable: true,
      details: { conversation: id, ...holder, waits_for: holder.waits_for ?? null },
    },
  );
}

function moved(step: Step, id: string): FlowError {
  return new FlowError(
    'Conflict',
    `The conversation ${id} has moved on since ${step.node} read it. Fork the run from before this visit, and continue the fork.`,
    { node: step.node, code: 'ORCHESTRATION_CONVERSATION_MOVED', retryable: false, details: { conversation: id } },
  );
}
