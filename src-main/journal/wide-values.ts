import type { Json } from '#shared/json.ts';

/** The items of a list, or the fields of an object (`keys` beside `items`). */
interface Fields {
  readonly keys: readonly string[] | null;
  readonly items: readonly Json[];
}

/** A wide value that was written: its pieces' texts, each for so many items in a row. */
interface WrittenFields extends Fields {
  readonly perPiece: number;
  readonly pieces: readonly string[];
}

/** Lists and objects of fewer items are never cut up. */
export const wideCount = 64;
/** Nor are those whose text is about so long or shorter, in UTF-16 units. */
const wideLength = 32 * 1024;
/** About how long the text of a piece is. */
const pieceLength = 8 * 1024;
/** Items of which the length of a piece is reckoned. */
const sampled = 32;
/** How many written values are remembered, to be compared with the next one. */
const remembered = 16;

/**
 * Cuts wide values into pieces of some items in a row, and knows the pieces of those that were written last: a list of 10,000 records
 * in which one changed costs the piece that holds it. Items are compared as they stand at their places, by identity.
 */
export class WideValues {
  #last: WrittenFields[] = [];

  /** The texts of a value's pieces, or null for one that is not wide. `lengthOf` estimates an item's text; `writePiece` writes items from one to another. */
  pieces(fields: Fields, lengthOf: (item: Json) => number, writePiece: (from: number, to: number) => string): readonly string[] | null {
    const { items } = fields;
    if (items.length <= wideCount) return null;
    const before = this.#mostAlike(fields);
    const perPiece = before?.perPiece ?? itemsPerPiece(fields, lengthOf);
    if (perPiece === null) return null;
    const pieces: string[] = [];
    for (let from = 0; from < items.length; from += perPiece) {
      const to = Math.min(from + perPiece, items.length);
      const known = before && isSame(before, fields, from, to) ? before.pieces[pieces.length] : undefined;
      pieces.push(known ?? writePiece(from, to));
    }
    this.#last = [{ ...fields, perPiece, pieces }, ...this.#last.filter((one) => one !== before)].slice(0, remembered);
    return pieces;
  }

  forget(): void {
    this.#last = [];
  }

  /** The value written before that has the most items in common, by a look at some of them. */
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

/** A power of two, so that a list that grows keeps its pieces; null where the whole is not worth cutting up. */
function itemsPerPiece({ keys, items }: Fields, lengthOf: (item: Json) => number): number | null {
  let length = 0;
  for (let sample = 0; sample < sampled; sample += 1) {
    const at = Math.floor((sample * items.length) / sampled);
    length += lengthOf(items[at] as Json) + (keys?.[at]?.length ?? 0) + 4;
  }
  const average = length / sampled;
  if (average * items.length < wideLength) return null;
  return Math.max(1, 2 ** Math.floor(Math.log2(pieceLength / average)));
}

/** Whether two values hold the very same items from one place to another, and the first one has a piece for just these. */
function isSame(before: WrittenFields, now: Fields, from: number, to: number): boolean {
  if (Math.min(from + before.perPiece, before.items.length) !== to) return false;
  for (let at = from; at < to; at += 1) {
    if (before.items[at] !== now.items[at] || before.keys?.[at] !== now.keys?.[at]) return false;
  }
  return true;
}
