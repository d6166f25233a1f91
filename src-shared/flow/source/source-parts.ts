import type { SourceNode, SourceReading } from '#shared/flow/source/source-tree.ts';

/** Nodes by the text that they were read from, so that a text which changed in one place is read again in that place only. */
export type SourceParts = ReadonlyMap<string, SourceNode>;

/** A text's reading, and the parts that its next version may share with it. */
export interface PartsReading {
  readonly reading: SourceReading;
  readonly parts: SourceParts;
}

/** Reads the part of a text between two positions; null when it does not stand for itself. */
export type ReadPart = (start: number, end: number) => SourceNode | null;

/**
 * Reads a text part by part: `assemble` finds the parts, reads each with the function it is given, and puts the root together. Where it gives
 * null, or a part cannot be read alone, `readWhole` reads the text at once and its faults are the ones that count.
 */
export function readInParts(
  text: string,
  known: SourceParts,
  readWhole: (text: string) => SourceReading,
  assemble: (text: string, read: ReadPart) => SourceNode | null,
): PartsReading {
  const parts = new Map<string, SourceNode>();
  const read: ReadPart = (start, end) => {
    const part = text.slice(start, end);
    const found = parts.get(part) ?? known.get(part);
    if (found) {
      parts.set(part, found);
      return found;
    }
    const reading = readWhole(part);
    if (!reading.ok) return null;
    parts.set(part, reading.root);
    return reading.root;
  };
  const root = assemble(text, read);
  return root ? { reading: { ok: true, root }, parts } : { reading: readWhole(text), parts: known };
}
