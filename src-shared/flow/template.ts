import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** A piece of a template: literal text, or the path of a field. */
export type TemplatePart = string | readonly string[];

const token = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)\}/g;

/**
 * Splits a template. `{field}` and `{outer.inner}` are placeholders, `{{` and `}}` are escaped single braces; any other brace
 * (as in `{"a": 1}` or in `{secret:NAME}`) is literal.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  let position = 0;
  for (const match of text.matchAll(token)) {
    literal += text.slice(position, match.index);
    position = match.index + match[0].length;
    if (match[1] === undefined) {
      literal += match[0].charAt(0);
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(match[1].split('.'));
  }
  literal += text.slice(position);
  if (literal !== '') parts.push(literal);
  return parts;
}

/**
 * Fills one template from the input's fields. A template that is only a placeholder keeps the field's type; inside longer text
 * objects and lists are JSON. Throws `FlowError` `HandlerError` that names the missing field.
 */
export function fillTemplate(text: string, input: Json): Json {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return fieldOf(input, only);
  return parts.map((part) => (typeof part === 'string' ? part : asText(fieldOf(input, part)))).join('');
}

/** Escapes a text so that, as a template, it produces exactly that text. */
export function literalTemplate(text: string): string {
  return text.replaceAll('{', '{{').replaceAll('}', '}}');
}

/** The pieces of a filled template in order: literal text, and the fields' values unconverted. */
export function fillPieces(text: string, input: Json): Json[] {
  return parseTemplate(text).map((part) => (typeof part === 'string' ? part : fieldOf(input, part)));
}

/** Fills a template and converts the result to text (for preambles). */
export function fillText(text: string, input: Json): string {
  return asText(fillTemplate(text, input));
}

/** Fills the templates in a value at any depth; keys stay as they are. */
export function fillTemplates(value: Json, input: Json): Json {
  if (typeof value === 'string') return fillTemplate(value, input);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, input));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplates(item, input)]));
}

/** The field of a value at a path, through objects and lists; undefined where there is none. */
export function fieldAt(input: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = input;
  for (const key of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? (value[Number(key)] as Json | undefined) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function fieldOf(input: Json, path: readonly string[]): Json {
  const value = fieldAt(input, path);
  if (value !== undefined) return value;
  throw new FlowError(
    'HandlerError',
    `The template uses {${path.join('.')}}, but the input has no such field. Add the field, or fix the template.`,
    {
      retryable: false,
      details: { field: path.join('.') },
    },
  );
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
