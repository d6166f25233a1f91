import { realpathSync } from 'node:fs';
import { type BuiltFlow, buildFlow } from '#shared/flow/build-flow.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { type FlowEnvironmentOptions, flowEnvironment } from './flow-environment.ts';

/** A flow built from disk. */
export interface LoadedFlow extends BuiltFlow {
  /** Path of the document, relative to the workspace, with `/`. */
  readonly path: string;
  /** The document's text; empty when it could not be read. */
  readonly text: string;
  /** Real paths of the document and of every file that was read to build it. No tool may write these. */
  readonly files: ReadonlySet<string>;
  /** Texts of the files that it was built from, except its document, by path relative to the workspace. */
  readonly sources: ReadonlyMap<string, string>;
  /** Of a PyFlow workflow, for each node of the document the JSON Pointer of what it came from. */
  readonly origins?: readonly string[];
}

/** Builds a flow from a possibly unsaved text; `path` is its location relative to the workspace. */
export function loadFlowText(text: string, path: string, options: FlowEnvironmentOptions, files: readonly string[] = []): LoadedFlow {
  return buildParsed(parseAgain(text, path), options, files);
}

/** Texts that were parsed last, newest last. */
const parsedLast: ParsedFlow[] = [];
const parsedKept = 8;
/** A longer text is not kept, in characters. */
const longestKept = 256 * 1024;

/** Parses a text unless it is one of the last: a server builds the same flow for each of its runs. */
function parseAgain(text: string, path: string): ParsedFlow {
  const at = parsedLast.findIndex((parsed) => parsed.text === text && parsed.path === path);
  const [known = parseFlow(text, path)] = at < 0 ? [] : parsedLast.splice(at, 1);
  if (text.length <= longestKept) parsedLast.push(known);
  if (parsedLast.length > parsedKept) parsedLast.shift();
  return known;
}

/** Builds a flow from a document that is not on disk, as if it were at `path`. Its `text` is JSON. */
export function loadCompiledFlow(
  document: FlowDocument,
  path: string,
  options: FlowEnvironmentOptions,
  files: readonly string[] = [],
): LoadedFlow {
  // Whatever the file at `path` is: a parser of YAML takes ten times as long.
  return buildParsed({ ...parseFlow(JSON.stringify(document), 'compiled.flow.json'), path }, options, files);
}

function buildParsed(parsed: ParsedFlow, options: FlowEnvironmentOptions, files: readonly string[]): LoadedFlow {
  const { path, text } = parsed;
  const environment = flowEnvironment(options);
  const built = buildFlow(parsed, environment);
  return { ...built, path, text, files: new Set([...files.map(realPath), ...environment.files]), sources: environment.texts() };
}

/** The real path of a file; the path itself if there is no such file. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** A flow that could not be read, with the reason as its only problem. */
export function unreadable(path: string, message: string): LoadedFlow {
  const problem: Problem = { code: 'format', severity: 'error', message, nodes: [], path: '' };
  return { graph: null, problems: [problem], terminals: [], node_count: 0, path, text: '', files: new Set(), sources: new Map() };
}
