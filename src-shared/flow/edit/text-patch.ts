/** Replaces the text between two positions (UTF-16 units). */
export interface TextPatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies patches that do not overlap, given in any order; at one position, an insertion comes before a replacement. */
export function applyPatches(text: string, patches: readonly TextPatch[]): string {
  const ordered = patches
    .map((patch, index) => ({ patch, index }))
    .sort((a, b) => a.patch.start - b.patch.start || a.patch.end - b.patch.end || a.index - b.index);
  let result = '';
  let position = 0;
  for (const { patch } of ordered) {
    result += text.slice(position, Math.max(position, patch.start)) + patch.text;
    position = Math.max(position, patch.end);
  }
  return result + text.slice(position);
}

/** The smallest single patch that turns one text into another; null when they are equal. */
export function patchBetween(before: string, after: string): TextPatch | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < most - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
