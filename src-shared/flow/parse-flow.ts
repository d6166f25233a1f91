import { type FormatFault, headFaults, nodeFaults } from '#shared/flow/checks/format.ts';
import { type Position, positionsOf } from '#shared/flow/source/position.ts';
import { readJsonInParts } from '#shared/flow/source/read-json-parts.ts';
import { readYamlInParts } from '#shared/flow/source/read-yaml-parts.ts';
import type { SourceParts } from '#shared/flow/source/source-parts.ts';
import { type Located, locate, type SourceNode } from '#shared/flow/source/source-tree.ts';
import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import type { FlowDocument } from './document.ts';
import { isCodeFlow } from './flow-file.ts';
import { type FlowOutline, readOutline } from './outline.ts';
import type { Problem } from './problem.ts';

/** In UTF-16 units. Parsing a longer text would block everything else; a flow of 10,000 nodes is shorter. */
const maxFlowLength = 4_000_000;

/** Format problems reported per document: a longer list does not help. */
const maxFaults = 1000;

export type FlowLanguage = 'yaml' | 'json';

/** A flow's text and everything that could be read from it. Immutable; an edit creates a new one (`edit/apply-edit.ts`). */
export interface ParsedFlow {
  /** Path of the file, relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly language: FlowLanguage;
  /** The values with their positions; null when the text cannot be parsed. */
  readonly root: SourceNode | null;
  /** The document; null if it has a `format` problem. */
  readonly document: FlowDocument | null;
  /** What can be read in spite of problems. */
  readonly outline: FlowOutline;
  /** Every `format` problem, in document order. */
  readonly problems: readonly Problem[];
  /** Line and column of a position in the text. */
  readonly positionAt: (offset: number) => Position;
  /** What `parseFlow` reuses when it parses the next version of the text. */
  readonly parts?: SourceParts;
}

/** The language of a file, by its name. A flow in code is converted to a document, which is JSON. */
export function flowLanguage(path: string): FlowLanguage {
  return path.toLowerCase().endsWith('.json') || isCodeFlow(path) ? 'json' : 'yaml';
}

/**
 * Parses a flow document. Never throws: every error becomes a `format` problem. Unchanged parts are reused from `previous`, the
 * result for an earlier version of the text.
 */
export function parseFlow(source: string, path: string, previous?: ParsedFlow): ParsedFlow {
  // A byte-order mark is not part of the document.
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const language = flowLanguage(path);
  const positionAt = positionsOf(text);
  const unreadable = (problems: Problem[]): ParsedFlow => ({
    path,
    text,
    language,
    root: null,
    document: null,
    outline: {},
    problems,
    positionAt,
  });
  if (text.length > maxFlowLength)
    return unreadable([
      formatProblem('', `The file is longer than ${maxFlowLength / 1e6} million characters. Split it into nested flows.`),
    ]);

  const { reading, parts } = (language === 'json' ? readJsonInParts : readYamlInParts)(text, previous?.parts);
  if (!reading.ok) {
    return unreadable(
      reading.faults.slice(0, maxFaults).map(({ message, path: pointer, position }) => {
        const { line, column } = positionAt(position);
        return formatProblem(pointer, `Line ${line}, column ${column}: ${message}.`);
      }),
    );
  }
  const { root } = reading;
  const all = [
    ...headFaults(root.value),
    ...nodesFaults(root.value, previous?.problems.length === 0 ? nodesIn(previous.root?.value) : []),
    ...textFaults(root, text),
  ];
  const faults = all.slice(0, maxFaults);
  const last = faults.at(-1);
  if (last && all.length > maxFaults)
    faults[maxFaults - 1] = { ...last, message: `${last.message} (And ${all.length - maxFaults} more errors.)` };
  const problems = inDocumentOrder(faults, root).map(({ fault, offset }) => {
    const { line, column } = positionAt(offset);
    return formatProblem(fault.path, `Line ${line}, column ${column}: ${fault.message}`);
  });
  return {
    path,
    text,
    language,
    root,
    // The document's schema found no problem.
    document: problems.length === 0 ? (root.value as unknown as FlowDocument) : null,
    outline: readOutline(root.value, previous?.outline),
    problems,
    positionAt,
    parts,
  };
}

/** Finds the position of a path in the text; null if the document has no value there. */
export function placeOf(flow: ParsedFlow, path: readonly (string | number)[]): Located | null {
  return flow.root && locate(flow.root, path);
}

/** The segments of a JSON Pointer. */
export function pointerSegments(pointer: string): string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function formatProblem(path: string, message: string): Problem {
  return { code: 'format', severity: 'error', message, nodes: [], path };
}

const nodesIn = (value: Json | undefined): readonly Json[] => (isJsonObject(value) && Array.isArray(value.nodes) ? value.nodes : []);

/** `valid`: the nodes of an earlier version without faults. The same objects are not looked at again. */
function nodesFaults(value: Json, valid: readonly Json[]): FormatFault[] {
  const faults: FormatFault[] = [];
  const nodes = nodesIn(value);
  for (let index = 0; index < nodes.length; index++) {
    const raw = nodes[index] as Json;
    if (raw === valid[index]) continue;
    for (const fault of nodeFaults(raw)) faults.push({ ...fault, path: `/nodes/${index}${fault.path}` });
  }
  return faults;
}

/** Reports strings that UTF-8 cannot encode: half of a surrogate pair. Few documents have an escape or a surrogate that could make one. */
function textFaults(root: SourceNode, text: string): FormatFault[] {
  if (!/\\[uU]|[\ud800-\udfff]/.test(text)) return [];
  const faults: FormatFault[] = [];
  const visit = (value: Json, path: (string | number)[]) => {
    if (typeof value === 'string') {
      if (!value.isWellFormed())
        faults.push({ path: jsonPointer(path), message: 'The string contains half of a surrogate pair, which is not a valid character.' });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index]);
    } else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (!key.isWellFormed())
          faults.push({ path: jsonPointer(path), message: 'A key contains half of a surrogate pair, which is not a valid character.' });
        visit(item, [...path, key]);
      }
    }
  };
  visit(root.value, []);
  return faults;
}

function inDocumentOrder(faults: readonly FormatFault[], root: SourceNode): { readonly fault: FormatFault; readonly offset: number }[] {
  return faults
    .map((fault) => {
      const place = locate(root, pointerSegments(fault.path));
      return { fault, offset: place ? place.entryStart : root.start };
    })
    .sort((a, b) => a.offset - b.offset);
}
