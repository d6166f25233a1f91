import type { Json } from '#shared/json.ts';
import { type DraftArray, type DraftObject, draftValue } from './draft.ts';
import { type Place, placesIn, walkChildren } from './places.ts';
import type { TextPatch } from './text-patch.ts';

/** How values and keys are written in a language that has brackets and commas. */
export interface BracketedStyle {
  readonly newline: string;
  key(key: string): string;
  /** `inline`: on one line if that is not too long. */
  value(value: Json, indent: string, inline: boolean): string;
}

/**
 * The patches of one object or list in brackets, some of whose children stay: what is removed and what is new. `onStaying` sees every child that
 * stays, with its place and its former key.
 */
export function bracketedPatches(
  text: string,
  draft: DraftObject | DraftArray,
  style: BracketedStyle,
  onStaying: Parameters<typeof walkChildren>[3],
): TextPatch[] {
  const places = placesIn(draft);
  const patches = removals(draft, places);
  const { separator, indent, inline } = layoutOf(text, draft, places, style.newline);
  walkChildren(
    draft,
    places,
    ({ before, after, children }) => {
      const pieces = children.map((child) => {
        const value = style.value(draftValue(child.draft), indent, inline);
        return draft.type === 'object' ? `${style.key(child.key)}: ${value}` : value;
      });
      if (before) patches.push({ start: before.end, end: before.end, text: pieces.map((piece) => `,${separator}${piece}`).join('') });
      else if (after) patches.push({ start: after.start, end: after.start, text: pieces.map((piece) => `${piece},${separator}`).join('') });
    },
    onStaying,
  );
  return patches;
}

/** A removed child goes with the comma before it; those before the first that stays, with the comma after them. */
function removals(draft: DraftObject | DraftArray, places: readonly Place[]): TextPatch[] {
  const stays = new Set(draft.children.map((child) => child.origin));
  const patches: TextPatch[] = [];
  let anyBefore = false;
  for (const [index, place] of places.entries()) {
    if (stays.has(index)) anyBefore = true;
    else if (anyBefore) patches.push({ start: (places[index - 1] as Place).end, end: place.end, text: '' });
    else patches.push({ start: place.start, end: (places[index + 1] as Place).start, text: '' });
  }
  return patches;
}

/** Layout of a container's children: whether each has its own line, and whether their contents are on one line. */
function layoutOf(text: string, draft: DraftObject | DraftArray, places: readonly Place[], newline: string) {
  const first = places[0] as Place;
  const broken = text.slice((draft.source?.start ?? 0) + draft.shift, first.start).includes('\n');
  const indent = indentAt(text, first.start);
  const containers = places.filter((place) => /[[{]/.test(text.charAt(place.valueStart)));
  const inline = containers.length > 0 ? containers.every((place) => !text.slice(place.valueStart, place.end).includes('\n')) : !broken;
  return { separator: broken ? `${newline}${indent}` : ' ', indent, inline };
}

/** The indentation of the line that contains a position. */
export function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
