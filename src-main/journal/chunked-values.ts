import type { Json } from '#shared/json.ts';

/** The items of a list, or the fields of an object (`keys` beside `items`). */
interface Fields {
  readonly keys: readonly string[] | null;
  readonly items: readonly Json[];
}

/** A written chunked value: the texts of its chunks and their size in items. */
interface WrittenFields extends Fields {
  readonly perChunk: number;
  readonly chunks: readonly string[];
}

/** Minimum number of items of a chunked list or object. */
export const chunkedCount = 64;
/** Minimum text length of a chunked value, in UTF-16 units. */
const chunkedLength = 32 * 1024;
/** Approximate text length of a chunk. */
const chunkLength = 8 * 1024;
/** Number of sampled items from which a chunk's size is estimated. */
const sampled = 32;
/** Number of written values that are compared with the next one. */
const remembered = 16;

/**
 * Splits long values into chunks of consecutive items and reuses the chunks of recently written values: a list of 10,000 records
 * of which one changed costs only the chunk that contains it. Items are compared by index and identity.
 */
export class ChunkedValues {
  #last: WrittenFields[] = [];

  /** Returns the texts of a value's chunks, or null if it is too short. `lengthOf` estimates an item's text length; `writeChunk` writes a range of items. */
  chunks(fields: Fields, lengthOf: (item: Json) => number, writeChunk: (from: number, to: number) => string): readonly string[] | null {
    const { items } = fields;
    if (items.length <= chunkedCount) return null;
    const before = this.#mostAlike(fields);
    const perChunk = before?.perChunk ?? itemsPerChunk(fields, lengthOf);
    if (perChunk === null) return null;
    const chunks: string[] = [];
    for (let from = 0; from < items.length; from += perChunk) {
      const to = Math.min(from + perChunk, items.length);
      const known = before && isSame(before, fields, from, to) ? before.chunks[chunks.length] : undefined;
      chunks.push(known ?? writeChunk(from, to));
    }
    this.#last = [{ ...fields, perChunk, chunks }, ...this.#last.filter((one) => one !== before)].slice(0, remembered);
    return chunks;
  }

  forget(): void {
    this.#last = [];
  }

  /** Returns the earlier value with the most items in common, estimated from a sample. */
  #mostAlike({ keys, items }: Fields): WrittenFields | undefined {
    let best: WrittenFields | undefined;
    let most = 0;
    for (const one of this.#last) {
      if ((one.keys === null) !== (keys === null)) continue;
      let same = 0;
      for (let sample = 0; sample < sampled; sample += 1) {
        const at = Math.floor((sample * items.length) / sampled);
        if (one.items[at] === items[at]) same += 1;
      }
      if (same > most) {
        most = same;
        best = one;
      }
    }
    return best;
  }
}

/** Returns a power of two, so that a growing list keeps its chunks; null if chunking is not worthwhile. */
function itemsPerChunk({ keys, items }: Fields, lengthOf: (item: Json) => number): number | null {
  let length = 0;
  for (let sample = 0; sample < sampled; sample += 1) {
    const at = Math.floor((sample * items.length) / sampled);
    length += lengthOf(items[at] as Json) + (keys?.[at]?.length ?? 0) + 4;
  }
  const average = length / sampled;
  if (average * items.length < chunkedLength) return null;
  return Math.max(1, 2 ** Math.floor(Math.log2(chunkLength / average)));
}

/** Whether two values contain the same items in a range, and the first one has a chunk for exactly this range. */
function isSame(before: WrittenFields, now: Fields, from: number, to: number): boolean {
  if (Math.min(from + before.perChunk, before.items.length) !== to) return false;
  for (let at = from; at < to; at += 1) {
    if (before.items[at] !== now.items[at] || before.keys?.[at] !== now.keys?.[at]) return false;
  }
  return true;
}
