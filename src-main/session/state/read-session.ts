import type { Step } from '#main/engine/step/step.ts';
import type { Session, SessionParts } from './session.ts';

/** The session that a step consumes. Throws `SerializeError` if a flow written by hand passes something else. */
export function sessionOf(step: Step): Session {
  const { input } = step as { readonly input: unknown };
  if (isSession(input)) return input;
  throw notSession(step);
}

/** The sessions that a join consumes, in the order of the branches. */
export function sessionsOf(step: Step): Session[] {
  return step.values.flatMap((value: unknown) => {
    if (isSession(value)) return [value];
    if (isParts(value)) return [...value.parts];
    throw notSession(step);
  });
}

function isSession(value: unknown): value is Session {
  return isObject(value) && typeof value.message === 'string' && isObject(value.state) && Array.isArray(value.events);
}

function isParts(value: unknown): value is SessionParts {
  return isObject(value) && Array.isArray(value.parts) && value.parts.every(isSession);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notSession(step: Step): Error {
  return step.invalidShape(
    'session',
    'needs a session: an object with "message", "state" and "events". A session starts at a node with "begin"',
  );
}
