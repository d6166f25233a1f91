import type { Json } from '#shared/json.ts';
import { type Draft, type DraftArray, type DraftChild, type DraftObject, draftValue } from './draft.ts';

/** Absolute positions of an entry or item in the text. `start` is at its key or dash. */
export interface Place {
  readonly start: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The places of the entries or items that a container has in the text. */
export function placesIn(draft: DraftObject | DraftArray): Place[] {
  if (draft.type === 'object') {
    return (draft.source?.entries ?? []).map(({ shift, keyStart, keyEnd, node }) => {
      const base = draft.shift + shift;
      return { start: base + keyStart, keyEnd: base + keyEnd, valueStart: base + node.start, end: base + node.end };
    });
  }
  return (draft.source?.items ?? []).map(({ shift, start, node }) => {
    const base = draft.shift + shift;
    return { start: base + start, keyEnd: base + start, valueStart: base + node.start, end: base + node.end };
  });
}

/** The value that must be rewritten; undefined for a draft whose text stays, with at most changes inside. */
export function rewritten(draft: Draft): Json | undefined {
  if (draft.type === 'kept') return undefined;
  const stays = draft.type !== 'fresh' && draft.source && draft.children.some((child) => child.origin !== undefined);
  return stays ? undefined : draftValue(draft);
}

/** A run of new children and the places that stay on either side of it. */
interface Insertion {
  readonly before: Place | null;
  readonly after: Place | null;
  readonly children: readonly DraftChild[];
}

/** Walks a container's children in order: runs of new ones, and each one that stays. */
export function walkChildren(
  draft: DraftObject | DraftArray,
  places: readonly Place[],
  onNew: (insertion: Insertion) => void,
  onStaying: (child: DraftChild, place: Place, key: string) => void,
): void {
  let before: Place | null = null;
  let fresh: DraftChild[] = [];
  for (const child of draft.children) {
    const place: Place | undefined = child.origin === undefined ? undefined : places[child.origin];
    if (!place || child.origin === undefined) {
      fresh.push(child);
      continue;
    }
    if (fresh.length > 0) onNew({ before, after: place, children: fresh });
    fresh = [];
    before = place;
    onStaying(child, place, draft.type === 'object' ? (draft.source?.entries[child.origin]?.key ?? '') : '');
  }
  if (fresh.length > 0) onNew({ before, after: null, children: fresh });
}
