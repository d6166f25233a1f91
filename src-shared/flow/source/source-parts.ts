import type { SourceNode, SourceReading } from './source-tree.ts';

/** Nodes by their source text. */
type NodesByText = ReadonlyMap<string, SourceNode>;

/** The parts of a parsed text, so that after an edit only the changed parts are parsed again. */
export interface SourceParts {
  /** The text, and what it was read as. */
  readonly text: string;
  readonly root: SourceNode | null;
  readonly nodes: NodesByText;
  /** The long sections of the text by key (`nodes`, `schemas`): an unchanged one is reused without a scan. */
  readonly sections: ReadonlyMap<string, SourceSection>;
}

export interface SourceSection {
  readonly text: string;
  /** With positions relative to the section's start. */
  readonly node: SourceNode;
  readonly nodes: () => NodesByText;
}

export const noParts: SourceParts = { text: '', root: null, nodes: new Map(), sections: new Map() };

/** A parsed text, and the parts that its next version can reuse. */
export interface PartsReading {
  readonly reading: SourceReading;
  readonly parts: SourceParts;
}

export interface PartReader {
  /** Parses the part of a text between two positions; null if it is not valid by itself. */
  read(start: number, end: number): SourceNode | null;
  /**
   * Returns the section of this key that begins at `start`, cached or assembled from its parts, and where it ends. `end` is null if it is not
   * known in advance: the section then ends with its closing bracket.
   */
  section(key: string, start: number, end: number | null, assemble: () => AssembledSection | null): AssembledSection | null;
}

export interface AssembledSection {
  readonly node: SourceNode;
  readonly end: number;
}

/**
 * Parses a text part by part: `assemble` finds the parts, parses each with the reader and assembles the root. If it returns null, or a
 * part cannot be parsed alone, `readWhole` parses the whole text and reports its faults.
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
  let knownNodes: readonly NodesByText[] | null = null;
  const findKnown = () => (knownNodes ??= [known.nodes, ...[...known.sections.values()].map((section) => section.nodes())]);
  const reader: PartReader = {
    read: (start, end) => {
      const part = text.slice(start, end);
      let found = nodes.get(part);
      if (!found) for (const each of findKnown()) found ??= each.get(part);
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
      const own = new Map<string, SourceNode>();
      nodes = own;
      const section = assembleSection();
      if (section) sections.set(key, { text: text.slice(start, section.end), node: section.node, nodes: () => own });
      nodes = outside;
      return section;
    },
  };
  const root = assemble(text, reader);
  return root
    ? { reading: { ok: true, root }, parts: { text, root, nodes: outside, sections } }
    : { reading: readWhole(text), parts: known };
}
