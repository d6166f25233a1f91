import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DebuggedRun, DebugSession, HoldWatch } from '#main/hosts/cli/debugger/debug-session.ts';
import { LineInput } from '#main/hosts/cli/debugger/line-input.ts';
import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, UsageError, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { namesIn } from '#main/hosts/cli/output/names-in.ts';
import { printReport } from '#main/hosts/cli/output/problems-output.ts';
import { eventPrinter } from '#main/hosts/cli/output/run-output.ts';
import { printNote, printPrompt } from '#main/hosts/cli/output/terminal.ts';
import { breakpointsOf } from '#main/hosts/cli/session/breakpoint-options.ts';
import { executorOptions, printNotice } from '#main/hosts/cli/session/session.ts';
import { suppliedOf } from '#main/hosts/cli/session/supply-options.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, journalOf, openWorkspaceJournals, type WorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { type ExecutorOptions, RunExecutor } from '#main/runner/run-executor.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import { isFlowFile } from '#shared/flow/flow-file.ts';
import { validationReport } from '#shared/flow/validation-report.ts';
import { toTransferable } from '#shared/run/error.ts';
import { inputOf, type RunOptions } from './run.ts';

/** `pravah debug FLOW|RUN`: a line debugger. Commands come from a terminal or a pipe; at their end the run stays as it is. */
export async function debug(target: string, options: RunOptions): Promise<number> {
  const isFlow = isFlowFile(target) && statSync(target, { throwIfNoEntry: false }) !== undefined;
  const folder = await chooseWorkspace(options.folder, ...(isFlow ? [target] : []));
  const settings = await loadSettings(folder);
  const journals = await openWorkspaceJournals(folder);
  try {
    printNotice(journals.notice);
    const journal = isFlow ? journals.main : journalOf(journals, target);
    await using resources = await executorOptions(folder, journal, settings, { ...options, json: false });
    const holds = new HoldWatch();
    const session = {
      ...resources,
      onHold: holds.onHold,
      ...(options.hold !== undefined && { holdSeconds: options.hold }),
      onEvent: eventPrinter(false, { ...namesIn(journal), advice: false }),
    };
    const executor = isFlow ? await start(target, folder, settings, session, options) : RunExecutor.open(session, target);
    if (!executor) return usageExitCode;
    const row = journal.row(executor.runId);
    const tools = session.context.tools;
    executor.setSupplied(await suppliedOf(options, { graph: journal.graphOf(row), path: row.flow_path, folder, tools }));
    const breakpoints = await breakpointsOf({ ...options, breakpoints: true }, journal.graphOf(row), row.flow_path, folder, true);
    const debugging = new DebugSession({ journal, executor }, breakpoints, {
      holds,
      prices: await readPrices(folder, settings),
      fork: (run, seq) => forked(run, seq, folder, journals, session),
    });
    return await converse(debugging);
  } finally {
    closeJournals(journals);
  }
}

/** Starts a run; null, with its problems printed, for a flow with errors. */
async function start(
  flow: string,
  folder: string,
  settings: WorkspaceSettings,
  session: ExecutorOptions,
  options: RunOptions,
): Promise<RunExecutor | null> {
  const loaded = await openFlow(resolve(flow), { folder, settings, trusted: await trustOf(folder, options) });
  if (!loaded.graph) {
    printReport(validationReport(loaded), false);
    return null;
  }
  const { graph, path: flow_path, text: flow_text, sources } = loaded;
  return RunExecutor.start(session, { graph, flow_path, flow_text, sources, input: inputOf(options, graph) });
}

async function forked(
  { journal, executor }: DebuggedRun,
  seq: number,
  folder: string,
  { main }: WorkspaceJournals,
  session: ExecutorOptions,
): Promise<DebuggedRun> {
  const request = { run_id: executor.runId, seq, states: [], drop: [], flow: 'recorded' as const };
  const runId = makeFork(main, await planFork(journal, request, await historyOptions(folder)), uuidV7(), Date.now());
  return { journal: main, executor: RunExecutor.open({ ...session, journal: main }, runId) };
}

/** Performs commands until `q` or the end of the input. */
async function converse(session: DebugSession): Promise<number> {
  using input = new LineInput();
  session.printStop();
  for (let goesOn = true; goesOn; ) {
    printPrompt('debug (help) > ');
    const line = await input.next();
    if (line === null) break;
    try {
      goesOn = await session.perform(line);
    } catch (error) {
      if (error instanceof UsageError) printNote(error.message);
      else {
        const { variant, message } = toTransferable(error);
        printNote(variant === 'Invalid' ? message : `${variant}  ${message}`);
      }
    }
  }
  await session.end();
  session.run.executor.close();
  return exitCodes[session.status];
}
