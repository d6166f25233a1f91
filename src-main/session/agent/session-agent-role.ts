import type { AgentEnd, AgentRole } from '#main/agents/agent-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { announceCall, announceResult, type FinishedCall, failedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import { authorOf } from '#main/session/state/author.ts';
import { sessionOf } from '#main/session/state/read-session.ts';
import {
  afterAgent,
  extendAgent,
  type Session,
  type SessionEvent,
  type StateValue,
  stateValue,
  type Writes,
  withWrites,
} from '#main/session/state/session.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { canonicalJson, isJsonObject, type Json, toJson } from '#shared/json.ts';
import { exitLoopTool, transferTool } from '#shared/pyflow/tools.ts';
import { fromJson, jsonDumps } from '#shared/python/index.ts';
import { ToolError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import { contentEvent, runCallback } from './callbacks.ts';
import { coerceAnswer } from './coerce.ts';
import { contentsFor } from './contents.ts';
import { callbacksOfCalls } from './model-callbacks.ts';
import { ownTools, writtenByTool } from './own-tools.ts';
import { preloadedMemory } from './preloaded-memory.ts';
import { systemText } from './system-text.ts';
import { foreignTools } from './visible-names.ts';
import { answerParts, visitEvents } from './visit-events.ts';

/** What an agent of a session hears and what becomes of its answer. */
export function sessionAgentRole(settings: AgentSettings, rule: AgentSession, produces: StatePlan): AgentRole {
  const calls = callbacksOfCalls(rule);
  const foreign = foreignTools(settings);
  return {
    produces,
    ...(Object.keys(rule.callbacks ?? {}).length > 0 && callbacksOf(rule)),
    ...(calls && { calls }),
    begin: (step, writes) => {
      step.ownTools = ownTools(step, { rule, foreign }, sessionOf(step), writes);
    },
    opening: async (step, writes) => {
      const given = sessionOf(step);
      const session = { ...given, ...withWrites(given, writes) };
      const text = [
        await systemText(step, settings.preamble ?? '', rule, session),
        ...(await preloadedMemory(step, settings, session)),
      ].join('\n\n');
      return [{ role: 'system', content: [{ type: 'text', text }] }, ...contentsFor(authorOf(step), session, rule.contents)];
    },
    problemOf: (answer) => {
      const read = coerceAnswer(rule.schema ?? {}, answer);
      return 'problem' in read ? read.problem : null;
    },
    perform: (step, call) => perform(step, call, rule),
    receive: (call) => receive(call, rule),
    ends: (calls) => calls.some((call) => endsAgent(call)),
    finish: (step, end) => toJson(finish(step, end, rule)),
  };
}

/** What runs before and after the agent. Content that `before_agent` returns takes the agent's place. */
function callbacksOf(rule: AgentSession): Pick<AgentRole, 'before' | 'after'> {
  return {
    before: async (step) => {
      const session = sessionOf(step);
      const outcome = await runCallback(step, rule, { hook: 'before_agent', state: session });
      const { writes } = outcome;
      const event = contentEvent(step, outcome);
      if (!event) return { writes };
      return { produced: toJson(await followed(step, rule, afterAgent(session, { events: [event], writes }))) };
    },
    after: async (step, produced) => {
      const session: unknown = produced;
      return toJson(await followed(step, rule, session as Session));
    },
  };
}

async function followed(step: Step, rule: AgentSession, session: Session): Promise<Session> {
  const outcome = await runCallback(step, rule, { hook: 'after_agent', state: session });
  const event = contentEvent(step, outcome);
  return extendAgent(session, { events: event ? [event] : [], writes: outcome.writes });
}

function endsAgent({ tool, result }: FinishedCall): boolean {
  return (tool === exitLoopTool || tool === transferTool) && !result.is_error;
}

/** `exit_loop` and `transfer_to_agent` do nothing by themselves: the nodes after the agent read what they decide. */
function perform(step: Step, call: PendingCall, { transfer = [] }: AgentSession): FinishedCall | null {
  const isExit = call.tool === exitLoopTool && step.ownTools !== undefined;
  if (!isExit && (call.tool !== transferTool || transfer.length === 0)) return null;
  announceCall(step, call);
  const finished =
    isExit || transferTarget(call, transfer) ? { ...call, result: { value: null, is_error: false } } : unknownAgent(call, transfer);
  announceResult(step, finished, { ran: true }, 0);
  return finished;
}

function transferTarget({ input }: PendingCall, transfer: NonNullable<AgentSession['transfer']>): string | undefined {
  const name = isJsonObject(input) ? input.agent_name : undefined;
  return transfer.find((agent) => agent.name === name)?.name;
}

function unknownAgent(call: PendingCall, transfer: NonNullable<AgentSession['transfer']>): FinishedCall {
  const names = transfer.map(({ name }) => name).join(', ');
  return failedCall(call, new ToolError('Deserialize', `Unknown agent. Available agents: ${names}.`).toJSON());
}

/** The result of another agent's flow is what that agent said; what it wrote is written here as well. */
function receive(call: FinishedCall, { agents = {} }: AgentSession): { call: FinishedCall; writes: Writes } {
  const { result, tool } = call;
  const isAgent = Object.values(agents).some(({ name }) => name === tool);
  if (!isAgent) return writtenByTool(call);
  if (result.is_error || !isJsonObject(result.value) || !isJsonObject(result.value.state)) return { call, writes: {} };
  const { content, state, floats = [] } = result.value;
  const written = { state, floats: floats as readonly string[] };
  const writes = Object.keys(state).flatMap((key) => {
    const value = stateValue(written, key);
    return value ? [[key, value] as const] : [];
  });
  return { call: { ...call, result: { ...result, value: content as Json } }, writes: Object.fromEntries(writes) };
}

function finish(step: Step, { messages, answer, writes }: AgentEnd, rule: AgentSession): Session {
  const session = sessionOf(step);
  const author = authorOf(step);
  const planned = rule.planner === 'plan_react';
  const own = messages.slice(1 + contentsFor(author, session, rule.contents).length);
  const called = changed(session, writes);
  const before = visitEvents(author, own, planned);
  if (answer !== undefined) {
    const last = lastEvent(author, own, answer, planned, rule);
    return afterAgent(session, { events: [...before, last], writes: { ...called, ...outputOf(rule, answer, last) } });
  }
  const calls = own.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_call' ? [part] : [])));
  const target = calls.findLast(({ tool }) => tool === transferTool);
  const transfer = target && transferTarget(target, rule.transfer ?? []);
  if (transfer !== undefined) return afterAgent(session, { events: before, writes: called, transfer });
  // The result of exit_loop is the agent's last word, and it has no text.
  const events = before.map((event, index): SessionEvent => (index === before.length - 1 ? { ...event, final: true } : event));
  const emptied: Writes = rule.output !== undefined && !rule.schema ? { [rule.output]: { value: '', floats: [] } } : {};
  return afterAgent(session, { events, writes: { ...called, ...emptied }, escalated: rule.loops ?? [] });
}

function lastEvent(author: string, own: readonly Message[], answer: Json, planned: boolean, { schema }: AgentSession): SessionEvent {
  const content = own.findLast(({ role }) => role === 'assistant')?.content ?? [];
  const submitted = schema !== undefined && content.some(({ type }) => type === 'tool_call');
  const said = submitted ? [{ text: jsonDumps(fromJson(answer, [])) }] : answerParts(content, planned);
  // An empty answer counts, too.
  const parts = said.length > 0 ? said : [{ text: '' }];
  return { author, parts, final: true };
}

/** The text without thoughts, or the answer as its schema reads it. */
function outputOf(rule: AgentSession, answer: Json, { parts }: SessionEvent): Writes {
  if (rule.output === undefined) return {};
  if (!rule.schema) {
    const value = parts.map((part) => ('text' in part ? part.text : '')).join('');
    return { [rule.output]: { value, floats: [] } };
  }
  const read = coerceAnswer(rule.schema, answer);
  return 'problem' in read ? {} : { [rule.output]: read };
}

/** What a called agent wrote that is not as it was. */
function changed({ state, floats = [] }: Session, writes: Writes): Writes {
  const textOf = (value: StateValue | null) => value && canonicalJson([value.value, [...value.floats]]);
  const isSame = (key: string, value: StateValue) => textOf(stateValue({ state, floats }, key)) === textOf(value);
  return Object.fromEntries(Object.entries(writes).filter(([key, value]) => !isSame(key, value)));
}
