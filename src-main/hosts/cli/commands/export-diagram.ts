import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { exitCodes, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { printReport } from '#main/hosts/cli/output/problems-output.ts';
import { printLine } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { fileFailure } from '#main/platform/file-failure.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { type DiagramFormat, writeDiagram } from '#main/platform/write-diagram.ts';
import { loadFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import { mermaidBlocks, withMermaidBlocks } from '#shared/flow/diagram/markdown-blocks.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { validationReport } from '#shared/flow/validation-report.ts';

interface DiagramCommandOptions {
  readonly folder?: string;
  readonly out?: string;
  readonly depth?: number;
}

/** `pravah export FLOW --format mermaid|dot|svg`: prints or writes the diagram of a flow. */
export async function exportDiagram(flow: string, format: DiagramFormat, { folder, out, depth }: DiagramCommandOptions): Promise<number> {
  const graph = await graphOf(flow, folder);
  if (!graph) return usageExitCode;
  const text = await writeDiagram(graph, format, depth === undefined ? {} : { depth });
  if (out === undefined) printLine(text.trimEnd());
  else {
    await replace(out, text);
    printLine(`written  ${out}`);
  }
  return exitCodes.success;
}

/**
 * `pravah export --check FILE.md`, `--write FILE.md`: compares or replaces the Mermaid blocks that follow `<!-- pravah: FLOW -->`. FLOW is relative to the
 * file. Returns the exit code of an invalid flow if a compared block is stale.
 */
export async function markdownDiagrams(file: string, mode: 'check' | 'write', { folder, depth }: DiagramCommandOptions): Promise<number> {
  const markdown = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
    throw fileFailure('could not be read', file, error);
  });
  const diagrams = new Map<string, string>();
  for (const { flow } of mermaidBlocks(markdown)) {
    if (diagrams.has(flow)) continue;
    const graph = await graphOf(resolve(dirname(file), flow), folder);
    if (!graph) return usageExitCode;
    diagrams.set(flow, await writeDiagram(graph, 'mermaid', depth === undefined ? {} : { depth }));
  }
  const stale = mermaidBlocks(markdown).filter(({ flow, text }) => text !== diagrams.get(flow));
  if (mode === 'check') {
    for (const { flow, line } of stale) printLine(`stale  ${file}:${line}: the diagram of ${flow}. Run pravah export --write ${file}.`);
    if (stale.length === 0) printLine(`up to date  ${file} (${diagrams.size === 1 ? '1 diagram' : `${diagrams.size} diagrams`})`);
    return stale.length === 0 ? exitCodes.success : usageExitCode;
  }
  if (stale.length > 0) await replace(file, withMermaidBlocks(markdown, diagrams));
  printLine(`written  ${file} (${stale.length} changed)`);
  return exitCodes.success;
}

/** The graph of a flow without errors. Prints its problems and returns null if it has any. */
async function graphOf(flow: string, given: string | undefined): Promise<FlowGraph | null> {
  const folder = await chooseWorkspace(given, flow);
  const loaded = await loadFlow(resolve(flow), { folder, trusted: await isTrusted(folder), settings: await loadSettings(folder) });
  if (!loaded.graph) printReport(validationReport(loaded), false);
  return loaded.graph ?? null;
}

const replace = (file: string, text: string) =>
  replaceFile(resolve(file), text).catch((error: unknown) => {
    throw fileFailure('could not be written', file, error);
  });
