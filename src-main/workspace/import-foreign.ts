import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileFailure } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { stripTypes } from '#main/sandbox/strip-types.ts';
import type { ImportReport } from '#shared/contract/flows.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { lineOfPath } from '#shared/flow/source/line-of-path.ts';
import { positionsOf } from '#shared/flow/source/position.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { compileGraph } from '#shared/import/compile-graph.ts';
import { preventsImport, type ReportForeign } from '#shared/import/foreign-problem.ts';
import { type ForeignFormat, formatOfCode, formatOfValue, readForeignCode, readForeignValue } from '#shared/import/read-foreign.ts';
import { type Json, jsonPointer } from '#shared/json.ts';
import type { ImportProblem } from '#shared/pyflow/import-problem.ts';
import { isWorkflow } from '#shared/pyflow/is-workflow.ts';
import { FlowError } from '#shared/run/error.ts';
import { loadFlowText } from './flow-loader.ts';
import { documentText, readImportText } from './import-texts.ts';
import type { WorkspaceSettings } from './settings.ts';

/** A file of another tool, as far as it was recognised. */
export type ForeignSource =
  | { readonly format: ForeignFormat; readonly text: string; readonly value: Json }
  | { readonly format: 'agent_builder'; readonly text: string; readonly code: string };

const codeExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Finds out which tool wrote a file. Null: a PyFlow workflow, or what is read as one. Throws `FlowError` for a file that cannot be read or is of no known tool. */
export function recogniseForeign(file: string): ForeignSource | null {
  const text = readImportText(file);
  if (codeExtensions.has(extname(file))) {
    const stripped = stripTypes(text);
    if (!stripped.ok) throw unreadable(file, `line ${stripped.fault.line}: ${stripped.fault.message}`);
    if (formatOfCode(stripped.code) === null)
      throw unreadable(file, 'it does not import @openai/agents, as workflows exported by Agent Builder do');
    return { format: 'agent_builder', text, code: stripped.code };
  }
  const value = jsonOf(file, text);
  if (value === undefined) return null;
  const format = formatOfValue(value);
  if (format !== null) return { format, text, value };
  if (extname(file) !== '.json' || isWorkflow(value)) return null;
  throw unreadable(file, 'it is not an export of Dify, Langflow, n8n, LangGraph (graph.get_graph().to_json()) or PyFlow');
}

/** Undefined for YAML that cannot be parsed: the importer of workflows reports where. */
function jsonOf(file: string, text: string): Json | undefined {
  if (extname(file) === '.json') {
    try {
      return JSON.parse(text) as Json;
    } catch (error) {
      throw unreadable(file, `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const reading = readYaml(text);
  return reading.ok ? reading.root.value : undefined;
}

function unreadable(file: string, why: string): FlowError {
  return new FlowError('BuildError', `${basename(file)} cannot be imported: ${why}.`);
}

export interface ImportForeignOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly settings: WorkspaceSettings;
  /** Absolute path of the flow. Default: `NAME.flow.yaml` beside the file. */
  readonly out?: string;
}

/**
 * Imports a file of another tool: writes its flow, flows that this one calls, and files that belong to it. With an error nothing is written. Throws
 * `FlowError` `Conflict` for an existing file that differs.
 */
export async function importForeign(
  file: string,
  source: ForeignSource,
  { folder, settings, out }: ImportForeignOptions,
): Promise<ImportReport> {
  const problems: ImportProblem[] = [];
  const lineAt = 'code' in source ? () => 1 : linesOf(source.text);
  const report: ReportForeign = (code, at, message) => {
    const isLine = typeof at === 'number';
    const severity = preventsImport(code) ? 'error' : 'warning';
    problems.push({ code, severity, message, path: isLine ? '' : jsonPointer(at), line: isLine ? at : lineAt(at) });
  };
  const reading = 'code' in source ? readForeignCode(source.code, report) : readForeignValue(source.format, source.value, report);
  if (!reading) return { flow: null, files: [], problems };
  const target = out ?? join(dirname(file), `${reading.graph.name.replace(/[^\p{L}\p{N}_.-]+/gu, '-') || 'imported'}.flow.yaml`);
  const base = basename(target).replace(/\.flow\.(yaml|json)$/, '');
  const compiled = compileGraph(reading.graph, (name) => `./${base}-${name}.flow.yaml`, report);
  if (!compiled) return { flow: null, files: [], problems };
  const documents = new Map([[target, compiled.document]]);
  for (const [path, document] of compiled.inner) documents.set(join(dirname(target), path), document);
  const relativePath = (path: string) => relative(folder, path).split(sep).join('/');
  problems.push(...flowProblems(documents, target, relativePath, folder, settings));
  if (problems.some(({ severity }) => severity === 'error')) return { flow: null, files: [], problems };
  const texts = new Map([...documents].map(([path, document]) => [path, documentText(path, document)]));
  for (const each of reading.files) texts.set(join(dirname(target), each.path), each.text);
  for (const [path, text] of texts)
    if (existsSync(path) && readImportText(path) !== text)
      throw new FlowError('Conflict', `${basename(path)} exists and is not this import. Choose another file with --out, or remove it.`);
  for (const [path, text] of texts) {
    mkdirSync(dirname(path), { recursive: true });
    await replaceFile(path, text).catch((error: unknown) => {
      throw fileFailure('could not be written', relativePath(path), error);
    });
  }
  return { flow: relativePath(target), files: [...texts.keys()].map(relativePath), problems };
}

/** Lines of paths in a JSON or YAML text. */
function linesOf(text: string): (path: readonly (string | number)[]) => number {
  const reading = readYaml(text);
  const positionAt = positionsOf(text);
  return (path) => (reading.ok && path.length > 0 ? lineOfPath(reading.root, path, positionAt) : 1);
}

/** What the flow itself reports. Tools that are written with it are not there yet. */
function flowProblems(
  documents: ReadonlyMap<string, FlowDocument>,
  target: string,
  relativePath: (path: string) => string,
  folder: string,
  settings: WorkspaceSettings,
): ImportProblem[] {
  const overlay = new Map([...documents].map(([path, document]) => [relativePath(path), JSON.stringify(document)]));
  const text = overlay.get(relativePath(target)) ?? '';
  const loaded = loadFlowText(text, relativePath(target), { folder, settings, trusted: true, overlay });
  return loaded.problems
    .filter(({ code, message }) => !(code === 'unknown_tool' && message.includes('py:')))
    .map(({ code, severity, message }) => ({ code, severity, message, path: '', line: 1 }));
}
