import { recordedValue } from '#main/engine/step/recorded-time.ts';
import type { Step } from '#main/engine/step/step.ts';
import { userEvent } from '#main/session/state/continue-session.ts';
import type { Session, SessionEvent } from '#main/session/state/session.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** Begins a session: the message, and a state with the current date and time. A state that has them already keeps them. */
export async function beginSession(step: Step, timezone: string | undefined): Promise<Session> {
  const start = isJsonObject(step.input) ? step.input : {};
  const given = (start.state ?? {}) as JsonObject;
  const floats = (start.floats ?? []) as readonly string[];
  const message = typeof start.message === 'string' ? start.message : '';
  const injected = await injectedState(step, timezone);
  const state = { ...injected, ...given };
  const earlier = (start.events ?? []) as readonly (JsonObject & SessionEvent)[];
  const own = { state, ...(floats.length > 0 && { floats }) };
  if (earlier.length === 0) return { message, ...own, events: [] };
  // A message that follows others is heard where it was said.
  return { message: '', ...own, events: [...earlier, ...(message === '' ? [] : [userEvent(message)])] };
}

/** On record before anything else happens: replayed on another machine, the run gets the same time and zone. */
async function injectedState(step: Step, timezone: string | undefined): Promise<JsonObject> {
  const value = await recordedValue(step, 'session', 'session.begin', () => {
    const zone = timezone ?? step.ctx.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    return { now: step.now, zone };
  });
  const { now, zone } = value as { now: number; zone: string };
  const current_datetime = isoInZone(now, zone);
  return { current_date: current_datetime.slice(0, 10), current_datetime, timezone: zone };
}

/** The time in a zone as Python's `datetime.isoformat`: six digits of fraction (none if it is zero) and the offset. */
export function isoInZone(now: number, zone: string): string {
  const offset = offsetMinutes(now, zone);
  const local = new Date(now + offset * 60_000).toISOString();
  const fraction = now % 1000 === 0 ? '' : `${local.slice(19, 23)}000`;
  const minutes = Math.abs(offset);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${local.slice(0, 19)}${fraction}${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Minutes by which a zone is ahead of UTC at a time. Throws `HandlerError` for an unknown zone. */
function offsetMinutes(now: number, zone: string): number {
  let text: string | undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    text = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value;
  } catch {
    throw new FlowError('HandlerError', `Unknown time zone ${JSON.stringify(zone)}. Set PYFLOW_TIMEZONE to a name such as Europe/Madrid.`, {
      retryable: false,
    });
  }
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? '') ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
