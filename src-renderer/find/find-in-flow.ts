import { graphView } from '#renderer/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/graph/readable-flow.ts';
import type { ParsedFlow } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** A line of a flow in which something was found. */
export interface Match {
  /** Path of the flow's file. */
  readonly flow: string;
  /** Key of the node that it belongs to; null for what belongs to the flow as a whole. */
  readonly node: string | null;
  /** What people call the place: the node's title, or the flow's name. */
  readonly title: string;
  /** Where in it: `run`, `agent.prompt`, `from`, `schema Ticket`; with the number of the line in a text of several. */
  readonly where: string;
  /** The line, without the space around it, and where the found words stand in it. */
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

/** More are not listed: who sees so many narrows the search. */
export const mostMatches = 200;

/**
 * Every line of a flow's names, titles, notes, code, prompts, arguments and schemas that holds the words, in the document's order. Capitals
 * count where the words have one. Empty words find nothing.
 */
export function findInFlow(parsed: ParsedFlow, words: string, known: ReadableFlow | null = readableFlow(parsed)): Match[] {
  const matches: Match[] = [];
  const value = parsed.root?.value;
  if (words.trim() === '' || !known || !isJsonObject(value)) return matches;
  const minds = words !== words.toLowerCase();
  const wanted = minds ? words : words.toLowerCase();
  const title = typeof value.name === 'string' ? value.name : parsed.path;

  const look = (text: string, place: Omit<Match, 'line' | 'start' | 'end'>) => {
    const lines = text.split('\n');
    for (const [index, full] of lines.entries()) {
      const line = full.trim();
      const start = (minds ? line : line.toLowerCase()).indexOf(wanted);
      if (start < 0) continue;
      const where = lines.filter((each) => each.trim() !== '').length > 1 ? `${place.where}, line ${index + 1}` : place.where;
      matches.push({ ...place, where, ...excerpt(line, start, wanted.length) });
    }
  };
  const walk = (part: Json, place: Omit<Match, 'line' | 'start' | 'end' | 'where'>, path: string) => {
    if (typeof part === 'string') look(part, { ...place, where: path });
    else if (Array.isArray(part)) for (const item of part) walk(item as Json, place, path);
    else if (isJsonObject(part)) for (const [key, item] of Object.entries(part)) walk(item, place, path === '' ? key : `${path}.${key}`);
  };

  const ofFlow = { flow: parsed.path, node: null, title };
  for (const key of ['name', 'description', 'input', 'output']) if (typeof value[key] === 'string') walk(value[key], ofFlow, key);
  const view = graphView(known);
  const users = new Map<string, string>();
  for (const [position, node] of known.nodes.entries()) {
    const shown = view.nodes[position];
    if (!shown) continue;
    for (const state of [...node.from, ...node.to]) if (!users.has(state)) users.set(state, shown.key);
    const { kind: _kind, ...texts } = node.raw;
    walk(texts, { flow: parsed.path, node: shown.key, title: shown.title }, '');
  }
  for (const [name, schema] of Object.entries(known.schemas)) {
    look(`${name}: ${JSON.stringify(schema)}`, { flow: parsed.path, node: users.get(name) ?? null, title: name, where: 'schema' });
  }
  return matches;
}

/** A long line is shown round the place. */
const widest = 120;

function excerpt(line: string, start: number, length: number): Pick<Match, 'line' | 'start' | 'end'> {
  if (line.length <= widest) return { line, start, end: start + length };
  const from = Math.max(0, Math.min(start - 30, line.length - widest));
  const before = from > 0 ? '…' : '';
  const after = from + widest < line.length ? '…' : '';
  const shift = before.length - from;
  return { line: before + line.slice(from, from + widest) + after, start: start + shift, end: start + length + shift };
}
