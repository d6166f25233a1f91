import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { assertMayCallModel } from '#main/engine/run/limits.ts';
import type { Draft, PhaseDraft, SuspendedDraft } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import { messageText } from '#main/models/message-text.ts';
import { seenOf } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry, Message } from '#shared/run/message.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import { type AgentPlan, toolDefinitions } from './agent-plan.ts';
import { callModel, modelUrl } from './call-model.ts';
import { openingMessages, systemMessages, userMessage } from './conversation.ts';
import { countedTokens } from './count-tokens.ts';
import type { KeptVisit } from './kept-conversation.ts';
import { earlierExchanges, ownMessages, seenEntries } from './kept-messages.ts';
import { chatOutput } from './output.ts';
import { charactersBeside, charactersOf, estimatedTokens, isMeasuring, measuredOf } from './request-size.ts';
import { spentBy, usageOf } from './spent.ts';
import type { Summariser } from './summariser.ts';

const defaultPrompt = `Summarise the conversation so far for the assistant that goes on with it. Keep names, numbers, decisions, and what is still open.
Answer with the summary and nothing else.`;

/** Messages that a summary leaves as they are, by default. */
const defaultKeep = 6;

/** What a summary is to replace. */
interface Replaced {
  readonly entries: readonly ConversationEntry[];
  readonly upTo: number;
}

/**
 * Summarises the older part of a kept conversation where the next request would be too long (`context.summarise`): a step of its own, before the agent's
 * next turn. Null where it is short enough, or has nothing to replace.
 */
export async function compacted(step: Step, plan: AgentPlan, state: AgentState, visit: KeptVisit): Promise<Draft | null> {
  const { summarise } = plan.settings.context ?? {};
  if (!summarise || !(await isTooLong(step, plan, state, visit))) return null;
  const replaced = replacedBy(visit, summarise.keep ?? defaultKeep);
  return replaced && summarised(step, plan, state, visit, replaced);
}

/** Summarises a conversation although it is short enough, and ends the visit: a program has asked for it. Its output is the summary, empty without one. */
export async function compactedNow(step: Step, plan: AgentPlan, state: AgentState, visit: KeptVisit): Promise<Draft> {
  const finished = (text: string) =>
    ({ type: 'finished', phase: 'compact', produced: [step.output(plan.output, chatOutput(plan, text))] }) as const;
  const replaced = replacedBy(visit, plan.settings.context?.summarise?.keep ?? defaultKeep);
  if (!replaced) return finished('');
  const draft = await summarised(step, plan, state, visit, replaced);
  if (draft.type !== 'phase') return draft;
  const { history, summarises, usage } = draft;
  return { ...finished(messageText(history[0] as Message)), history, summarises, usage };
}

/** Calls the model that summarises. */
async function summarised(
  step: Step,
  plan: AgentPlan,
  state: AgentState,
  visit: KeptVisit,
  replaced: Replaced,
): Promise<PhaseDraft | SuspendedDraft> {
  const { summarise = {} } = plan.settings.context ?? {};
  const { summary } = seenOf(seenEntries(visit));
  if (plan.summariser) return summarisedInCode(step, plan.summariser, state, replaced, summary);
  assertMayCallModel(step.run.limits, step.run.counted());
  const transcript = [...(summary ? [summary] : []), ...replaced.entries]
    .map((entry) => `${said(entry)}: ${messageText(entry)}`)
    .join('\n\n');
  const request: AgentPlan = {
    ...plan,
    ends: 'text',
    tools: new Map(),
    grammar: undefined,
    settings: {
      model: summarise.model ?? modelUrl(step, plan),
      ...(plan.settings.limits && { limits: plan.settings.limits }),
      ...(summarise.max_tokens !== undefined && { params: { max_tokens: summarise.max_tokens } }),
    },
  };
  const messages: Message[] = [
    { role: 'system', content: [{ type: 'text', text: summarise.prompt ?? defaultPrompt }] },
    userMessage(transcript),
  ];
  try {
    const { response } = await callModel({ step, plan: request, state, messages, ...(summarise.model && { url: summarise.model }) });
    const text = messageText({ ...response.message, content: response.message.content.filter(({ type }) => type === 'text') });
    return {
      type: 'phase',
      phase: 'compact',
      agent: { ...state, seconds: state.seconds + step.elapsed / 1000, ...spentBy(plan, state, response) },
      history: [{ role: 'assistant', content: [{ type: 'text', text }] }],
      summarises: replaced.upTo,
      usage: usageOf(step, response),
    };
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    return { type: 'suspended', suspensions: [unknownOutcome(step, error.effect, `${step.node}::model`, `model_${step.seq}`)] };
  }
}

/** Has a function of the program summarise. It may replace less than it was given. */
async function summarisedInCode(
  step: Step,
  summariser: Summariser,
  state: AgentState,
  { entries }: Replaced,
  before: ConversationEntry | null,
): Promise<PhaseDraft> {
  const { summary, upTo } = await summariser.summarise(step, entries, before);
  return {
    type: 'phase',
    phase: 'compact',
    agent: { ...state, seconds: state.seconds + step.elapsed / 1000 },
    history: [{ role: 'assistant', content: [{ type: 'text', text: summary }] }],
    summarises: upTo,
  };
}

function said({ entry, role }: ConversationEntry): string {
  return entry.kind === 'summary' ? 'summary' : role;
}

/** Whether the next request, with everything in it, would be longer than the policy's share of its limit. */
async function isTooLong(step: Step, plan: AgentPlan, state: AgentState, visit: KeptVisit): Promise<boolean> {
  const { context } = plan.settings;
  if (!context) return false;
  const url = modelUrl(step, plan);
  const tools = toolDefinitions(step, plan);
  const at = context.summarise?.at ?? 0.8;
  const own = state.turn === 0 ? openingMessages(plan, step.input) : [...systemMessages(plan, step.input), ...ownMessages(visit)];
  const all = [...earlierExchanges(visit, url, new Set(tools.map(({ name }) => name))).flat(), ...own];
  if ('last' in context) return all.filter(({ role }) => role !== 'system').length > at * context.last;
  const counted = await countedTokens({ step, plan }, 'count_before', url, tools, all);
  if (counted !== undefined) return counted > at * context.tokens;
  const beside = isMeasuring(plan.settings) ? charactersBeside(plan, tools) : 0;
  return estimatedTokens(charactersOf(all) + beside, measuredOf(plan, state, visit, url)) > at * context.tokens;
}

/** The oldest exchanges, without the last ones that have `keep` messages together; null where there are none. */
function replacedBy(visit: KeptVisit, keep: number): Replaced | null {
  const { exchanges } = seenOf(seenEntries(visit));
  let left = exchanges.reduce((total, exchange) => total + exchange.length, 0);
  const entries: ConversationEntry[] = [];
  for (const exchange of exchanges) {
    if (left - exchange.length < keep) break;
    left -= exchange.length;
    entries.push(...exchange);
  }
  const last = entries.at(-1);
  return last ? { entries, upTo: last.entry.position } : null;
}
