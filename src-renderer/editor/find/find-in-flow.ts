import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { LayoutExtras } from '#shared/flow/layout/layout.ts';
import type { ParsedFlow } from '#shared/flow/parse-flow.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { texts } from './texts.ts';

/** A matching line of a flow. */
export interface Match {
  /** Path of the flow's file. */
  readonly flow: string;
  /** Key of the node that contains the line, or null if it belongs to the flow itself. */
  readonly node: string | null;
  /** Id of the note or group that contains it. */
  readonly drawn?: string;
  /** The node's title, or the flow's name. */
  readonly title: string;
  /** Field of the match, such as `run`, `agent.prompt`, `from` or `schema Ticket`, with the line number in a multi-line text. */
  readonly where: string;
  /** The trimmed line, and the range of the match in it. */
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of listed matches. */
export const maxMatches = 200;

/**
 * Every line of a flow's names, titles, notes, groups, code, prompts, arguments and schemas that contains the query, in document
 * order. Case-sensitive if the query contains a capital. An empty query finds nothing.
 */
export function findInFlow(
  parsed: ParsedFlow,
  query: string,
  known: ReadableFlow | null = readableFlow(parsed),
  { notes = [], groups = [] }: LayoutExtras = {},
): Match[] {
  const matches: Match[] = [];
  const value = parsed.root?.value;
  if (query.trim() === '' || !known || !isJsonObject(value)) return matches;
  const caseSensitive = query !== query.toLowerCase();
  const wanted = caseSensitive ? query : query.toLowerCase();
  const title = typeof value.name === 'string' ? value.name : parsed.path;

  const search = (text: string, place: Omit<Match, 'line' | 'start' | 'end'>) => {
    const lines = text.split('\n');
    for (const [index, full] of lines.entries()) {
      const line = full.trim();
      const start = (caseSensitive ? line : line.toLowerCase()).indexOf(wanted);
      if (start < 0) continue;
      const where = lines.filter((each) => each.trim() !== '').length > 1 ? texts.line(place.where, index + 1) : place.where;
      matches.push({ ...place, where, ...excerpt(line, start, wanted.length) });
    }
  };
  const walk = (part: Json, place: Omit<Match, 'line' | 'start' | 'end' | 'where'>, path: string) => {
    if (typeof part === 'string') search(part, { ...place, where: path });
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
    const { kind: _kind, ...fields } = node.raw;
    walk(fields, { flow: parsed.path, node: shown.key, title: shown.title }, '');
  }
  for (const [name, schema] of Object.entries(known.schemas)) {
    search(`${name}: ${JSON.stringify(schema)}`, { flow: parsed.path, node: users.get(name) ?? null, title: name, where: 'schema' });
  }
  for (const { id, text } of notes) search(text, { flow: parsed.path, node: null, drawn: id, title: texts.note, where: texts.noteText });
  for (const { id, title: name } of groups)
    search(name, { flow: parsed.path, node: null, drawn: id, title: texts.group, where: texts.groupTitle });
  return matches;
}

/** Longest excerpt of a line around a match, in characters. */
const maxExcerpt = 120;

function excerpt(line: string, start: number, length: number): Pick<Match, 'line' | 'start' | 'end'> {
  if (line.length <= maxExcerpt) return { line, start, end: start + length };
  const from = Math.max(0, Math.min(start - 30, line.length - maxExcerpt));
  const before = from > 0 ? '…' : '';
  const after = from + maxExcerpt < line.length ? '…' : '';
  const shift = before.length - from;
  return { line: before + line.slice(from, from + maxExcerpt) + after, start: start + shift, end: start + length + shift };
}
