import { readJson } from '#shared/flow/source/read-json.ts';
import type { SourceNode } from '#shared/flow/source/source-tree.ts';
import { jsonPointer } from '#shared/json.ts';
import { fromJson, jsonDumps, type PyValue } from '#shared/python/index.ts';

/** JSON text as Python's `json.dumps(json.loads(text))` writes it; null for text that is not JSON or is `null`. */
export function rewrittenJson(text: string): string | null {
  const value = parseAsPython(text);
  return value === undefined || value === null ? null : jsonDumps(value);
}

/** JSON text as Python values: `1.0` is a float, `1` an integer. Undefined for text that is not JSON. */
export function parseAsPython(text: string): PyValue | undefined {
  const reading = readJson(text);
  if (!reading.ok) return undefined;
  const notes: Notes = { floats: [], orders: {} };
  collect(reading.root, text, 0, [], notes);
  return fromJson(reading.root.value, notes.floats, notes.orders);
}

/** JSON Pointers of the whole numbers in JSON text that are floats: `1.0` and `1e3`. */
export function floatsInJson(text: string): string[] {
  // Most texts have none, and are not worth a second parser.
  if (!/\d(?:\.\d|[eE])/.test(text)) return [];
  const reading = readJson(text);
  if (!reading.ok) return [];
  const notes: Notes = { floats: [], orders: {} };
  collect(reading.root, text, 0, [], notes);
  return notes.floats;
}

interface Notes {
  readonly floats: string[];
  readonly orders: Record<string, readonly string[]>;
}

/** Notes what the value does not tell: which numbers are floats, and the order of keys that look like numbers. */
function collect(node: SourceNode, text: string, shift: number, path: readonly (string | number)[], notes: Notes): void {
  if (node.type === 'scalar') {
    if (Number.isInteger(node.value) && /[.eE]/.test(text.slice(node.start + shift, node.end + shift)))
      notes.floats.push(jsonPointer(path));
  } else if (node.type === 'array') {
    for (const [index, item] of node.items.entries()) collect(item.node, text, shift + item.shift, [...path, index], notes);
  } else {
    const keys = [...new Set(node.entries.map(({ key }) => key))];
    if (keys.some((key) => /^\d+$/.test(key))) notes.orders[jsonPointer(path)] = keys;
    for (const entry of node.entries) collect(entry.node, text, shift + entry.shift, [...path, entry.key], notes);
  }
}
