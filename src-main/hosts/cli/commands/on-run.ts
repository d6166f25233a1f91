import type { ConsentOptions } from '#main/hosts/cli/options/consent.ts';
import { readJsonArgument } from '#main/hosts/cli/options/json-argument.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { type BreakpointOptions, breakpointsOf } from '#main/hosts/cli/session/breakpoint-options.ts';
import { recordScripts } from '#main/hosts/cli/session/record-scripts.ts';
import { drive, executorOptions, printingRefusals } from '#main/hosts/cli/session/session.ts';
import { type SupplyOptions, suppliedOf } from '#main/hosts/cli/session/supply-options.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, journalOf, openExistingJournals } from '#main/journal/workspace-journals.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { loadSettings } from '#main/workspace/settings.ts';

export interface OnRunOptions extends ConsentOptions, BreakpointOptions, SupplyOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly record?: string;
}

/** Opens a recorded run and calls `act` with its executor. */
async function onRun(runId: string, options: OnRunOptions, act: (executor: RunExecutor) => Promise<DriveResult>): Promise<number> {
  const json = options.json ?? false;
  const folder = await chooseWorkspace(options.folder);
  const settings = await loadSettings(folder);
  return printingRefusals(runId, json, async () => {
    const journals = await openExistingJournals(folder);
    try {
      const journal = journalOf(journals, runId);
      await using session = await executorOptions(folder, journal, settings, { ...options, json });
      const row = journal.row(runId);
      if (journal.runOriginOf(row)?.copy)
        printNote('This variant of a matrix ran in a copy of the folder. It continues in the folder itself.');
      const [graph, path] = [journal.graphOf(row), row.flow_path];
      const breakpoints = await breakpointsOf(options, graph, path, folder);
      const supplied = await suppliedOf(options, { graph, path, folder, tools: session.context.tools });
      const executor = RunExecutor.open({ ...session, breakpoints, supplied }, runId);
      const code = await drive(executor, session, act);
      if (options.record) recordScripts(journal, runId, options.record);
      return code;
    } finally {
      closeJournals(journals);
    }
  });
}

/** `pravah step RUN`: executes N transitions. */
export function step(runId: string, options: OnRunOptions & { readonly count?: number }): Promise<number> {
  return onRun(runId, options, (executor) => executor.continue(options.count ?? 1));
}

/** `pravah continue RUN`: continues a run until it ends, suspends or reaches `--max-steps`. */
export function continueRun(runId: string, options: OnRunOptions & { readonly maxSteps?: number }): Promise<number> {
  return onRun(runId, options, (executor) => executor.continue(options.maxSteps));
}

export interface ResumeCommandOptions extends OnRunOptions {
  readonly toolId: string;
  readonly call?: string;
  readonly payload: string;
  readonly maxSteps?: number;
}

/** `pravah resume RUN`: answers a pending call and continues the run. */
export function resume(runId: string, options: ResumeCommandOptions): Promise<number> {
  const payload = readJsonArgument(options.payload, '--payload');
  return onRun(runId, options, (executor) =>
    executor.resume(options.toolId, payload, { tool_call_id: options.call, then_continue: true, max_steps: options.maxSteps }),
  );
}
