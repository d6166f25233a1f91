import type { SourceEntry, SourceNode } from './source-tree.ts';

/** First characters of values that may extend past the next line at the same depth. */
const unusual = /^(?:---|\.\.\.|[%?{}[\]&*!|>@`,\t])/;

/** Whether a line begins an item of a list, or an entry. */
export const isChild = (isList: boolean) => (line: string) => /^-(?: |\r?$)/.test(line) === isList;

/** The one entry of a part that is a mapping. */
export function entryOfPart(part: SourceNode | null, start: number): SourceEntry | null {
  const [entry, more] = part?.type === 'object' && part.style === 'block' ? part.entries : [];
  return entry && !more ? { ...entry, shift: start } : null;
}

/**
 * Positions of the lines between `from` and `to` that are indented by exactly `indent` spaces. Null when a line is indented less, or is no ordinary
 * beginning of a part.
 */
export function childLines(text: string, from: number, to: number, indent: number, isStart: (line: string) => boolean): number[] | null {
  const found: number[] = [];
  let inZeroList = false;
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 || newline >= to ? to : newline;
    let first = start;
    while (first < end && text.charCodeAt(first) === 0x20) first++;
    const blank = first === end || text[first] === '#' || (text[first] === '\r' && first + 1 === end);
    const depth = first - start;
    if (!blank && depth > indent && found.length === 0) return null;
    if (!blank && depth <= indent) {
      const line = text.slice(first, end);
      if (depth < indent || unusual.test(line)) return null;
      if (isStart(line)) {
        found.push(start);
        inZeroList = /^nodes:[ \t]*(?:#.*)?$/.test(line.trimEnd());
      } else if (!(inZeroList && indent === 0 && line.startsWith('-'))) return null;
    }
    start = end + 1;
  }
  return found;
}
