import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { type ParsedFlow, placeOf } from '#shared/flow/parse-flow.ts';

/** The text of a value as it stands in the file, moved to the left edge; null where there is none. */
export function sliceOf(flow: ParsedFlow, path: DocumentPath): string | null {
  const place = placeOf(flow, path);
  if (!place) return null;
  const indent = indentAt(flow, place.start);
  return flow.text
    .slice(place.start, place.end)
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(new RegExp(`^ {0,${indent}}`), '')))
    .join('\n')
    .trimEnd();
}

/** The whole text with a value's own text replaced, indented as it was; null where there is no such value. */
export function withSlice(flow: ParsedFlow, path: DocumentPath, slice: string): string | null {
  const place = placeOf(flow, path);
  if (!place) return null;
  const indent = ' '.repeat(indentAt(flow, place.start));
  const lines = slice.trimEnd().split('\n');
  const moved = lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n');
  const end = place.end;
  const trailing = /\n\s*$/.exec(flow.text.slice(place.start, end))?.[0] ?? '';
  return flow.text.slice(0, place.start) + moved + trailing + flow.text.slice(end);
}

/** Columns by which the lines of a value are moved: of YAML those before the value, of JSON those of its line. */
function indentAt(flow: ParsedFlow, start: number): number {
  const line = flow.text.slice(flow.text.lastIndexOf('\n', start - 1) + 1, start);
  return flow.language === 'yaml' ? line.length : line.length - line.trimStart().length;
}
