import { userAuthor } from '#main/session/state/continue-session.ts';
import { branchPath, type EventPart, type Session, type SessionEvent } from '#main/session/state/session.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import type { Json } from '#shared/json.ts';
import { floatJson } from '#shared/run/float-json.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';

/** The messages that an agent hears: the user's, and what was said before it by ADK's rules. */
export function contentsFor(author: string, session: Session, contents: AgentSession['contents']): Message[] {
  const path = branchPath(session);
  const heard = session.events.filter((event) => hears(path, event));
  const events = contents === 'none' ? heard.slice(Math.max(0, lastForeign(author, heard))) : heard;
  const messages: Message[] = [];
  const own = new OwnTurns();
  const isCut = contents === 'none' && lastForeign(author, heard) >= 0;
  if (!isCut && session.message !== '') addUser(messages, session.message);
  for (const event of events) {
    if (isSilent(event)) continue;
    if (event.author === author) messages.push(...own.messages(event));
    else if (event.author === userAuthor) addUser(messages, event.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'));
    else addUser(messages, event.parts.flatMap((part) => heardText(event.author, part)).join('\n'));
  }
  // Providers need a message to answer.
  return messages.length > 0 ? messages : [{ role: 'user', content: [{ type: 'text', text: '' }] }];
}

/** An agent in a branch hears its own branch and those around it; outside of all branches it hears everything. */
function hears(path: string, { branch }: SessionEvent): boolean {
  return path === '' || branch === undefined || path === branch || path.startsWith(`${branch}.`);
}

function lastForeign(author: string, events: readonly SessionEvent[]): number {
  return events.findLastIndex((event) => event.author !== author && !isSilent(event));
}

/** Whether nothing in an event is heard: thoughts and empty texts are not. */
function isSilent({ parts }: SessionEvent): boolean {
  return parts.every((part) => 'thought' in part || ('text' in part && part.text === ''));
}

/** What another agent said, with its name. Thoughts are not heard. */
function heardText(author: string, part: EventPart): string[] {
  if ('thought' in part) return [];
  if ('text' in part) return part.text === '' ? [] : [`[${author}] said: ${part.text}`];
  if ('call' in part) return [`[${author}] called the tool ${part.call} with ${JSON.stringify(part.args)}`];
  return [`[${author}] got the result of ${part.result_of}: ${floatJson({ value: part.result, floats: part.floats ?? [] })}`];
}

/** Adds to the user's message if it is the last one, else as a new one. */
function addUser(messages: Message[], text: string): void {
  const last = messages.at(-1);
  if (last?.role !== 'user') messages.push({ role: 'user', content: [{ type: 'text', text }] });
  else {
    const [before] = last.content;
    const joined = `${before?.type === 'text' ? before.text : ''}\n\n${text}`;
    messages[messages.length - 1] = { role: 'user', content: [{ type: 'text', text: joined }] };
  }
}

/** The agent's own earlier turns as messages. Calls get ids of their own, in order. */
class OwnTurns {
  #calls = 0;
  readonly #open: { readonly tool_call_id: string; readonly tool: string }[] = [];

  messages({ parts }: SessionEvent): Message[] {
    const results = parts.flatMap((part) => ('result_of' in part ? [this.#result(part.result_of, part.result, part.floats)] : []));
    if (results.length > 0) return [{ role: 'tool', content: results }];
    const content = parts.flatMap((part): MessagePart[] => {
      if ('call' in part) return [this.#call(part.call, part.args)];
      return 'text' in part && part.text !== '' ? [{ type: 'text', text: part.text }] : [];
    });
    return content.length > 0 ? [{ role: 'assistant', content }] : [];
  }

  #call(tool: string, input: Json): MessagePart {
    this.#calls += 1;
    const tool_call_id = `earlier_${this.#calls}`;
    this.#open.push({ tool_call_id, tool });
    return { type: 'tool_call', tool_call_id, tool, input };
  }

  #result(tool: string, result: Json, floats?: readonly string[]): MessagePart {
    const index = this.#open.findIndex((call) => call.tool === tool);
    const [call] = index < 0 ? [] : this.#open.splice(index, 1);
    return {
      type: 'tool_result',
      tool_call_id: call?.tool_call_id ?? 'earlier_0',
      tool,
      result,
      is_error: false,
      ...(floats && { floats: [...floats] }),
    };
  }
}
