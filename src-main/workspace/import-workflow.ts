import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileFailure } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { startPython } from '#main/python/start-python.ts';
import type { ImportConflict, ImportReport } from '#shared/contract/flows.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { toJson } from '#shared/json.ts';
import type { CompiledFlow, CompiledWorkflow } from '#shared/pyflow/compile-workflow.ts';
import type { ImportProblem } from '#shared/pyflow/import-problem.ts';
import type { PyflowProject } from '#shared/pyflow/project.ts';
import { readWorkflow } from '#shared/pyflow/read-workflow.ts';
import { updateImport } from '#shared/pyflow/update-import.ts';
import { FlowError } from '#shared/run/error.ts';
import { checkFunctions } from './check-functions.ts';
import { compileWorkflowText } from './compile-workflow-text.ts';
import { loadCompiledFlow } from './flow-loader.ts';
import { documentText, readImportText } from './import-texts.ts';
import { workflowProblems } from './load-workflow.ts';
import { readDotEnv } from './secrets.ts';
import { pythonOptions, type WorkspaceSettings } from './settings.ts';
import { isTrusted } from './trust.ts';
import { agentFlowPath, sha256 } from './workflow-file.ts';
import { workflowProject } from './workflow-project.ts';

export interface ImportWorkflowOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly settings: WorkspaceSettings;
  /** Absolute path of the flow. Default: `NAME.flow.yaml` beside the workflow. */
  readonly out?: string;
  /** Agents' tools that write do not ask. Counts in a trusted folder only. */
  readonly unattended: boolean;
  /** The version of PyFlow whose rules apply. Default: that of the workflow's project. */
  readonly dialect?: PyflowProject['dialect'];
  /** Whether an earlier import is brought up to date. */
  readonly update: boolean;
}

/**
 * Imports a PyFlow workflow: writes its flow, and one more for each agent that is called as a tool. With an error nothing is written. Throws `FlowError`
 * `Conflict` for an existing file that is not this import, or is one of another version of the workflow (unless `update`).
 */
export async function importWorkflow(file: string, options: ImportWorkflowOptions): Promise<ImportReport> {
  const { folder, settings, unattended, dialect } = options;
  const text = readImportText(file);
  const reading = readWorkflow(text);
  const name = reading.workflow?.name ?? '';
  const out = options.out ?? join(dirname(file), `${name.replace(/[^\p{L}\p{N}_.-]/gu, '_') || 'workflow'}.flow.yaml`);
  const path = relative(folder, resolve(out)).split(sep).join('/');
  const compiled = compileWorkflowText(
    text,
    { source: relativeSource(out, file), flow: path },
    { unattended, project: workflowProject(folder, path, settings, dialect) },
    reading,
  );
  const problems = [...compiled.problems, ...flowProblems(compiled, path, folder, settings)];
  if (!compiled.flow || problems.some(({ severity }) => severity === 'error')) return { flow: null, files: [], problems };
  problems.push(...(await functionProblems(compiled.flow, compiled.lineOf, path, folder, settings)));
  const documents = new Map([[path, compiled.flow.document]]);
  for (const [agent, { document }] of compiled.tools) documents.set(agentFlowPath(path, agent), document);
  const conflicts: ImportConflict[] = [];
  const texts = [...documents].map(
    ([at, document]) =>
      [at, textFor(join(folder, at), document, options, problems, (found) => conflicts.push({ flow: at, ...found }))] as const,
  );
  for (const [at, content] of texts) {
    await replaceFile(join(folder, at), content).catch((error: unknown) => {
      throw fileFailure('could not be written', at, error);
    });
  }
  return { flow: path, files: texts.map(([at]) => at), problems, ...(conflicts.length > 0 && { conflicts }) };
}

/** What importing the Python modules of a trusted folder finds out. */
async function functionProblems(
  flow: CompiledFlow,
  lineOf: CompiledWorkflow['lineOf'],
  path: string,
  folder: string,
  settings: WorkspaceSettings,
): Promise<ImportProblem[]> {
  if (!(await isTrusted(folder))) return [];
  const python = startPython({ folder, ...pythonOptions(settings), dotEnv: await readDotEnv(folder) });
  try {
    return await checkFunctions(python, flow, path, lineOf);
  } finally {
    python.close();
  }
}

function relativeSource(out: string, file: string): string {
  return relative(dirname(out), file).split(sep).join('/');
}

/** What the flow itself reports, at the workflow's paths. */
function flowProblems(
  { flow, tools, lineOf }: CompiledWorkflow,
  path: string,
  folder: string,
  settings: WorkspaceSettings,
): ImportProblem[] {
  if (!flow) return [];
  const overlay = new Map([...tools].map(([agent, { document }]) => [agentFlowPath(path, agent), JSON.stringify(document)]));
  const loaded = loadCompiledFlow(flow.document, path, { folder, settings, trusted: true, overlay });
  return workflowProblems(loaded.problems, flow.origins).map(({ code, severity, message, path: at }) => ({
    code,
    severity,
    message,
    path: at,
    line: lineOf(at),
  }));
}

/** The text to write. Throws `Conflict` where a file of another origin, or a changed import, would be lost. */
function textFor(
  file: string,
  document: FlowDocument,
  { update }: ImportWorkflowOptions,
  problems: ImportProblem[],
  onConflict: (found: Omit<ImportConflict, 'flow'>) => void,
): string {
  if (!existsSync(file)) return documentText(file, document);
  const before = readDocument(file);
  const record = before?.pyflow;
  if (!before || !record || record.source !== document.pyflow?.source)
    throw conflict(file, 'exists and was not imported from this workflow. Choose another file with --out.');
  if (!update) {
    if (record.hash === document.pyflow.hash) return readImportText(file);
    throw conflict(
      file,
      'was imported from an earlier version of this workflow. Use --update to bring it up to date, or “Update” above its canvas.',
    );
  }
  const { document: updated, conflicts } = updateImport(before, document, sha256);
  for (const { node, here, there } of conflicts) {
    onConflict({ node, here: toJson(here), there: toJson(there) });
    const message = `The node "${node}" of ${basename(file)} was edited there and is kept, although the workflow changed it too.`;
    problems.push({ code: 'pyflow_departs', severity: 'warning', message, path: '', line: 1 });
  }
  return documentText(file, updated);
}

function readDocument(file: string): FlowDocument | null {
  return parseFlow(readImportText(file), file).document;
}

function conflict(file: string, why: string): FlowError {
  return new FlowError('Conflict', `${basename(file)} ${why}`);
}
