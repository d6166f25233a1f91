import type { Session } from '#main/session/state/session.ts';
import type { Json } from '#shared/json.ts';

/** The session's result: what the last final event says, its author, and the state. */
export function sessionResult({ events, state, floats }: Session): Json {
  const last = events.findLast(({ final }) => final);
  const content = (last?.parts ?? []).map((part) => ('text' in part ? part.text : 'thought' in part ? part.thought : '')).join('');
  return { content, author: last?.author ?? '', state, ...(floats && { floats }) };
}
