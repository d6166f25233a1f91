import { changeJson, isJsonObject, type Json, type JsonShaped } from './json.ts';

/** Text to mask in what leaves the workspace: a name, and a regular expression (with the flag `u`). */
export interface MaskRule {
  readonly name: string;
  readonly pattern: string;
}

/** The text with everything that a rule matches replaced by `{mask:NAME}`. */
export function maskText(rules: readonly MaskRule[], text: string): string {
  return rules.reduce((masked, { name, pattern }) => masked.replace(new RegExp(pattern, 'gu'), `{mask:${name}}`), text);
}

/** The value with every text in it masked. Keys of objects stay. */
export function maskTexts<T>(rules: readonly MaskRule[], value: T & JsonShaped<T>): T {
  return rules.length === 0 ? value : changeJson<T>(value, (json) => maskIn(rules, json));
}

function maskIn(rules: readonly MaskRule[], value: Json): Json {
  if (typeof value === 'string') return maskText(rules, value);
  if (Array.isArray(value)) return value.map((item) => maskIn(rules, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskIn(rules, item)]));
}

/** What is wrong with a pattern; null if it is a regular expression that matches no empty text. */
export function patternProblem(pattern: string): string | null {
  try {
    return new RegExp(pattern, 'u').test('') ? 'matches an empty text' : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
