import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { schemasAgree } from './schema-agreement.ts';

/** How well values of one schema fit another: both are equal, it accepts all of them, some of them, or none. */
export interface SchemaFit {
  readonly fit: 'equal' | 'all' | 'some' | 'none';
  /** For `some`: the required field that may be missing, as a path (`order.total`), if that is why. */
  readonly missing?: string;
  /** For `none`: why, as a sentence. */
  readonly reason?: string;
}

const equal: SchemaFit = { fit: 'equal' };
const all: SchemaFit = { fit: 'all' };
const some: SchemaFit = { fit: 'some' };

/**
 * Whether values of the schema `produced` fit the schema `accepted`. Compares types, fields, items, constants and enums; what it cannot
 * decide, such as a pattern or a reference, is `some`.
 */
export function schemaFit(produced: Json, accepted: Json): SchemaFit {
  return fitAt(produced, accepted, '');
}

function fitAt(produced: Json, accepted: Json, path: string): SchemaFit {
  if (accepted === true || (isJsonObject(accepted) && Object.keys(assertionsOf(accepted)).length === 0)) return all;
  if (accepted === false) return none(path, 'accepts nothing');
  if (schemasAgree(produced, accepted)) return equal;
  if (!isJsonObject(accepted) || !isJsonObject(produced)) return some;
  const types = typesFit(produced, accepted, path);
  if (types.fit === 'none') return types;
  return worst([
    types,
    valuesFit(produced, accepted, path),
    fieldsFit(produced, accepted, path),
    itemsFit(produced, accepted, path),
    rest(produced, accepted),
  ]);
}

const order = ['equal', 'all', 'some', 'none'] as const;

/** The worst of these, with its missing field or reason; `all` if there is none worse. */
function worst(fits: readonly SchemaFit[]): SchemaFit {
  return fits.reduce((found, fit) => {
    const [one, other] = [order.indexOf(found.fit), order.indexOf(fit.fit)];
    return other > one || (other === one && found.missing === undefined && fit.missing !== undefined) ? fit : found;
  }, all);
}

function none(path: string, reason: string): SchemaFit {
  return { fit: 'none', reason: path === '' ? `It ${reason}.` : `Its field ${path} ${reason}.` };
}

function typesOf(schema: JsonObject): readonly string[] | null {
  if (typeof schema.type === 'string') return [schema.type];
  if (Array.isArray(schema.type)) return (schema.type as readonly Json[]).filter((type) => typeof type === 'string');
  if (isJsonObject(schema.properties)) return ['object'];
  return 'const' in schema ? [typeOf(schema.const as Json)] : null;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function typesFit(produced: JsonObject, accepted: JsonObject, path: string): SchemaFit {
  const [out, into] = [typesOf(produced), typesOf(accepted)];
  if (!into) return all;
  if (!out) return some;
  const takes = (type: string) => into.includes(type) || (type === 'integer' && into.includes('number'));
  if (out.every(takes)) return all;
  if (out.some(takes) || (out.includes('number') && into.includes('integer'))) return some;
  return none(path, `takes ${into.join(' or ')}, not ${out.join(' or ')}`);
}

/** Constants and enums. */
function valuesFit(produced: JsonObject, accepted: JsonObject, path: string): SchemaFit {
  const [out, into] = [valuesOf(produced), valuesOf(accepted)];
  if (!into) return all;
  if (!out) return some;
  const texts = new Set(into.map((value) => JSON.stringify(value)));
  const fitting = out.filter((value) => texts.has(JSON.stringify(value)));
  if (fitting.length === out.length) return all;
  return fitting.length > 0 ? some : none(path, 'takes other values');
}

function valuesOf(schema: JsonObject): readonly Json[] | null {
  if ('const' in schema) return [schema.const as Json];
  return Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : null;
}

function fieldsFit(produced: JsonObject, accepted: JsonObject, path: string): SchemaFit {
  const [out, into] = [fieldsOf(produced), fieldsOf(accepted)];
  const [given, needed] = [requiredOf(produced), requiredOf(accepted)];
  const fits: SchemaFit[] = [];
  for (const name of new Set([...needed, ...Object.keys(into)])) {
    const at = path === '' ? name : `${path}.${name}`;
    const isNeeded = needed.has(name);
    if (!Object.hasOwn(out, name)) {
      if (isNeeded && produced.additionalProperties === false) fits.push(none(path, `needs ${name}, which is never there`));
      else if (isNeeded) fits.push({ fit: 'some', missing: at });
      continue;
    }
    if (isNeeded && !given.has(name)) fits.push({ fit: 'some', missing: at });
    const fit = fitAt(out[name] as Json, into[name] ?? true, at);
    // A field that need not be there can be left out.
    fits.push(fit.fit === 'none' && !isNeeded && !given.has(name) ? some : fit);
  }
  if (accepted.additionalProperties === false) {
    const extra = Object.keys(out).filter((name) => !Object.hasOwn(into, name));
    const always = extra.find((name) => given.has(name));
    if (always !== undefined) fits.push(none(path, `does not take the field ${always}`));
    else if (extra.length > 0) fits.push(some);
  }
  return worst(fits);
}

function fieldsOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

function requiredOf(schema: JsonObject): ReadonlySet<string> {
  const names = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  return new Set(names.filter((name) => typeof name === 'string'));
}

function itemsFit(produced: JsonObject, accepted: JsonObject, path: string): SchemaFit {
  if (accepted.items === undefined) return all;
  return fitAt((produced.items ?? true) as Json, accepted.items as Json, `${path}[]`);
}

/** Keywords that the functions above decide. */
const decided: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'const', 'enum']);
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'format',
  '$schema',
]);

function assertionsOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !annotations.has(key)));
}

/** Every other keyword of the accepting schema that the other one does not have with the same value. */
function rest(produced: JsonObject, accepted: JsonObject): SchemaFit {
  const others = Object.entries(assertionsOf(accepted)).filter(([key]) => !decided.has(key));
  return others.every(([key, value]) => JSON.stringify(produced[key]) === JSON.stringify(value)) ? all : some;
}
