import type { EventPart, SessionEvent } from '#main/session/state/session.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import { planParts } from './plan-react.ts';

type OwnEvent = Omit<SessionEvent, 'branch'>;

/** What an agent said and did in a visit, after the messages that opened it. The last answer is not among it. */
export function visitEvents(author: string, messages: readonly Message[], planned: boolean): OwnEvent[] {
  return messages.flatMap(({ role, content }): OwnEvent[] => {
    if (role === 'tool') {
      const parts = content.flatMap(resultPart);
      return parts.length > 0 ? [{ author, parts }] : [];
    }
    const calls = content.some((part) => part.type === 'tool_call' && part.tool !== submitTool);
    return role === 'assistant' && calls ? [{ author, parts: answerParts(content, planned) }] : [];
  });
}

/** What a model's answer consists of. */
export function answerParts(content: readonly MessagePart[], planned: boolean): EventPart[] {
  return content.flatMap((part): EventPart[] => {
    if (part.type === 'text') return planned ? planParts(part.text) : [{ text: part.text }];
    if (part.type === 'reasoning') return [{ thought: part.text }];
    return part.type === 'tool_call' && part.tool !== submitTool ? [{ call: part.tool, args: part.input }] : [];
  });
}

function resultPart(part: MessagePart): EventPart[] {
  return part.type === 'tool_result' && part.tool !== submitTool
    ? [{ result_of: part.tool, result: part.result, ...(part.floats && { floats: part.floats }) }]
    : [];
}
