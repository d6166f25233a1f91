import { Document, isMap, isScalar, isSeq, type Node, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import type { Json } from '#shared/json.ts';

const inOptions = { version: '1.2', schema: 'core', aliasDuplicateObjects: false } as const;

/** How every YAML text that we write is laid out. */
export const outOptions = { indent: 2, lineWidth: 0, singleQuote: false } as const;

/** Longest list or small object on one line. */
const inlineLength = 72;

/** The lines of `key: value` in a block mapping; lines after the first are indented relative to the key. */
export function entryLines(key: string, value: Json): string[] {
  return linesOf({ [key]: value });
}

/** The lines of `- value` in a block sequence, indented relative to the dash. */
export function itemLines(value: Json): string[] {
  return linesOf([value]);
}

/** A value on one line, as written inside brackets. */
export function bracketedText(value: Json): string {
  const document = new Document([value], inOptions);
  setAllFlow(document);
  return document.toString(outOptions).trim().slice(1, -1);
}

/** A key as written before its colon. */
export function keyText(key: string): string {
  const [line = ''] = entryLines(key, null);
  return line.replace(/:(?: null)?$/, '');
}

function linesOf(value: Json): string[] {
  const document = new Document(value, inOptions);
  setStyles(document);
  return document.toString(outOptions).replace(/\n$/, '').split('\n');
}

/** Sets what a text of ours looks like: code in literal blocks, lists of names on one line. */
export function setStyles(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string' || !node.value.includes('\n')) return;
      // A block that ended in blank lines would take in those that follow it in the text.
      node.type = /\S[^\n]*\n?$/.test(node.value) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
    },
    Collection(_key, node, path) {
      // An item of a list is a node or another record, one key a line; so is the document.
      const record = path.length < 2 || (isMap(node) && isSeq(path.at(-1)));
      node.flow = !record && inlineWidth(node) <= inlineLength;
      padBraces(node);
    },
  });
}

function setAllFlow(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = Scalar.QUOTE_DOUBLE;
    },
    Collection(_key, node) {
      node.flow = true;
      padBraces(node);
    },
  });
}

/** Puts spaces inside braces but not inside brackets: `{ to: [A, B] }`. The library has one setting for both. */
function padBraces(node: YAMLMap | YAMLSeq): void {
  const write = isMap(node) ? YAMLMap.prototype.toString : YAMLSeq.prototype.toString;
  const flowCollectionPadding = isMap(node) ? ' ' : '';
  node.toString = (context, ...rest) => write.call(node, context && { ...context, flowCollectionPadding }, ...rest);
}

/** Roughly the length of a list or object of scalars on one line; infinite where it needs several or holds comments. */
function inlineWidth(node: unknown, outer?: YAMLMap | YAMLSeq): number {
  if (isScalar(node)) {
    if (hasComment(node)) return Number.POSITIVE_INFINITY;
    const text = String(node.value);
    return text.includes('\n') ? Number.POSITIVE_INFINITY : text.length + 2;
  }
  if (!(isMap(node) || isSeq(node)) || hasComment(node)) return Number.POSITIVE_INFINITY;
  // An object may contain a list, as in { enum: [a, b] }; deeper values are written in block style.
  if (outer && !(isMap(outer) && isSeq(node))) return Number.POSITIVE_INFINITY;
  let width = 2;
  for (const item of node.items) {
    if (isSeq(node)) width += inlineWidth(item, node);
    else if (isMap(node) && 'key' in (item as object)) {
      const pair = item as { key: unknown; value: unknown };
      width += inlineWidth(pair.key, node) + inlineWidth(pair.value, node);
    }
    if (width > inlineLength) return Number.POSITIVE_INFINITY;
  }
  return width;
}

function hasComment(node: Node): boolean {
  return Boolean(node.comment || node.commentBefore || node.spaceBefore || ('anchor' in node && node.anchor));
}
