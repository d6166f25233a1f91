import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { type Json, jsonPointer } from '#shared/json.ts';
import {
  maxDuplicates,
  maxNesting,
  objectOf,
  type SourceEntry,
  type SourceError,
  type SourceItem,
  type SourceNode,
  type SourceReading,
} from './source-tree.ts';

interface OpenNode {
  readonly type: 'array' | 'object';
  readonly start: number;
  readonly entries: SourceEntry[];
  readonly items: SourceItem[];
  readonly keys: Set<string>;
  key: { readonly name: string; readonly start: number; readonly end: number } | null;
}

const messages: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON',
  InvalidNumberFormat: 'this is not a JSON number',
  PropertyNameExpected: 'a key in double quotes is expected here (JSON allows no comma before a closing brace)',
  ValueExpected: 'a value is expected here (JSON allows no comma before a closing bracket)',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is text after the end of the document',
  InvalidCommentToken: 'JSON does not allow comments; use YAML if you need them',
  UnexpectedEndOfComment: 'JSON does not allow comments; use YAML if you need them',
  UnexpectedEndOfString: 'the closing double quote is missing',
  InvalidUnicode: 'the \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'this is not a valid JSON escape',
  InvalidCharacter: 'a control character must be escaped',
};

/** Reads JSON by the standard's rules: no comments, no trailing commas; a repeated key is an error. */
export function readJson(text: string): SourceReading {
  if (text.trim() === '') return { ok: false, faults: [{ message: 'the file is empty', path: '', position: 0 }] };
  if (nestingOf(text) > maxNesting)
    return { ok: false, faults: [{ message: `the document is nested deeper than ${maxNesting} levels`, path: '', position: 0 }] };
  let fault: SourceError | undefined;
  const fail = (message: string, position: number) => {
    if (!fault || position < fault.position) fault = { message, path: '', position };
  };
  const duplicates: SourceError[] = [];
  const open: OpenNode[] = [];
  let root: SourceNode | undefined;

  const add = (node: SourceNode) => {
    const parent = open.at(-1);
    if (!parent) root = node;
    else if (parent.type === 'array') parent.items.push({ shift: 0, start: node.start, node });
    else if (parent.key) {
      const { name, start, end } = parent.key;
      parent.entries.push({ shift: 0, key: name, keyStart: start, keyEnd: end, node });
    }
  };
  const begin = (type: OpenNode['type'], start: number) => {
    open.push({ type, start, entries: [], items: [], keys: new Set(), key: null });
  };
  const finish = (end: number) => {
    const node = open.pop();
    if (node) add(closed(node, end));
  };
  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin('object', offset),
    onArrayBegin: (offset) => begin('array', offset),
    onObjectEnd: (offset, length) => finish(offset + length),
    onArrayEnd: (offset, length) => finish(offset + length),
    onObjectProperty: (name, offset, length) => {
      const parent = open.at(-1);
      if (!parent) return;
      parent.key = { name, start: offset, end: offset + length };
      if (parent.keys.has(name) && duplicates.length < maxDuplicates)
        duplicates.push({
          message: `the key ${JSON.stringify(name)} appears twice`,
          path: jsonPointer([...pathTo(open), name]),
          position: offset,
        });
      parent.keys.add(name);
    },
    onLiteralValue: (value: Json, offset, length) => {
      if (typeof value === 'number' && !Number.isFinite(value)) fail('this number is too large (the limit is about 1.8e308)', offset);
      add({ type: 'scalar', start: offset, end: offset + length, value });
    },
    onError: (code, offset) => fail(messages[printParseErrorCode(code)] ?? 'this is not JSON', offset),
  };
  visit(text, visitor, { disallowComments: true, allowTrailingComma: false });

  if (fault || root === undefined) return { ok: false, faults: [fault ?? { message: 'this is not JSON', path: '', position: 0 }] };
  return duplicates.length > 0 ? { ok: false, faults: duplicates } : { ok: true, root };
}

function closed(node: OpenNode, end: number): SourceNode {
  const { type, start, items, entries } = node;
  if (type === 'array') return { type, start, end, style: 'flow', items, value: items.map((item) => item.node.value) };
  return { type, start, end, style: 'flow', entries, value: objectOf(entries.map((entry) => [entry.key, entry.node.value])) };
}

/** Path of the innermost open node. */
function pathTo(open: readonly OpenNode[]): (string | number)[] {
  return open.slice(0, -1).map((node) => (node.type === 'array' ? node.items.length : (node.key?.name ?? '')));
}

/** The greatest number of brackets open at once; texts are skipped. The library's reader recurses, so this comes first. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[{]|[\]}]/g)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}
