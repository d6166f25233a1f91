import type { SourceNode, SourceReading } from '#shared/flow/source/source-tree.ts';

/** Nodes by the text that they were read from. */
type NodesByText = ReadonlyMap<string, SourceNode>;

/** What was read of a text, so that one which changed in one place is read again in that place only. */
export interface SourceParts {
  readonly nodes: NodesByText;
  /** The long sections of the text by their keys (`nodes`, `schemas`): one that did not change is taken over as it is, and not looked through. */
  readonly sections: ReadonlyMap<string, SourceSection>;
}

interface SourceSection {
  readonly text: string;
  /** With positions that count from the section's start. */
  readonly node: SourceNode;
  readonly nodes: NodesByText;
}

export const noParts: SourceParts = { nodes: new Map(), sections: new Map() };

/** A text's reading, and the parts that its next version may share with it. */
export interface PartsReading {
  readonly reading: SourceReading;
  readonly parts: SourceParts;
}

export interface PartReader {
  /** Reads the part of a text between two positions; null when it does not stand for itself. */
  read(start: number, end: number): SourceNode | null;
  /**
   * The section of this key that begins at `start`, as it is known or as `assemble` puts it together of its parts, and where it ends. `end` is null where
   * only that shows: the text of a section then ends with the bracket that closes it.
   */
  section(key: string, start: number, end: number | null, assemble: () => AssembledSection | null): AssembledSection | null;
}

export interface AssembledSection {
  readonly node: SourceNode;
  readonly end: number;
}

/**
 * Reads a text part by part: `assemble` finds the parts, reads each with the reader it is given, and puts the root together. Where it gives
 * null, or a part cannot be read alone, `readWhole` reads the text at once and its faults are the ones that count.
 */
export function readInParts(
  text: string,
  known: SourceParts,
  readWhole: (text: string) => SourceReading,
  assemble: (text: string, reader: PartReader) => SourceNode | null,
): PartsReading {
  const sections = new Map<string, SourceSection>();
  const outside = new Map<string, SourceNode>();
  let nodes = outside;
  const knownNodes = [known.nodes, ...[...known.sections.values()].map((section) => section.nodes)];
  const reader: PartReader = {
    read: (start, end) => {
      const part = text.slice(start, end);
      let found = nodes.get(part);
      for (const each of knownNodes) found ??= each.get(part);
      if (!found) {
        const reading = readWhole(part);
        if (!reading.ok) return null;
        found = reading.root;
      }
      nodes.set(part, found);
      return found;
    },
    section: (key, start, end, assembleSection) => {
      const before = known.sections.get(key);
      if (before && (end === null || end - start === before.text.length) && text.startsWith(before.text, start)) {
        sections.set(key, before);
        return { node: before.node, end: start + before.text.length };
      }
      nodes = new Map();
      const section = assembleSection();
      if (section) sections.set(key, { text: text.slice(start, section.end), node: section.node, nodes });
      nodes = outside;
      return section;
    },
  };
  const root = assemble(text, reader);
  return root ? { reading: { ok: true, root }, parts: { nodes: outside, sections } } : { reading: readWhole(text), parts: known };
}
