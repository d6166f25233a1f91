import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { nameAsWords } from '#shared/flow/name-as-words.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';

/** What a node is called: its own title, else the states that it consumes, in words; a nested flow by its file. */
export function nodeTitle({ kind, from, raw }: OutlineNode): string {
  if (typeof raw.title === 'string' && raw.title !== '') return raw.title;
  if (kind !== 'flow') return from.map(nameAsWords).join(' and ');
  return nameAsWords(withoutFlowEnding(String(raw.flow).replace(/^.*\//, '')));
}
