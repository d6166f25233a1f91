import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { keyOrder } from '#shared/flow/key-order.ts';
import { type FlowLanguage, type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { canonicalJson, isJsonObject, type Json } from '#shared/json.ts';
import type { DocumentPath } from './flow-edit.ts';
import { yamlDocument } from './write-yaml.ts';
import { outOptions, setStyles } from './yaml-text.ts';

/** A value as the canonical text of a flow: 2 spaces, keys in the order of the format, a final newline, code in literal blocks. */
export function canonicalText(value: Json, language: FlowLanguage): string {
  const ordered = inOrder(value, []);
  return language === 'json' ? `${JSON.stringify(ordered, null, 2)}\n` : yamlDocument(ordered);
}

/** *Format document*: the flow's canonical text, with its comments. A text that cannot be read stays as it is. */
export function formatFlow(flow: ParsedFlow): ParsedFlow {
  if (!flow.root) return flow;
  const { value } = flow.root;
  if (flow.language === 'yaml') {
    const document: Document = parseDocument(flow.text.replace(/^\uFEFF/, ''), { version: '1.2', schema: 'core' });
    sortKeys(document.contents, []);
    setStyles(document);
    const formatted = parseFlow(document.toString(outOptions), flow.path, flow);
    if (formatted.root && canonicalJson(formatted.root.value) === canonicalJson(value)) return formatted;
  }
  return parseFlow(canonicalText(value, flow.language), flow.path, flow);
}

function sortKeys(node: unknown, path: DocumentPath): void {
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) sortKeys(item, [...path, index]);
  } else if (isMap(node)) {
    const order = keyOrder(path);
    const nameOf = (key: unknown) => (isScalar(key) ? String(key.value) : '');
    if (order.length > 0) sortPairs(node, (pair) => rank(nameOf(pair.key), order));
    for (const pair of node.items) sortKeys(pair.value, [...path, nameOf(pair.key)]);
  }
}

/** Sorts the entries; a comment above the first one is about the whole and stays there. */
function sortPairs(map: YAMLMap, rankOf: (pair: Pair) => number): void {
  const before = map.items[0]?.key;
  map.items.sort((a, b) => rankOf(a) - rankOf(b));
  const first = map.items[0]?.key;
  if (first === before || !isScalar(before) || !isScalar(first)) return;
  [first.commentBefore, before.commentBefore] = [before.commentBefore, first.commentBefore];
}

function inOrder(value: Json, path: DocumentPath): Json {
  if (Array.isArray(value)) return value.map((item, index) => inOrder(item, [...path, index]));
  if (!isJsonObject(value)) return value;
  const order = keyOrder(path);
  const entries = Object.entries(value);
  if (order.length > 0) entries.sort(([a], [b]) => rank(a, order) - rank(b, order));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item, [...path, key])]));
}

function rank(key: string, order: readonly string[]): number {
  const index = order.indexOf(key);
  return index < 0 ? order.length : index;
}
