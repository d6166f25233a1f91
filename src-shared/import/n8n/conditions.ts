import { objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { type KeysByName, parameterCode } from './expressions.ts';

const comparisons: Readonly<Record<string, (left: string, right: string) => string>> = {
  equals: (left, right) => `${left} === ${right}`,
  equal: (left, right) => `String(${left}) === String(${right})`,
  notEquals: (left, right) => `${left} !== ${right}`,
  notEqual: (left, right) => `String(${left}) !== String(${right})`,
  contains: (left, right) => `(Array.isArray(${left}) ? ${left} : String(${left} ?? '')).includes(${right})`,
  notContains: (left, right) => `!(Array.isArray(${left}) ? ${left} : String(${left} ?? '')).includes(${right})`,
  startsWith: (left, right) => `String(${left} ?? '').startsWith(${right})`,
  endsWith: (left, right) => `String(${left} ?? '').endsWith(${right})`,
  notStartsWith: (left, right) => `!String(${left} ?? '').startsWith(${right})`,
  notEndsWith: (left, right) => `!String(${left} ?? '').endsWith(${right})`,
  regex: (left, right) => `new RegExp(${right}).test(String(${left} ?? ''))`,
  notRegex: (left, right) => `!new RegExp(${right}).test(String(${left} ?? ''))`,
  gt: (left, right) => `${left} > ${right}`,
  larger: (left, right) => `${left} > ${right}`,
  lt: (left, right) => `${left} < ${right}`,
  smaller: (left, right) => `${left} < ${right}`,
  gte: (left, right) => `${left} >= ${right}`,
  largerEqual: (left, right) => `${left} >= ${right}`,
  lte: (left, right) => `${left} <= ${right}`,
  smallerEqual: (left, right) => `${left} <= ${right}`,
  after: (left, right) => `new Date(${left}) > new Date(${right})`,
  before: (left, right) => `new Date(${left}) < new Date(${right})`,
  true: (left) => `${left} === true`,
  false: (left) => `${left} === false`,
  empty: (left) =>
    `(${left} === undefined || ${left} === null || ${left}.length === 0 || (typeof ${left} === 'object' && Object.keys(${left}).length === 0))`,
  isEmpty: (left) => `(${left} ?? '') === ''`,
  notEmpty: (left) => `!(${left} === undefined || ${left} === null || ${left}.length === 0)`,
  isNotEmpty: (left) => `(${left} ?? '') !== ''`,
  exists: (left) => `(${left} ?? null) !== null`,
  notExists: (left) => `(${left} ?? null) === null`,
  lengthEquals: (left, right) => `(${left} ?? []).length === ${right}`,
  lengthGt: (left, right) => `(${left} ?? []).length > ${right}`,
  lengthLt: (left, right) => `(${left} ?? []).length < ${right}`,
};

/** Code of the conditions of an If, Filter or Switch node, of its newer and its older form. `onBlocked` is told what is not supported. */
export function conditionsCode(conditions: Json | undefined, combine: string, keys: KeysByName, onBlocked: (what: string) => void): string {
  const found = isJsonObject(conditions) ? conditions : {};
  const newer = objectsAt(found, 'conditions');
  const list = newer.length > 0 ? newer.map((each) => comparison(each, keys, onBlocked)) : olderConditions(found, keys, onBlocked);
  const or = (textAt(found, 'combinator') || combine) === 'or' || combine === 'any';
  return list.length === 0 ? 'true' : list.map((each) => `(${each})`).join(or ? ' || ' : ' && ');
}

function comparison(condition: JsonObject, keys: KeysByName, onBlocked: (what: string) => void): string {
  const operator = objectAt(condition, 'operator');
  return compare(textAt(operator, 'operation'), condition.leftValue ?? null, condition.rightValue ?? null, keys, onBlocked);
}

/** `{ string: [{ value1, operation, value2 }], number: […], boolean: […] }`. */
function olderConditions(conditions: JsonObject, keys: KeysByName, onBlocked: (what: string) => void): string[] {
  return ['string', 'number', 'boolean', 'dateTime'].flatMap((type) =>
    objectsAt(conditions, type).map((each) => {
      const fallback = type === 'number' ? 'smaller' : 'equal';
      return compare(
        textAt(each, 'operation') || fallback,
        each.value1 ?? null,
        each.value2 ?? (type === 'boolean' ? true : null),
        keys,
        onBlocked,
      );
    }),
  );
}

export function compare(operation: string, left: Json, right: Json, keys: KeysByName, onBlocked: (what: string) => void): string {
  const write = comparisons[operation];
  const [a, b] = [parameterCode(left, keys), parameterCode(right, keys)];
  for (const { blocked } of [a, b]) if (blocked !== undefined) onBlocked(blocked);
  if (write) return `((left, right) => ${write('left', 'right')})(${a.code}, ${b.code})`;
  onBlocked(`the comparison ${operation}`);
  return 'false';
}
