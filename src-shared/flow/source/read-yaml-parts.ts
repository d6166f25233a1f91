import { readEditedYaml } from './read-edited-yaml.ts';
import { readYaml } from './read-yaml.ts';
import { noParts, type PartReader, type PartsReading, readInParts, type SourceParts } from './source-parts.ts';
import { objectOf, type SourceEntry, type SourceItem, type SourceNode, type SourceObject } from './source-tree.ts';
import { childLines, entryOfPart, isChild } from './yaml-lines.ts';

/**
 * Reads YAML like `readYaml`, part by part where the text is laid out as flows are: a block mapping at the margin, the items of `nodes` and the
 * entries of `schemas` in blocks.
 */
export function readYamlInParts(text: string, known: SourceParts = noParts): PartsReading {
  return readEditedYaml(text, known) ?? readInParts(text, known, readYaml, readRoot);
}

/** A flow has fewer keys; a text with more is not worth reading in parts. */
const maxSections = 64;

function readRoot(text: string, reader: PartReader): SourceObject | null {
  const sections = childLines(text, 0, text.length, 0, (line) => !line.startsWith('-'));
  if (!sections || sections.length > maxSections) return null;
  const entries: SourceEntry[] = [];
  for (const [index, start] of sections.entries()) {
    const end = sections[index + 1] ?? text.length;
    const header = /^(nodes|schemas):(?:[ \t]+#[^\n]*|[ \t]*)\r?\n/.exec(text.slice(start, Math.min(end, start + 200)));
    const entry = header
      ? sectionEntry(text, header[1] as string, start, start + header[0].length, end, reader)
      : entryOfPart(reader.read(start, end), start);
    if (!entry || entries.some((each) => each.key === entry.key)) return null;
    entries.push(entry);
  }
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return null;
  const value = objectOf(entries.map((entry) => [entry.key, entry.node.value]));
  return { type: 'object', style: 'block', start: first.shift + first.keyStart, end: last.shift + last.node.end, entries, value };
}

function sectionEntry(text: string, key: string, start: number, from: number, end: number, reader: PartReader): SourceEntry | null {
  const section = reader.section(key, start, end, () => {
    const node = readSection(text, key, start, from, end, reader);
    return node && { node, end };
  });
  return section && { shift: start, key, keyStart: 0, keyEnd: key.length, node: section.node };
}

function readSection(text: string, key: string, start: number, from: number, end: number, reader: PartReader): SourceNode | null {
  const indent = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*( *)/.exec(text.slice(from, end))?.[1]?.length ?? 0;
  const isList = key === 'nodes';
  if (!isList && indent === 0) return null;
  const children = childLines(text, from, end, indent, isChild(isList));
  if (!children || children.length === 0) return null;
  const entries: SourceEntry[] = [];
  const items: SourceItem[] = [];
  const names = new Set<string>();
  for (const [index, childStart] of children.entries()) {
    const part = reader.read(childStart, children[index + 1] ?? end);
    if (isList) {
      const [item, more] = part?.type === 'array' && part.style === 'block' ? part.items : [];
      if (!item || more) return null;
      items.push({ ...item, shift: childStart - start });
    } else {
      const entry = entryOfPart(part, childStart - start);
      if (!entry || names.has(entry.key)) return null;
      names.add(entry.key);
      entries.push(entry);
    }
  }
  const first = isList ? items[0]?.start : entries[0]?.keyStart;
  const last = isList ? items.at(-1) : entries.at(-1);
  if (first === undefined || !last) return null;
  const common = { start: (children[0] as number) - start + first, end: last.shift + last.node.end, style: 'block' } as const;
  return isList
    ? { ...common, type: 'array', items, value: items.map((item) => item.node.value) }
    : { ...common, type: 'object', entries, value: objectOf(entries.map((entry) => [entry.key, entry.node.value])) };
}
