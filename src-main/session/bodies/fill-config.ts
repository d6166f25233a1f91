import { type Session, stateValue } from '#main/session/state/session.ts';
import { pythonText } from '#main/session/state/state-values.ts';
import { isJsonObject, type Json, type JsonObject, jsonPointer } from '#shared/json.ts';
import { toolPlaceholder } from '#shared/pyflow/keys-read.ts';

const whole = new RegExp(`^${toolPlaceholder.source}$`);

/** Arguments of a tool, and the JSON Pointers of the whole numbers in them that are floats. */
export interface FilledConfig {
  readonly input: JsonObject;
  readonly floats: readonly string[];
}

/**
 * Fills the arguments of a tool agent: a text that is just `{key}` becomes the value, inside longer text it is Python's `str`, and a key that is
 * not there stays as written. No escapes, and no placeholders in keys.
 */
export function fillConfig(config: JsonObject, session: Session): FilledConfig {
  const floats: string[] = [];
  return { input: fillFields(config, session, '', floats), floats };
}

function fillFields(config: JsonObject, session: Session, at: string, floats: string[]): JsonObject {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, fill(value, session, at + jsonPointer([key]), floats)]));
}

function fill(value: Json, session: Session, at: string, floats: string[]): Json {
  if (typeof value === 'string') return fillText(value, session, at, floats);
  if (Array.isArray(value)) return value.map((item, index) => fill(item, session, `${at}/${index}`, floats));
  return isJsonObject(value) ? fillFields(value, session, at, floats) : value;
}

function fillText(text: string, session: Session, at: string, floats: string[]): Json {
  const key = whole.exec(text)?.[1];
  if (key !== undefined) {
    const found = stateValue(session, key);
    if (!found) return text;
    floats.push(...found.floats.map((pointer) => at + pointer));
    return found.value;
  }
  return text.replace(toolPlaceholder, (match, name: string) => pythonText(session, name) ?? match);
}
