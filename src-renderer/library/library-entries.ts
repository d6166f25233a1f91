import type { DragPayload } from '#renderer/canvas/drag-payload.ts';
import { kindLooks, libraryKinds } from '#renderer/kinds/node-kinds.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';

/** Something that can be put onto the canvas. */
export interface LibraryEntry {
  readonly key: string;
  readonly label: string;
  readonly summary: string;
  /** A kind's letter; tools have none. */
  readonly letter?: string;
  /** Whether a person is asked before the tool acts. */
  readonly asks?: boolean;
  readonly payload: DragPayload;
}

/** The kinds, then the tools. */
export function libraryEntries(tools: readonly ToolInfo[]): readonly LibraryEntry[] {
  return [
    ...libraryKinds.map((kind) => ({
      key: kind,
      label: kindLooks[kind].label,
      summary: kindLooks[kind].summary,
      letter: kindLooks[kind].letter,
      payload: { kind },
    })),
    ...tools.map((tool) => ({
      key: `tool-${tool.name}`,
      label: tool.name,
      summary: tool.description,
      asks: tool.asks,
      payload: { kind: 'work' as const, tool: tool.name },
    })),
  ];
}

/** True when every word of the query is in the entry's name or summary. */
export function matches(entry: Pick<LibraryEntry, 'label' | 'summary'>, query: string): boolean {
  const text = `${entry.label} ${entry.summary}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
