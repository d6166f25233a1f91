import { type JsonObject, toJson } from '#shared/json.ts';
import type { Session, SessionEvent } from './session.ts';

/** The author of what the user said. No agent has this name. */
export const userAuthor = 'user';

/** What the user said, among the events of a session. */
export function userEvent(text: string): SessionEvent {
  return { author: userAuthor, parts: [{ text }] };
}

/** The input of a run that continues a session: its state, and everything that was said. */
export function continuedInput({ message, state, floats, events }: Session, next: string): JsonObject {
  const said = message === '' ? events : [userEvent(message), ...events];
  return { message: next, state, ...(floats && { floats: [...floats] }), events: toJson(said) as JsonObject[] };
}
