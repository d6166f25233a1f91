import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { nameAsWords } from '#shared/flow/name-as-words.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';

/** The title of a node: its own title, otherwise its input states as words; for a nested flow, its file. */
export function nodeTitle({ kind, from, raw }: OutlineNode): string {
  if (typeof raw.title === 'string' && raw.title !== '') return raw.title;
  if (kind !== 'flow') return from.map(nameAsWords).join(' and ');
  return nameAsWords(withoutFlowEnding(String(raw.flow).replace(/^.*\//, '')));
}
