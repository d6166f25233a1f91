import { readJson } from './read-json.ts';
import { noParts, type PartReader, type PartsReading, readInParts, type SourceParts } from './source-parts.ts';
import { objectOf, type SourceEntry, type SourceItem, type SourceNode, type SourceObject } from './source-tree.ts';

/** Reads JSON like `readJson`, part by part: the items of `nodes`, the entries of `schemas`, and the other entries of the document. */
export function readJsonInParts(text: string, known: SourceParts = noParts): PartsReading {
  return readInParts(text, known, readJson, (whole, reader) => new DocumentReader(whole, reader).document());
}

/** Thrown when a text is not laid out as expected; it is then read as a whole. */
class Unexpected extends Error {}

/** Walks the outer brackets of a document and leaves the parts to `reader`. */
class DocumentReader {
  readonly #text: string;
  readonly #reader: PartReader;
  #at = 0;

  constructor(text: string, reader: PartReader) {
    this.#text = text;
    this.#reader = reader;
  }

  document(): SourceNode | null {
    try {
      const root = this.#object(0, (key, start) => {
        if (key === 'nodes' && this.#peek() === '[') return this.#section(key, () => this.#list(start));
        return key === 'schemas' && this.#peek() === '{'
          ? this.#section(key, () => this.#object(start, () => this.#piece()))
          : this.#piece();
      });
      this.#blank();
      return this.#at === this.#text.length ? root : null;
    } catch (error) {
      if (error instanceof Unexpected) return null;
      throw error;
    }
  }

  #section(key: string, read: () => SourceNode): SourceNode {
    const section = this.#reader.section(key, this.#at, null, () => ({ node: read(), end: this.#at }));
    if (!section) throw new Unexpected();
    this.#at = section.end;
    return section.node;
  }

  /** `base` is where the frame of the object begins; `value` reads an entry's value in a frame that begins at `start`. */
  #object(base: number, value: (key: string, start: number) => SourceNode): SourceObject {
    const entries: SourceEntry[] = [];
    const names = new Set<string>();
    const start = this.#expect('{');
    this.#children('}', () => {
      const keyStart = this.#at;
      const key = this.#piece();
      const name = key.value;
      if (typeof name !== 'string' || names.has(name)) throw new Unexpected();
      names.add(name);
      this.#blank();
      this.#expect(':');
      this.#blank();
      const at = this.#at;
      const node = value(name, at);
      // Positions of the key count from the frame of its value.
      entries.push({ shift: at - base, key: name, keyStart: keyStart - at, keyEnd: keyStart - at + (key.end - key.start), node });
    });
    return {
      type: 'object',
      style: 'flow',
      start: start - base,
      end: this.#at - base,
      entries,
      value: objectOf(entries.map((entry) => [entry.key, entry.node.value])),
    };
  }

  #list(base: number): SourceNode {
    const items: SourceItem[] = [];
    const start = this.#expect('[');
    this.#children(']', () => {
      const at = this.#at;
      const node = this.#piece();
      items.push({ shift: at - base, start: 0, node });
    });
    return { type: 'array', style: 'flow', start: start - base, end: this.#at - base, items, value: items.map((item) => item.node.value) };
  }

  /** Calls `child` at each child of a bracket and moves past the closing one. */
  #children(close: string, child: () => void): void {
    this.#blank();
    if (this.#peek() !== close) {
      for (;;) {
        child();
        this.#blank();
        if (this.#peek() !== ',') break;
        this.#at++;
        this.#blank();
      }
    }
    this.#expect(close);
  }

  /** The value at the position, in a frame of its own that begins there. */
  #piece(): SourceNode {
    const start = this.#at;
    this.#skipValue();
    const node = this.#at > start ? this.#reader.read(start, this.#at) : null;
    if (node?.start !== 0 || node.end !== this.#at - start) throw new Unexpected();
    return node;
  }

  /** Moves past a value; whether it is valid shows when it is parsed. */
  #skipValue(): void {
    let depth = 0;
    do {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code)) throw new Unexpected();
      if (code === 0x22) this.#skipString();
      else if (code === 0x7b || code === 0x5b) depth++;
      else if (code === 0x7d || code === 0x5d) depth--;
      else if (depth === 0) {
        scalar.lastIndex = this.#at;
        scalar.test(this.#text);
        this.#at = Math.max(scalar.lastIndex, this.#at);
        return;
      }
      this.#at++;
    } while (depth > 0);
    if (depth < 0) throw new Unexpected();
  }

  /** Moves to the closing quote. */
  #skipString(): void {
    for (;;) {
      const quote = this.#text.indexOf('"', this.#at + 1);
      if (quote < 0) throw new Unexpected();
      let slashes = 0;
      while (this.#text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
      this.#at = quote;
      if (slashes % 2 === 0) return;
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #expect(character: string): number {
    if (this.#peek() !== character) throw new Unexpected();
    return this.#at++;
  }

  #blank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }
}

const scalar = /[^\s,\]}"[{:]+/y;
