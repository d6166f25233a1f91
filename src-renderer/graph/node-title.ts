import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';

/** A state's name as words: `ReleaseNotes` and `release_notes` both give `Release notes`. */
export function nameAsWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1);
}

/** What a node is called: its own title, else the states that it consumes, in words; a nested flow by its file. */
export function nodeTitle({ kind, from, raw }: OutlineNode): string {
  if (typeof raw.title === 'string' && raw.title !== '') return raw.title;
  if (kind !== 'flow') return from.map(nameAsWords).join(' and ');
  return nameAsWords(withoutFlowEnding(String(raw.flow).replace(/^.*\//, '')));
}
