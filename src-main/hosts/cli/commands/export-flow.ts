import { resolve } from 'node:path';
import { exitCodes, UsageError, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { printReport } from '#main/hosts/cli/output/problems-output.ts';
import { printLine } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { fileFailure } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import type { DiagramFormat } from '#main/platform/write-diagram.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { validationReport } from '#shared/flow/validation-report.ts';
import { agentCard } from '#shared/pyflow/agent-card.ts';

export interface ExportFlowOptions {
  readonly folder?: string;
  readonly out?: string;
  readonly url?: string;
  readonly format: 'a2a-card' | DiagramFormat;
  readonly depth?: number;
  readonly check?: string;
  readonly write?: string;
}

/** `pravah export`: an agent card, a diagram, or the diagrams of a Markdown file. */
export async function exportFlow(flow: string | undefined, options: ExportFlowOptions): Promise<number> {
  const { check, write, format } = options;
  const file = check ?? write;
  if (file !== undefined && (flow !== undefined || (check !== undefined && write !== undefined)))
    throw new UsageError('Pass a flow, --check FILE.md or --write FILE.md, and only one of them.');
  if (file !== undefined) {
    const { markdownDiagrams } = await import('./export-diagram.ts');
    return markdownDiagrams(file, check === undefined ? 'write' : 'check', options);
  }
  if (flow === undefined) throw new UsageError('Pass the flow to export, or --check FILE.md or --write FILE.md.');
  if (format === 'a2a-card') return exportCard(flow, options);
  const { exportDiagram } = await import('./export-diagram.ts');
  return exportDiagram(flow, format, options);
}

/** `pravah export FLOW --format a2a-card`: prints or writes the agent card of an imported workflow, or of a `workflow.yaml`. */
async function exportCard(flow: string, { folder: given, out, url = 'http://127.0.0.1:8000/' }: ExportFlowOptions): Promise<number> {
  if (!URL.canParse(url)) throw new UsageError(`--url needs a web address, not ${JSON.stringify(url)}.`);
  const folder = await chooseWorkspace(given, flow);
  const loaded = await openFlow(resolve(flow), { folder, trusted: await isTrusted(folder), settings: await loadSettings(folder) });
  const { document } = parseFlow(loaded.text, loaded.path);
  if (!document) {
    printReport(validationReport(loaded), false);
    return usageExitCode;
  }
  const card = agentCard(document, url);
  if (!card)
    throw new UsageError(`${flow} has no agent card: only workflows with an "a2a" section have one, and flows imported from them.`);
  const text = `${JSON.stringify(card, null, 2)}\n`;
  if (out === undefined) printLine(text.trimEnd());
  else {
    await replaceFile(resolve(out), text).catch((error: unknown) => {
      throw fileFailure('could not be written', out, error);
    });
    printLine(`written  ${out}`);
  }
  return exitCodes.success;
}
