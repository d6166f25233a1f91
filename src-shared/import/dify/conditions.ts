import { listAt, objectAt, textAt } from '#shared/import/json-fields.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { Selectors } from './selectors.ts';

/** Helpers of the conditions, as Dify compares: numbers by value, everything else as text. */
const asText = (code: string) => `String(${code} ?? '')`;

const operators: Readonly<Record<string, (left: string, right: string) => string>> = {
  contains: (left, right) => `(Array.isArray(${left}) ? ${left} : ${asText(left)}).includes(${right})`,
  'not contains': (left, right) => `!(Array.isArray(${left}) ? ${left} : ${asText(left)}).includes(${right})`,
  'start with': (left, right) => `${asText(left)}.startsWith(${right})`,
  'end with': (left, right) => `${asText(left)}.endsWith(${right})`,
  is: (left, right) => `${asText(left)} === ${asText(right)}`,
  'is not': (left, right) => `${asText(left)} !== ${asText(right)}`,
  empty: (left) => `(${left} === undefined || ${left} === null || ${left}.length === 0)`,
  'not empty': (left) => `!(${left} === undefined || ${left} === null || ${left}.length === 0)`,
  null: (left) => `(${left} ?? null) === null`,
  'not null': (left) => `(${left} ?? null) !== null`,
  exists: (left) => `(${left} ?? null) !== null`,
  'not exists': (left) => `(${left} ?? null) === null`,
  '=': (left, right) => `Number(${left}) === Number(${right})`,
  '≠': (left, right) => `Number(${left}) !== Number(${right})`,
  '>': (left, right) => `Number(${left}) > Number(${right})`,
  '<': (left, right) => `Number(${left}) < Number(${right})`,
  '≥': (left, right) => `Number(${left}) >= Number(${right})`,
  '≤': (left, right) => `Number(${left}) <= Number(${right})`,
  in: (left, right) => `[${right}].flat().includes(${left})`,
  'not in': (left, right) => `![${right}].flat().includes(${left})`,
  'all of': (left, right) => `[${right}].flat().every((each) => (${left} ?? []).includes(each))`,
};

/** Code of a list of conditions; null names nothing that it cannot do. `onUnknown` is told of an operator that is not known. */
export function conditionsCode(
  conditions: readonly JsonObject[],
  operator: string,
  selectors: Selectors,
  onUnknown: (operator: string) => void,
): string {
  const parts = conditions.map((condition) => conditionCode(condition, selectors, onUnknown));
  if (parts.length === 0) return 'true';
  return parts.map((part) => `(${part})`).join(operator === 'or' ? ' || ' : ' && ');
}

function conditionCode(condition: JsonObject, selectors: Selectors, onUnknown: (operator: string) => void): string {
  const left = selectors.value(listAt(condition, 'variable_selector'));
  const name = textAt(condition, 'comparison_operator');
  const write = operators[name];
  const nested = objectAt(condition, 'sub_variable_condition');
  if (!write || Object.keys(nested).length > 0) {
    onUnknown(name || 'without a name');
    return 'false';
  }
  return write(left, rightSide(condition.value, textAt(condition, 'varType') === 'boolean', selectors));
}

function rightSide(value: Json | undefined, isBoolean: boolean, selectors: Selectors): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  if (typeof value === 'string' && !isBoolean) return selectors.text(value);
  return JSON.stringify(value ?? null);
}
