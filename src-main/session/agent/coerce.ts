import type { StateValue } from '#main/session/state/session.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** A value that was read by a schema, or what is wrong with it. */
export type Coerced = StateValue | { readonly problem: string };

/**
 * Reads an answer by the model that PyFlow makes of a schema: it knows `type`, `properties`, `required` and `items`. Unknown fields are dropped and
 * nulls left out; text that is a number is taken for one, as pydantic does.
 */
export function coerceAnswer(schema: JsonObject, answer: Json): Coerced {
  return coerceObject(schema, answer, '');
}

function coerceObject(schema: JsonObject, value: Json, path: string): Coerced {
  if (!isJsonObject(value)) return { problem: `${path || 'it'} must be an object` };
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const found: Record<string, Json> = {};
  const floats: string[] = [];
  const problems: string[] = [];
  for (const [key, property] of Object.entries(properties)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item === undefined || (item === null && !required.includes(key))) {
      if (required.includes(key)) problems.push(`${at} is missing`);
      continue;
    }
    const read = coerce(isJsonObject(property) ? property : {}, item, at);
    if ('problem' in read) problems.push(read.problem);
    else {
      found[key] = read.value;
      floats.push(...read.floats);
    }
  }
  return problems.length > 0 ? { problem: problems.join('; ') } : { value: found, floats };
}

function coerce(schema: JsonObject, value: Json, path: string): Coerced {
  switch (schema.type ?? 'string') {
    case 'object':
      return coerceObject(schema, value, path);
    case 'array':
      return coerceArray(schema, value, path);
    case 'integer':
      return coerceNumber(value, path, true);
    case 'number':
      return coerceNumber(value, path, false);
    case 'boolean':
      return coerceBoolean(value, path);
    default:
      return typeof value === 'string' ? { value, floats: [] } : { problem: `${path} must be text` };
  }
}

function coerceArray(schema: JsonObject, value: Json, path: string): Coerced {
  if (!Array.isArray(value)) return { problem: `${path} must be a list` };
  const items = isJsonObject(schema.items) ? schema.items : { type: 'string' };
  const read = (value as readonly Json[]).map((item, index) => coerce(items, item, `${path}/${index}`));
  const wrong = read.flatMap((item) => ('problem' in item ? [item.problem] : []));
  if (wrong.length > 0) return { problem: wrong.join('; ') };
  const values = read as StateValue[];
  return { value: values.map((item) => item.value), floats: values.flatMap(({ floats }) => floats) };
}

const numberText = /^\s*[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)([eE][+-]?\d+)?\s*$/;

/** An integer may be given as a float without fraction or as text, a float as any number or text. */
function coerceNumber(value: Json, path: string, whole: boolean): Coerced {
  const given = typeof value === 'boolean' ? Number(value) : value;
  const number = typeof given === 'string' && numberText.test(given) ? Number(given.replaceAll('_', '')) : given;
  if (typeof number !== 'number' || !Number.isFinite(number))
    return { problem: `${path} must be ${whole ? 'a whole number' : 'a number'}` };
  if (whole) {
    const isWhole = Number.isInteger(number) && !(typeof given === 'string' && /[eE]/.test(given));
    return isWhole ? { value: number, floats: [] } : { problem: `${path} must be a whole number` };
  }
  return { value: number, floats: Number.isInteger(number) ? [path] : [] };
}

const truths: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 'on', 't', 'true', 'y', 'yes'].map((word) => [word, true])),
  ...Object.fromEntries(['0', 'off', 'f', 'false', 'n', 'no'].map((word) => [word, false])),
};

function coerceBoolean(value: Json, path: string): Coerced {
  const word = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.toLowerCase() : value;
  const truth = typeof word === 'string' && Object.hasOwn(truths, word) ? truths[word] : word;
  return typeof truth === 'boolean' ? { value: truth, floats: [] } : { problem: `${path} must be true or false` };
}
