import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { type Check, type Checking, missField, nothingSeen, type Place, type Seen } from './checking.ts';
import { inPlace } from './general-keywords.ts';
import type { Making, Pattern } from './interpret-schema.ts';
import { objectLimits, requiredKeyword } from './value-keywords.ts';

/** The keywords for objects. */
export function objectKeywords(making: Making): Check[] {
  const { schema, checkOf, patternOf } = making;
  const { propertyNames, additionalProperties, dependencies, dependentRequired, dependentSchemas, unevaluatedProperties } = schema;
  const properties = named(schema.properties);
  const patterns = named(schema.patternProperties).map(([pattern, each]) => [patternOf(pattern), checkOf(each)] as const);
  const names = new Set(properties.map(([name]) => name));
  const isAdditional = (name: string): boolean => !names.has(name) && !patterns.some(([pattern]) => pattern.test(name));
  const checks = [...objectLimits(schema), ...requiredKeyword(schema)];
  if (propertyNames !== undefined) checks.push(namesKeyword(checkOf(propertyNames)));
  if (additionalProperties !== undefined)
    checks.push(otherFields('additionalProperties', additionalProperties, checkOf(additionalProperties), isAdditional));
  if (isJsonObject(dependencies)) checks.push(...dependencyKeyword(dependencies, 'dependencies', making));
  checks.push(...properties.map(([name, each]) => propertyKeyword(name, checkOf(each))));
  checks.push(...patterns.map(([pattern, check]) => patternKeyword(pattern, check)));
  if (isJsonObject(dependentRequired)) checks.push(...dependencyKeyword(dependentRequired, 'dependentRequired', making));
  if (isJsonObject(dependentSchemas)) checks.push(...dependencyKeyword(dependentSchemas, 'dependentSchemas', making));
  if (unevaluatedProperties !== undefined) {
    const isUnseen = (name: string, { names: seen }: Seen): boolean => seen !== 'all' && !seen.has(name);
    checks.push(otherFields('unevaluatedProperties', unevaluatedProperties, checkOf(unevaluatedProperties), isUnseen));
  }
  return checks;
}

/** The entries of a keyword with schemas by name. ajv does not look at `__proto__`. */
function named(schemas: Json | undefined): [string, Json][] {
  return isJsonObject(schemas) ? Object.entries(schemas).filter(([name]) => name !== '__proto__') : [];
}

function see(seen: Seen, name: string): void {
  if (seen.names !== 'all') seen.names.add(name);
}

function checkField(check: Check, value: JsonObject, name: string, at: Place, checking: Checking): boolean {
  return check(value[name] as Json, { above: at, key: name }, checking, nothingSeen());
}

function propertyKeyword(name: string, check: Check): Check {
  return (value, at, checking, seen) => {
    if (!Object.hasOwn(value as JsonObject, name)) return true;
    see(seen, name);
    return checkField(check, value as JsonObject, name, at, checking);
  };
}

function patternKeyword(pattern: Pattern, check: Check): Check {
  return (value, at, checking, seen) => {
    let holds = true;
    for (const name of Object.keys(value as JsonObject)) {
      if (!pattern.test(name)) continue;
      see(seen, name);
      if (!checkField(check, value as JsonObject, name, at, checking)) holds = false;
      if (!holds && !checking.findsAll) return false;
    }
    return holds;
  };
}

function namesKeyword(check: Check): Check {
  return (value, at, checking) => {
    let holds = true;
    for (const name of Object.keys(value as JsonObject)) {
      if (check(name, at, checking, nothingSeen())) continue;
      holds = missField(checking, at, name, 'propertyNames', 'property name must be valid');
      if (!checking.findsAll) return false;
    }
    return holds;
  };
}

/** A schema for the fields that no other keyword is about. All fields count as looked at afterwards. */
function otherFields(keyword: string, schema: Json, check: Check, isOther: (name: string, seen: Seen) => boolean): Check {
  return (value, at, checking, seen) => {
    let holds = true;
    for (const name of Object.keys(value as JsonObject)) {
      if (!isOther(name, seen)) continue;
      if (schema === false) holds = missField(checking, at, name, keyword, 'is not a field of this schema');
      else if (!checkField(check, value as JsonObject, name, at, checking)) holds = false;
      if (!holds && !checking.findsAll) return false;
    }
    seen.names = 'all';
    return holds;
  };
}

/** What has to be there, or has to hold, where a field is there: names of fields first, then schemas. */
function dependencyKeyword(dependencies: JsonObject, keyword: string, { checkOf }: Making): Check[] {
  const entries = named(dependencies);
  const lists = entries.flatMap(([name, rule]): Check[] => (Array.isArray(rule) ? [needsFields(name, rule as string[], keyword)] : []));
  const schemas = entries.flatMap(([name, rule]): Check[] => {
    if (Array.isArray(rule)) return [];
    const check = inPlace(checkOf(rule));
    return [(value, at, checking, seen) => !Object.hasOwn(value as JsonObject, name) || check(value, at, checking, seen)];
  });
  return [...lists, ...schemas];
}

function needsFields(name: string, needed: readonly string[], keyword: string): Check {
  const message = `must have ${needed.length === 1 ? 'property' : 'properties'} ${needed.join(', ')} when property ${name} is present`;
  return (value, at, checking) => {
    if (!Object.hasOwn(value as JsonObject, name)) return true;
    const missing = needed.find((each) => !Object.hasOwn(value as JsonObject, each));
    return missing === undefined || missField(checking, at, missing, keyword, message);
  };
}
