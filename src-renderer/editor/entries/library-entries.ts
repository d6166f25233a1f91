import { flowPathFrom } from '#renderer/document/graph/flow-path.ts';
import { kindLooks, libraryKinds } from '#renderer/ui/kinds/node-kinds.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { canBeNested, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import type { SchemaFit } from '#shared/flow/schema-fit.ts';
import type { DragPayload } from './drag-payload.ts';
import { texts } from './texts.ts';

/** Something that can be added to the canvas. */
export interface LibraryEntry {
  readonly key: string;
  readonly label: string;
  /** The word of flow files for a kind, if it differs from the label. */
  readonly formatName?: string | null;
  readonly summary: string;
  /** Further search terms, separated by spaces. */
  readonly words?: string;
  /** A kind's letter; tools have none. */
  readonly letter?: string;
  /** Whether the tool needs approval. */
  readonly asks?: boolean;
  readonly payload: DragPayload;
  /** How well it fits the state of the wire that it is added to. */
  readonly fit?: SchemaFit;
  /** A port to connect, instead of something to add. */
  readonly port?: PortPlace;
}

/** A port of a card, by React Flow's ids. */
export interface PortPlace {
  readonly node: string;
  readonly handle: string;
}

/** Two bodies of a step that users look for by name. */
const workEntries: readonly LibraryEntry[] = [
  {
    key: 'code',
    label: texts.code,
    summary: texts.codeHint,
    words: 'script function javascript typescript js ts program',
    payload: { kind: 'work', body: 'run' },
  },
  {
    key: 'expression',
    label: texts.expression,
    summary: texts.expressionHint,
    words: 'formula compute calculate math set',
    payload: { kind: 'work', body: 'expr' },
  },
];

/** The kinds, steps by code and by expression, then the tools. */
export function libraryEntries(tools: readonly ToolInfo[]): readonly LibraryEntry[] {
  return [
    ...libraryKinds.flatMap((kind) => {
      const { label, formatName, summary, words, letter } = kindLooks[kind];
      const entry = { key: kind, label, formatName, summary, words, letter, payload: { kind } };
      return kind === 'work' ? [entry, ...workEntries] : [entry];
    }),
    ...tools.map((tool) => ({
      key: `tool-${tool.name}`,
      label: tool.name,
      summary: tool.description,
      asks: tool.asks,
      payload: { kind: 'work' as const, tool: tool.name },
    })),
  ];
}

/** The flows that a node of the flow at `current` can run. `trusted`: the folder is, so that flows in code can be run too. */
export function flowEntries(flows: readonly FlowFile[], current: string | null, trusted: boolean): readonly LibraryEntry[] {
  return flows
    .filter(({ path }) => path !== current && canBeNested(path, trusted))
    .map(({ path, name }) => ({
      key: `flow-${path}`,
      label: withoutFlowEnding(path),
      summary: name,
      payload: flowPayload(current, path),
    }));
}

/** The drag payload of a flow in the lists. The user chooses on drop whether it runs once or for each item. */
export function flowPayload(current: string | null, path: string): DragPayload {
  return { kind: 'flow', file: flowPathFrom(current, path), undecided: true };
}

/** The entries that match every word of the query, best first: whole words (at the start of the label first) before prefixes before matches inside a word. */
export function ranked<Entry extends Pick<LibraryEntry, 'label' | 'summary' | 'words'>>(entries: readonly Entry[], query: string): Entry[] {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, queryWords) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

function scoreOf({ label, summary, words = '' }: Pick<LibraryEntry, 'label' | 'summary' | 'words'>, queryWords: readonly string[]): number {
  const name = label.toLowerCase();
  const names = wordsOf(`${name} ${words}`);
  const summaryWords = wordsOf(summary.toLowerCase());
  const query = queryWords.join(' ');
  let total = query === name ? 10 : name.startsWith(`${query} `) ? 2 : 1;
  for (const word of queryWords) {
    const score = names.includes(word)
      ? 6
      : names.some((other) => other.startsWith(word))
        ? 5
        : summaryWords.includes(word)
          ? 3
          : summaryWords.some((other) => other.startsWith(word))
            ? 2
            : `${name} ${summary.toLowerCase()}`.includes(word)
              ? 1
              : 0;
    if (score === 0) return 0;
    total += score;
  }
  return total;
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
