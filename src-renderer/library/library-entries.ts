import type { DragPayload } from '#renderer/canvas/drag-payload.ts';
import { kindLooks, libraryKinds } from '#renderer/kinds/node-kinds.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { isCodeFlow, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { flowPathFrom } from './flow-path.ts';

/** Something that can be put onto the canvas. */
export interface LibraryEntry {
  readonly key: string;
  readonly label: string;
  readonly summary: string;
  /** Usual names for the same thing, separated by spaces. */
  readonly words?: string;
  /** A kind's letter; tools have none. */
  readonly letter?: string;
  /** Whether a person is asked before the tool acts. */
  readonly asks?: boolean;
  readonly payload: DragPayload;
}

/** Two ways of doing work that users look for by name. */
const workEntries: readonly LibraryEntry[] = [
  {
    key: 'code',
    label: 'Code',
    summary: 'A work node that runs JavaScript',
    words: 'script function javascript typescript js ts program',
    payload: { kind: 'work', body: 'run' },
  },
  {
    key: 'expression',
    label: 'Expression',
    summary: 'A work node that computes its result from the fields',
    words: 'formula compute calculate math set',
    payload: { kind: 'work', body: 'expr' },
  },
];

/** The kinds, work by code and by expression, then the tools. */
export function libraryEntries(tools: readonly ToolInfo[]): readonly LibraryEntry[] {
  return [
    ...libraryKinds.flatMap((kind) => {
      const { label, summary, words, letter } = kindLooks[kind];
      const entry = { key: kind, label, summary, words, letter, payload: { kind } };
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

/** The flows that a node of the flow at `current` can run: documents only, since a flow in code takes in others by importing them. */
export function flowEntries(flows: readonly FlowFile[], current: string | null): readonly LibraryEntry[] {
  return flows
    .filter(({ path }) => path !== current && !isCodeFlow(path))
    .map(({ path, name }) => ({
      key: `flow-${path}`,
      label: withoutFlowEnding(path),
      summary: name,
      payload: flowPayload(current, path),
    }));
}

/** What is dragged of a flow in the lists; whether it runs once or for each item is asked when it is dropped. */
export function flowPayload(current: string | null, path: string): DragPayload {
  return { kind: 'flow', file: flowPathFrom(current, path), undecided: true };
}

/** The entries that every word of the query is found in, best first: whole words before beginnings of words, these before anything inside a word. */
export function ranked<Entry extends Pick<LibraryEntry, 'label' | 'summary' | 'words'>>(entries: readonly Entry[], query: string): Entry[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, asked) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

function scoreOf({ label, summary, words = '' }: Pick<LibraryEntry, 'label' | 'summary' | 'words'>, asked: readonly string[]): number {
  const name = label.toLowerCase();
  const names = wordsOf(`${name} ${words}`);
  const said = wordsOf(summary.toLowerCase());
  let total = asked.join(' ') === name ? 10 : 1;
  for (const word of asked) {
    const score = names.includes(word)
      ? 6
      : names.some((other) => other.startsWith(word))
        ? 5
        : said.includes(word)
          ? 3
          : said.some((other) => other.startsWith(word))
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
