import { showInvisible } from '#shared/invisible-characters.ts';

/** Longest part of a title in a message, in UTF-16 units. */
const maxTitleLength = 60;

/** What a label needs of an outline's node or a graph's node. */
interface LabelledNode {
  readonly id: string;
  readonly kind: string;
  readonly title?: string;
  readonly raw?: { readonly title?: unknown };
}

/** Names a node in a message: its title in quotes, else its kind and id (`the work node Order`). */
export function nodeLabel(node: LabelledNode): string {
  const title = node.title ?? node.raw?.title;
  const text = typeof title === 'string' ? showInvisible(title).replace(/\s+/g, ' ').trim() : '';
  if (text === '') return `the ${node.kind} node ${node.id}`;
  return `"${text.length > maxTitleLength ? `${text.slice(0, maxTitleLength - 1).toWellFormed()}…` : text}"`;
}

/** The text with its first letter in upper case, to begin a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
