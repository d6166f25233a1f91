import { fromJson, type PyValue, pyStr, toJson } from '#shared/python/index.ts';
import { FlowError } from '#shared/run/error.ts';
import { type SessionState, type StateValue, stateValue } from './session.ts';

/** A key of the state as Python sees it; undefined if there is none. */
export function pythonValue(session: SessionState, key: string): PyValue | undefined {
  const found = stateValue(session, key);
  return found ? fromJson(found.value, found.floats, found.orders) : undefined;
}

/** A key of the state as Python's `str`; undefined if there is none. */
export function pythonText(session: SessionState, key: string): string | undefined {
  const value = pythonValue(session, key);
  return value === undefined ? undefined : pyStr(value);
}

/** A Python value as it is written into the state of `agent`. Throws `HandlerError` for what JSON cannot carry. */
export function writtenValue(value: PyValue, agent: string): StateValue {
  const written = toJson(value);
  if (!('failure' in written)) return written;
  throw new FlowError('HandlerError', `The result of ${agent} is not JSON serializable: ${written.failure.message}`, { retryable: false });
}
