import { type Session, stateValue } from '#main/session/state/session.ts';
import { pythonText } from '#main/session/state/state-values.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { toolPlaceholder } from '#shared/pyflow/keys-read.ts';

const whole = new RegExp(`^${toolPlaceholder.source}$`);

/**
 * Fills the arguments of a tool agent: a text that is just `{key}` becomes the value, inside longer text it is Python's `str`, and a key that is
 * not there stays as written. No escapes, and no placeholders in keys.
 */
export function fillConfig(config: JsonObject, session: Session): JsonObject {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, fill(value, session)]));
}

function fill(value: Json, session: Session): Json {
  if (typeof value === 'string') return fillText(value, session);
  if (Array.isArray(value)) return value.map((item) => fill(item, session));
  return isJsonObject(value) ? fillConfig(value, session) : value;
}

function fillText(text: string, session: Session): Json {
  const key = whole.exec(text)?.[1];
  if (key !== undefined) {
    const found = stateValue(session, key);
    return found ? found.value : text;
  }
  return text.replace(toolPlaceholder, (match, name: string) => pythonText(session, name) ?? match);
}
