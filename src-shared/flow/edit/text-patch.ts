/** Replaces the text between two positions (UTF-16 units). */
export interface TextPatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies patches that do not overlap, in any order; at one position, an insertion comes before a replacement. */
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
