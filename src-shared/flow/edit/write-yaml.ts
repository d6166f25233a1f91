import type { Json } from '#shared/json.ts';
import { type Draft, type DraftArray, type DraftObject, draftValue } from './draft.ts';
import { type Place, placesIn, rewritten, walkChildren } from './places.ts';
import type { TextPatch } from './text-patch.ts';
import { type BracketedStyle, bracketedPatches } from './write-bracketed.ts';
import { bracketedText, entryLines, itemLines, keyText } from './yaml-text.ts';

/** The patches that bring a YAML text to a draft; null when the text is laid out in a way that cannot be patched. */
export function yamlPatches(text: string, root: Draft): TextPatch[] | null {
  return rewritten(root) === undefined ? new YamlWriter(text).patches(root) : null;
}

class YamlWriter {
  readonly #text: string;
  readonly #newline: string;
  readonly #patches: TextPatch[] = [];
  #patchable = true;

  constructor(text: string) {
    this.#text = text;
    this.#newline = text.includes('\r\n') ? '\r\n' : '\n';
  }

  patches(root: Draft): TextPatch[] | null {
    this.#write(root);
    return this.#patchable ? this.#patches : null;
  }

  #write(draft: Draft): void {
    if (draft.type === 'kept' || draft.type === 'fresh' || !draft.source) return;
    if (draft.source.style === 'flow') this.#writeBracketed(draft);
    else this.#writeBlock(draft);
  }

  #writeBracketed(draft: DraftObject | DraftArray): void {
    const style: BracketedStyle = { newline: this.#newline, key: keyText, value: bracketedText };
    const own = bracketedPatches(this.#text, draft, style, (child, place, key) => {
      if (draft.type === 'object' && child.key !== key)
        this.#patches.push({ start: place.start, end: place.keyEnd, text: keyText(child.key) });
      const value = rewritten(child.draft);
      if (value === undefined) this.#write(child.draft);
      else if (draft.type === 'array') this.#patches.push({ start: place.valueStart, end: place.end, text: bracketedText(value) });
      else this.#patches.push({ start: this.#afterColon(place), end: place.end, text: ` ${bracketedText(value)}` });
    });
    this.#patches.push(...own);
  }

  #writeBlock(draft: DraftObject | DraftArray): void {
    const places = placesIn(draft);
    const indent = ' '.repeat(this.#column((places[0] as Place).start));
    this.#removals(draft, places);
    walkChildren(
      draft,
      places,
      ({ before, after, children }) => {
        const lines = children.flatMap((child) =>
          draft.type === 'object' ? entryLines(child.key, draftValue(child.draft)) : itemLines(draftValue(child.draft)),
        );
        if (before) this.#insertAfter(before, this.#indented(lines, indent));
        else if (after)
          this.#patches.push({
            start: after.start,
            end: after.start,
            text: `${this.#indented(lines, indent).slice(indent.length)}${this.#newline}${indent}`,
          });
      },
      (child, place, key) => {
        if (draft.type === 'object' && child.key !== key)
          this.#patches.push({ start: place.start, end: place.keyEnd, text: keyText(child.key) });
        const value = rewritten(child.draft);
        if (value === undefined) this.#write(child.draft);
        else if (draft.type === 'object') this.#replace(place, this.#afterColon(place), entryLines('k', value), 2, indent);
        else this.#replace(place, place.start + 1, itemLines(value), 1, indent);
      },
    );
  }

  /** Puts lines after an entry, its trailing comment included. */
  #insertAfter(place: Place, lines: string): void {
    if (this.#endsLine(place)) this.#patches.push({ start: place.end, end: place.end, text: `${lines}${this.#newline}` });
    else {
      const at = this.#lineEnd(place.end);
      this.#patches.push({ start: at, end: at, text: `${this.#newline}${lines}` });
    }
  }

  /** Replaces a value, from after its colon or dash on. `skip` characters of the first line are that colon or dash. */
  #replace(place: Place, from: number, lines: readonly string[], skip: number, indent: string): void {
    const [first = '', ...rest] = lines;
    const head = first.slice(skip);
    const tail = rest.length > 0 ? `${this.#newline}${this.#indented(rest, indent)}` : '';
    const end = this.#valueEnd(place);
    const gap = this.#text.slice(from, place.valueStart);
    if (head === '' && gap.includes('#')) {
      this.#patches.push({ start: this.#lineEnd(from), end, text: tail + (this.#endsLine(place) ? this.#newline : '') });
    } else if (this.#endsLine(place)) {
      this.#patches.push({ start: from, end, text: `${head}${tail}${this.#newline}` });
    } else if (tail === '' || this.#text.slice(end, this.#lineEnd(end)).trim() === '') {
      this.#patches.push({ start: from, end, text: head + tail });
    } else {
      // A comment after the value stays on the line of the key.
      const lineEnd = this.#lineEnd(end);
      this.#patches.push({ start: from, end, text: head }, { start: lineEnd, end: lineEnd, text: tail });
    }
  }

  #removals(draft: DraftObject | DraftArray, places: readonly Place[]): void {
    const stays = new Set(draft.children.map((child) => child.origin));
    const first = places[0] as Place;
    const compact = this.#text.slice(this.#lineStart(first.start), first.start).trim() !== '';
    let anyBefore = false;
    for (const [index, place] of places.entries()) {
      if (stays.has(index)) anyBefore = true;
      // The first entry of an item follows the dash; the next one replaces it there.
      else if (compact && !anyBefore) this.#patches.push({ start: place.start, end: (places[index + 1] as Place).start, text: '' });
      else
        this.#patches.push({
          start: this.#lineStart(place.start),
          end: this.#endsLine(place) ? place.end : this.#lineEnd(place.end, true),
          text: '',
        });
    }
  }

  #indented(lines: readonly string[], indent: string): string {
    return lines.map((line) => (line === '' ? '' : indent + line)).join(this.#newline);
  }

  #afterColon(place: Place): number {
    const colon = /[ \t]*:/y;
    colon.lastIndex = place.keyEnd;
    if (!colon.test(this.#text)) this.#patchable = false;
    return colon.lastIndex;
  }

  /** Whether the value ends with a line's end: a block scalar does. */
  #endsLine(place: Place): boolean {
    return place.end > place.valueStart && this.#text.charAt(place.end - 1) === '\n';
  }

  /** The end of the value without blank lines behind a block scalar, unless it keeps them as content. */
  #valueEnd(place: Place): number {
    if (!this.#endsLine(place) || /^[|>]\d?\+/.test(this.#text.slice(place.valueStart, place.valueStart + 3))) return place.end;
    const value = this.#text.slice(place.valueStart, place.end);
    const trailing = /(\r?\n)((?:[ \t]*\r?\n)*)$/.exec(value);
    return place.end - (trailing?.[2]?.length ?? 0);
  }

  #column(position: number): number {
    return position - this.#lineStart(position);
  }

  #lineStart(position: number): number {
    return this.#text.lastIndexOf('\n', position - 1) + 1;
  }

  /** The end of the line, before its break; with `past`, behind it. */
  #lineEnd(position: number, past = false): number {
    const newline = this.#text.indexOf('\n', position);
    if (newline < 0) return this.#text.length;
    if (past) return newline + 1;
    return newline > position && this.#text.charAt(newline - 1) === '\r' ? newline - 1 : newline;
  }
}

/** A whole document as canonical YAML, with its keys in their current order. */
export function yamlDocument(value: Json): string {
  const lines =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, item]) => entryLines(key, item))
      : [JSON.stringify(value)];
  return `${lines.join('\n')}\n`;
}
