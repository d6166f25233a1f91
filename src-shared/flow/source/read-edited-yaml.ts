import { readYaml } from './read-yaml.ts';
import type { PartsReading, SourceParts, SourceSection } from './source-parts.ts';
import { objectOf, type SourceArray, type SourceEntry, type SourceItem, type SourceNode, type SourceObject } from './source-tree.ts';
import { childLines, entryOfPart, isChild } from './yaml-lines.ts';

/** A list whose items, or an object whose entries, are parts of their own. */
type Container = SourceArray | SourceObject;
type Child = SourceItem | SourceEntry;

/** The part of a text that differs from another: from `start`, in the old text to `oldEnd`, and `growth` characters more in the new one. */
interface Difference {
  readonly start: number;
  readonly oldEnd: number;
  readonly growth: number;
}

/**
 * Reads a text that differs from the known one within the items of `nodes` or the entries of `schemas`: only those that the difference touches are parsed, and
 * nothing else is scanned. Null for any other difference, and for a text that must be looked at as a whole.
 */
export function readEditedYaml(text: string, known: SourceParts): PartsReading | null {
  const { root } = known;
  if (root?.type !== 'object') return null;
  const difference = differenceOf(known.text, text);
  for (const [index, entry] of root.entries.entries()) {
    const section = known.sections.get(entry.key);
    const node = section && editedSection(text, entry.shift, section, difference);
    if (!node) continue;
    const entries = root.entries.map((other, at) =>
      at < index ? other : at === index ? { ...entry, node } : { ...other, shift: other.shift + difference.growth },
    );
    const last = entries.at(-1) as SourceEntry;
    const value = objectOf(entries.map((other) => [other.key, other.node.value]));
    const edited: SourceNode = { ...root, end: last.shift + last.node.end, entries, value };
    const sectionText = text.slice(entry.shift, entry.shift + section.text.length + difference.growth);
    const sections = new Map(known.sections).set(entry.key, { text: sectionText, node, nodes: lazily(() => partsOf(sectionText, node)) });
    return { reading: { ok: true, root: edited }, parts: { text, root: edited, nodes: known.nodes, sections } };
  }
  return null;
}

/** A section that begins at `base`, after an edit; null unless the edit is within its children and leaves the beginning of the first one. */
function editedSection(text: string, base: number, { text: before, node }: SourceSection, difference: Difference): Container | null {
  const isList = node.type === 'array';
  if (node.type === 'scalar' || node.style !== 'block') return null;
  const children: readonly Child[] = isList ? node.items : node.entries;
  const [start, end] = [difference.start - base, difference.oldEnd - base];
  const [first] = children;
  if (!first || start <= first.shift || end >= before.length) return null;
  // A child ends where the next one begins, so an edit there touches both.
  const from = lastBefore(children, start - 1);
  const to = lastBefore(children, end) + 1;
  const rangeStart = base + (children[from] as Child).shift;
  const rangeEnd = base + (children[to]?.shift ?? before.length) + difference.growth;
  const fresh = childrenIn(text, base, rangeStart, rangeEnd, columnOf(first), isList);
  if (!fresh) return null;
  const after = children.slice(to).map((child) => ({ ...child, shift: child.shift + difference.growth }));
  return withChildren(node, [...children.slice(0, from), ...fresh, ...after]);
}

/** The column at which the children of a container begin. */
const columnOf = (child: Child): number => ('keyStart' in child ? child.keyStart : child.start);

/** Index of the last child that begins at or before a position. */
function lastBefore(children: readonly Child[], position: number): number {
  let [low, high] = [0, children.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((children[middle] as Child).shift <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function childrenIn(text: string, base: number, from: number, to: number, indent: number, isList: boolean): Child[] | null {
  const lines = childLines(text, from, to, indent, isChild(isList));
  if (lines?.[0] !== from) return null;
  const found: Child[] = [];
  for (const [index, start] of lines.entries()) {
    const reading = readYaml(text.slice(start, lines[index + 1] ?? to));
    const part = reading.ok ? reading.root : null;
    const child = isList ? itemOfPart(part, start - base) : entryOfPart(part, start - base);
    if (!child) return null;
    found.push(child);
  }
  return found;
}

/** The one item of a part that is a list. */
function itemOfPart(part: SourceNode | null, shift: number): SourceItem | null {
  const [item, more] = part?.type === 'array' && part.style === 'block' ? part.items : [];
  return item && !more ? { ...item, shift } : null;
}

function withChildren(node: Container, children: readonly Child[]): Container | null {
  const last = children.at(-1) as Child;
  const end = last.shift + last.node.end;
  if (node.type === 'array') {
    const items = children as readonly SourceItem[];
    return { ...node, end, items, value: items.map((item) => item.node.value) };
  }
  const entries = children as readonly SourceEntry[];
  if (new Set(entries.map(({ key }) => key)).size < entries.length) return null;
  return { ...node, end, entries, value: objectOf(entries.map((entry) => [entry.key, entry.node.value])) };
}

/** The parts of a section by their texts, as they are read one by one. */
function partsOf(text: string, node: Container): Map<string, SourceNode> {
  const children: readonly Child[] = node.type === 'array' ? node.items : node.entries;
  return new Map(
    children.map((child, index): [string, SourceNode] => {
      const single = { ...child, shift: 0 };
      const range = { start: columnOf(child), end: child.node.end, style: 'block' } as const;
      const part: SourceNode =
        'key' in single
          ? { ...range, type: 'object', entries: [single], value: objectOf([[single.key, single.node.value]]) }
          : { ...range, type: 'array', items: [single], value: [single.node.value] };
      return [text.slice(child.shift, children[index + 1]?.shift ?? text.length), part];
    }),
  );
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** Compared at once: a native comparison of two slices is far faster than one of their characters. */
const block = 4096;

function differenceOf(before: string, after: string): Difference {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start + block <= most && before.slice(start, start + block) === after.slice(start, start + block)) start += block;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  const tail = (text: string, length: number) => text.slice(text.length - same - length, text.length - same);
  while (same + block <= most - start && tail(before, block) === tail(after, block)) same += block;
  while (same < most - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  return { start, oldEnd: before.length - same, growth: after.length - before.length };
}
