import { isExpression, isScript, selfContained } from '#shared/import/self-contained.ts';
import type { Json } from '#shared/json.ts';

/** Results of nodes by their names in n8n, as fields of `data`. */
export type KeysByName = ReadonlyMap<string, string>;

/** What stands before code that uses n8n's variables. Each node hands on one item. */
export function prelude(code: string, keys: KeysByName): string {
  const lines: string[] = [];
  const uses = (name: string) => code.includes(name);
  if (uses('$json') || uses('$input') || uses('items') || /\bitem\b/.test(code)) lines.push('const $json = data.json ?? {};');
  if (uses('$(') || uses('$node')) {
    const named = [...keys].filter(([name]) => code.includes(name));
    lines.push(`const results = { ${named.map(([name, key]) => `${JSON.stringify(name)}: data.${key}`).join(', ')} };`);
    lines.push(
      'const $ = (name) => { const item = { json: results[name] ?? {} }; return { item, first: () => item, last: () => item, all: () => [item], params: {}, isExecuted: results[name] !== undefined }; };',
    );
    if (uses('$node')) lines.push('const $node = new Proxy({}, { get: (_, name) => $(name).item });');
  }
  if (uses('$input') || uses('items') || /\bitem\b/.test(code)) lines.push('const item = { json: $json };', 'const items = [item];');
  if (uses('$input')) lines.push('const $input = { item, first: () => item, last: () => item, all: () => items, params: {} };');
  if (uses('$itemIndex')) lines.push('const $itemIndex = 0;');
  if (uses('$runIndex')) lines.push('const $runIndex = 0;');
  if (uses('$now') || uses('$today'))
    lines.push(
      'const $now = { toISO: () => new Date().toISOString(), toISODate: () => new Date().toISOString().slice(0, 10), toMillis: () => Date.now(), toString: () => new Date().toISOString() };',
      'const $today = $now;',
    );
  return lines.join(' ');
}

/** Names of n8n that have no counterpart here. */
function foreignName(code: string): string | null {
  const blocked =
    selfContained(code) ??
    /\$(jmespath|fromAI|execution|workflow|prevNode|parameter|response|request|pageCount|binary)\b|\bDateTime\b|\bLuxon\b/.exec(
      code,
    )?.[0] ??
    null;
  return blocked ?? (/\$(?:now|today)\.(?!toISO\b|toISODate\b|toMillis\b|toString\b)(\w+)/.exec(code)?.[0] || null);
}

/** Code of a parameter's value. `blocked` names what is not supported in an expression; the value is then an empty text. */
export function parameterCode(
  value: Json,
  keys: KeysByName,
): { readonly code: string; readonly blocked?: string; readonly constant: boolean } {
  if (Array.isArray(value)) {
    const items = value.map((item) => parameterCode(item, keys));
    return combined(items, `[${items.map(({ code }) => code).join(', ')}]`);
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [key, parameterCode(item, keys)] as const);
    return combined(
      entries.map(([, item]) => item),
      `{ ${entries.map(([key, { code }]) => `${JSON.stringify(key)}: ${code}`).join(', ')} }`,
    );
  }
  if (typeof value !== 'string' || !value.startsWith('=')) return { code: JSON.stringify(value), constant: true };
  return expressionCode(value.slice(1), keys);
}

function combined(parts: readonly { readonly blocked?: string; readonly constant: boolean }[], code: string) {
  const blocked = parts.find((part) => part.blocked !== undefined)?.blocked;
  return { code, constant: parts.every(({ constant }) => constant), ...(blocked !== undefined && { blocked }) };
}

/** A text with `{{ expressions }}`; one that is a single expression keeps its type. */
function expressionCode(text: string, keys: KeysByName): { code: string; blocked?: string; constant: boolean } {
  const parts = text.split(/\{\{([\s\S]*?)\}\}/);
  const sources = parts.filter((_, index) => index % 2 === 1);
  const blocked = sources
    .map((source) => foreignName(source) ?? (isExpression(source) ? null : source.trim()))
    .find((name) => name !== null);
  if (blocked) return { code: '""', blocked, constant: false };
  if (sources.length === 0) return { code: JSON.stringify(text), constant: true };
  const before = prelude(sources.join('\n'), keys);
  const only = parts.length === 3 && parts[0]?.trim() === '' && parts[2]?.trim() === '';
  const joined = parts
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : enclosed(part)))
    .filter((part) => part !== '""')
    .join(', ');
  const value = only
    ? enclosed(parts[1] ?? '')
    : `[${joined}].map((part) => part === undefined || part === null ? '' : typeof part === 'object' ? JSON.stringify(part) : String(part)).join('')`;
  return { code: before === '' ? value : `(() => { ${before} return ${value}; })()`, constant: false };
}

/** An expression in parentheses; it may end in a comment. */
function enclosed(source: string): string {
  const code = source.trim() || 'undefined';
  return code.includes('//') ? `(${code}\n)` : `(${code})`;
}

/** Code of a Code node, of which `json` is the item that it returns; or the name that prevents it. */
export function scriptCode(source: string, keys: KeysByName): { readonly code: string } | { readonly blocked: string } {
  const blocked = foreignName(source) ?? (isScript(source) ? null : 'await, or syntax that is not JavaScript');
  if (blocked !== null) return { blocked };
  const one = `const list = Array.isArray(given) ? given : [given]; if (list.length > 1) throw new Error('The code returned ' + list.length + ' items. A node hands on one item here: put the list into a field, and use a For each node.'); const [first] = list; return first === undefined || first === null ? {} : 'json' in Object(first) ? first.json : first;`;
  return { code: `(() => { ${prelude(source, keys)} const given = (() => {\n${source}\n})(); ${one} })()` };
}
