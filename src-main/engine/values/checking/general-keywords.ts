import type { Json } from '#shared/json.ts';
import { addSeen, type Check, type Checking, miss, nothingSeen, type Seen } from './checking.ts';
import type { Making } from './interpret-schema.ts';
import type { SchemaResource } from './schema-index.ts';
import { valueKeywords } from './value-keywords.ts';

/** The keywords for values of all types: references, values, and schemas for the same value. */
export function generalKeywords(making: Making): Check[] {
  const { schema, checkOf } = making;
  const { $dynamicRef, $ref, not, anyOf, oneOf, allOf } = schema;
  const checks: Check[] = [];
  if (typeof $dynamicRef === 'string') checks.push(dynamicReference(making, $dynamicRef));
  if (typeof $ref === 'string') checks.push(reference(making, $ref));
  checks.push(...valueKeywords(schema));
  if (not !== undefined) checks.push(notKeyword(checkOf(not)));
  if (Array.isArray(anyOf)) checks.push(anyKeyword(anyOf.map((each) => checkOf(each))));
  if (Array.isArray(oneOf)) checks.push(oneKeyword(oneOf.map((each) => checkOf(each))));
  if (Array.isArray(allOf)) checks.push(...allOf.map((each) => inPlace(checkOf(each))));
  if (schema.if !== undefined) checks.push(ifKeyword(making));
  return checks;
}

/** A schema for the same value: what it has looked at counts. */
export function inPlace(check: Check): Check {
  return (value, at, checking, seen) => {
    const own = nothingSeen();
    const holds = check(value, at, checking, own);
    if (holds) addSeen(seen, own);
    return holds;
  };
}

function reference({ index, resource, checkOf }: Making, to: string): Check {
  const target = index.resolve(to, resource);
  return inPlace(checkOf(target.schema, target.resource));
}

/** Leads to the outermost of the entered resources that has an anchor of this name. */
function dynamicReference({ index, resource, checkOf }: Making, to: string): Check {
  const target = index.resolve(to, resource);
  const { dynamicAnchors } = target.resource;
  if (dynamicAnchors.get(target.name) !== target.schema) return inPlace(checkOf(target.schema, target.resource));
  const made = new Map<SchemaResource, Check>();
  return (value, at, checking, seen) => {
    const outermost = checking.entered.find((entered) => entered.dynamicAnchors.has(target.name)) ?? target.resource;
    let check = made.get(outermost);
    if (!check) {
      check = inPlace(checkOf(outermost.dynamicAnchors.get(target.name) as Json, outermost));
      made.set(outermost, check);
    }
    return check(value, at, checking, seen);
  };
}

/** Removes the errors that came after the first `count`: the value fits all the same. */
function forget({ errors }: Checking, count: number): void {
  errors.length = count;
}

function notKeyword(check: Check): Check {
  return (value, at, checking) => {
    const count = checking.errors.length;
    const holds = check(value, at, checking, nothingSeen());
    forget(checking, count);
    return !holds || miss(checking, at, 'not', 'must NOT be valid');
  };
}

function anyKeyword(checks: readonly Check[]): Check {
  const branches = checks.map(inPlace);
  return (value, at, checking, seen) => {
    const count = checking.errors.length;
    // All of them, since each that holds has looked at something.
    const holds = branches.filter((branch) => branch(value, at, checking, seen)).length > 0;
    if (!holds) return miss(checking, at, 'anyOf', 'must match a schema in anyOf');
    forget(checking, count);
    return true;
  };
}

function oneKeyword(checks: readonly Check[]): Check {
  return (value, at, checking, seen) => {
    const count = checking.errors.length;
    let held: Seen | undefined;
    for (const check of checks) {
      const own = nothingSeen();
      if (!check(value, at, checking, own)) continue;
      if (held) return miss(checking, at, 'oneOf', 'must match exactly one schema in oneOf');
      held = own;
    }
    if (!held) return miss(checking, at, 'oneOf', 'must match exactly one schema in oneOf');
    addSeen(seen, held);
    forget(checking, count);
    return true;
  };
}

function ifKeyword({ schema, checkOf }: Making): Check {
  const [condition, whenTrue, whenFalse] = [schema.if, schema.then, schema.else].map((part) =>
    part === undefined ? undefined : inPlace(checkOf(part)),
  );
  return (value, at, checking, seen) => {
    const count = checking.errors.length;
    const holds = (condition as Check)(value, at, checking, seen);
    forget(checking, count);
    const branch = holds ? whenTrue : whenFalse;
    return !branch || branch(value, at, checking, seen) || miss(checking, at, 'if', `must match "${holds ? 'then' : 'else'}" schema`);
  };
}
