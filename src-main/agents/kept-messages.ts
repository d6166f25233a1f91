import type { Draft } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { plainMessage, seenOf } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry, Entry, Message, MessagePart } from '#shared/run/message.ts';
import type { KeptVisit } from './kept-conversation.ts';

/** The finished exchanges before a visit, as its model gets them: calls of tools that the agent does not have are text. */
export function earlierExchanges(visit: KeptVisit, url: string, tools: ReadonlySet<string>): Message[][] {
  const { summary, exchanges } = seenOf(seenEntries(visit));
  const told = exchanges.map((exchange) => exchange.flatMap((entry) => asSent(entry, url, tools)));
  return summary ? [[summaryMessage(summary)], ...told] : told;
}

/** What a visit has read, and the summaries that it has made. */
export function seenEntries({ visited, entries, own }: KeptVisit): ConversationEntry[] {
  return entries.filter(({ entry }, index) => index >= visited.from && (index < own || entry.kind === 'summary'));
}

/** The messages that a visit itself has added so far. */
export function ownMessages({ entries, own }: Pick<KeptVisit, 'entries' | 'own'>): Message[] {
  return entries.slice(own).flatMap((each) => (each.entry.kind === 'message' ? [plainMessage(each)] : []));
}

function summaryMessage({ content }: ConversationEntry): Message {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { role: 'user', content: [{ type: 'text', text: `Summary of the conversation so far:\n${text}` }] };
}

function asSent(given: ConversationEntry, url: string, tools: ReadonlySet<string>): Message[] {
  const { vendor, ...message } = plainMessage(given);
  const content = message.content.flatMap((part) => partSent(part, tools));
  if (content.length === 0) return [];
  // Results of calls that are text are text, too.
  const role = message.role === 'tool' && content.every(({ type }) => type === 'text') ? 'user' : message.role;
  return [{ ...message, role, content, ...(vendor && given.entry.model === url && { vendor }) }];
}

function partSent(part: MessagePart, tools: ReadonlySet<string>): MessagePart[] {
  if (part.type === 'tool_call' && !tools.has(part.tool)) {
    const input = JSON.stringify(part.input);
    return [{ type: 'text', text: part.tool === submitTool ? input : `called ${part.tool}(${input})` }];
  }
  if (part.type === 'tool_result' && !tools.has(part.tool)) {
    if (part.tool === submitTool) return [];
    const result = typeof part.result === 'string' ? part.result : JSON.stringify(part.result);
    return [{ type: 'text', text: `${part.tool} → ${result}` }];
  }
  return [part];
}

/** Makes a step's messages entries of the conversation, and its draft say where they belong. */
export function keptDraft(step: Step, visit: KeptVisit, draft: Draft, model: string): Draft {
  if (draft.type === 'suspended' || draft.type === 'failed_call') return draft;
  const { visited, read, scope, entries } = visit;
  const added = entriesOf(step, visit, draft, model);
  const change = {
    id: visited.id,
    expected: Math.max(visited.base, entries.at(-1)?.entry.position ?? 0),
    entries: added,
    releases: draft.type === 'finished',
  };
  const kept = { id: visited.id, ...(scope === 'workspace' && { change }) };
  return { ...draft, kept, history: [...read, ...added] };
}

function entriesOf(step: Step, { visited, entries, own, reads }: KeptVisit, draft: Exclude<Draft, { type: 'suspended' }>, model: string) {
  const { body } = step.plan.node;
  const messageKey = body.type === 'agent' ? body.message_key : undefined;
  const recorded = step.run.recorder?.recordedEntries?.(step.seq, visited.id);
  const said = (draft.history ?? []).filter(({ role }) => role !== 'system');
  const before = Math.max(visited.base, entries.at(-1)?.entry.position ?? 0);
  return said.map((message, index): ConversationEntry => {
    const summarises = 'summarises' in draft ? draft.summarises : undefined;
    const isFirst = summarises === undefined && index === 0 && ownMessages({ entries, own }).length === 0;
    const made: Entry = {
      entry_id: isFirst ? visited.exchange : (recorded?.[index]?.entry.entry_id ?? step.ctx.newId()),
      exchange: visited.exchange,
      position: before + index + 1,
      kind: summarises === undefined ? 'message' : 'summary',
      run_id: step.run.run_id,
      node: step.node,
      seq: step.seq,
      created_at: recorded?.[index]?.entry.created_at ?? step.started,
      ...(isFirst && messageKey !== undefined && { key: messageKey }),
      ...(index === 0 && reads && { reads: [reads[0], reads[1]] as [number, number] }),
      ...(message.role === 'assistant' && { model }),
      ...(message.role === 'assistant' && 'usage' in draft && draft.usage && { tokens: draft.usage.tokens }),
      ...(message.role === 'assistant' && 'usage' in draft && draft.usage?.characters && { characters: draft.usage.characters }),
      ...(summarises !== undefined && { replaces: [1, summarises] as [number, number] }),
      ...(draft.type === 'finished' && summarises === undefined && index === said.length - 1 && { ends: true as const }),
    };
    return { ...message, entry: made };
  });
}
