import { statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCodes, UsageError, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { countOf, printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { importForeign, recogniseForeign } from '#main/workspace/import-foreign.ts';
import { importWorkflow } from '#main/workspace/import-workflow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { ImportReport } from '#shared/contract/flows.ts';
import { toTransferable } from '#shared/run/error.ts';

export interface ImportCommandOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly out?: string;
  readonly dialect?: 'seed' | 'latest';
  readonly unattended?: boolean;
  readonly update?: boolean;
}

/** `pravah import FILE`: turns a PyFlow workflow, or an export of another tool, into a flow. A folder: all PyFlow workflows of its agents. */
export async function importFile(file: string, options: ImportCommandOptions): Promise<number> {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && options.out !== undefined)
    throw new UsageError('--out names one flow, but this is a folder. Import one workflow, or leave --out away.');
  const files = isFolder ? await workflowsBelow(file) : [file];
  if (files.length === 0) throw new UsageError(`There is no agents/*/workflow.yaml below ${file}.`);
  let code: number = exitCodes.success;
  for (const each of files) code = Math.max(code, await importOne(each, options));
  return code;
}

async function workflowsBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob('**/agents/*/workflow.yaml', { cwd: folder, exclude: (name) => name === 'node_modules' }))
    found.push(join(folder, path));
  return found.sort();
}

async function importOne(
  file: string,
  { out, dialect, unattended = false, update = false, json = false, folder: given }: ImportCommandOptions,
): Promise<number> {
  const folder = await chooseWorkspace(given, file);
  const settings = await loadSettings(folder);
  const flow = out === undefined ? {} : { out: resolve(out) };
  try {
    const source = recogniseForeign(resolve(file));
    if (source !== null && (update || unattended))
      throw new UsageError(
        `${update ? '--update' : '--unattended'} is for PyFlow workflows. Import into another file with --out, and compare.`,
      );
    const report =
      source === null
        ? await importWorkflow(resolve(file), { folder, settings, unattended, update, ...(dialect && { dialect }), ...flow })
        : await importForeign(resolve(file), source, { folder, settings, ...flow });
    if (json) printLine(JSON.stringify(report));
    else printImport(file, report);
    return report.flow === null ? usageExitCode : exitCodes.success;
  } catch (error) {
    const failure = toTransferable(error);
    if (failure.variant !== 'Conflict') throw error;
    if (json) printLine(JSON.stringify({ flow: null, files: [], problems: [], error: failure }));
    printNote(`${failure.variant}  ${failure.message}`);
    return exitCodes.error;
  }
}

function printImport(file: string, { flow, files, problems }: ImportReport): void {
  for (const { severity, code, path, line, message } of problems) {
    const label = severity === 'error' ? styled('red', 'error') : styled('yellow', 'warning');
    printLine(`${label}  ${code}  ${file}:${line}  ${path || '/'}\n       ${message}`);
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  for (const written of files) printLine(`${styled('green', 'written')}  ${written}`);
  const counts = `${countOf(errors, 'error')}, ${countOf(problems.length - errors, 'warning')}`;
  printLine(flow === null ? `${styled('red', 'not imported')}  ${counts}` : `${styled('green', 'imported')}  ${counts}`);
}
