import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { type ParsedFlow, placeOf } from '#shared/flow/parse-flow.ts';

/** The text of a value in the file, without its indentation, or null if the path does not exist. */
export function sliceOf(flow: ParsedFlow, path: DocumentPath): string | null {
  const range = placeOf(flow, path);
  if (!range) return null;
  const indent = indentAt(flow, range.start);
  return flow.text
    .slice(range.start, range.end)
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(new RegExp(`^ {0,${indent}}`), '')))
    .join('\n')
    .trimEnd();
}

/** The whole text with the text of one value replaced, at its old indentation, or null if the path does not exist. */
export function withSlice(flow: ParsedFlow, path: DocumentPath, slice: string): string | null {
  const range = placeOf(flow, path);
  if (!range) return null;
  const indent = ' '.repeat(indentAt(flow, range.start));
  const lines = slice.trimEnd().split('\n');
  const indented = lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n');
  const end = range.end;
  const trailing = /\n\s*$/.exec(flow.text.slice(range.start, end))?.[0] ?? '';
  return flow.text.slice(0, range.start) + indented + trailing + flow.text.slice(end);
}

/** The indentation of a value's lines: in YAML the column of the value, in JSON the indentation of its first line. */
function indentAt(flow: ParsedFlow, start: number): number {
  const line = flow.text.slice(flow.text.lastIndexOf('\n', start - 1) + 1, start);
  return flow.language === 'yaml' ? line.length : line.length - line.trimStart().length;
}
