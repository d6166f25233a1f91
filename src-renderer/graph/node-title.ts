import type { DocumentNode } from '#shared/flow/document.ts';

/** A state's name as words: `ReleaseNotes` and `release_notes` both give `Release notes`. */
export function nameAsWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1);
}

/** What a node is called: its own title, else the states that it consumes, in words. */
export function nodeTitle(node: DocumentNode, from: readonly string[]): string {
  if (node.title) return node.title;
  if (node.kind === 'flow') return nameAsWords(node.flow.replace(/^.*\//, '').replace(/\.flow\.(yaml|yml|json)$/, ''));
  return from.map(nameAsWords).join(' and ');
}
