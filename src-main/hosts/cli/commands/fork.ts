import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readJsonArgument } from '#main/hosts/cli/options/json-argument.ts';
import { printDivergence } from '#main/hosts/cli/output/history-output.ts';
import { countOf, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { drive, executorOptions, printingRefusals, printNotice } from '#main/hosts/cli/session/session.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import type { Journal } from '#main/journal/journal.ts';
import { closeJournals, openWorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { firstDifference } from '#main/time-travel/first-difference.ts';
import { makeFork, type PlannedFork, planFork } from '#main/time-travel/fork.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import type { FirstDifference, ForkCheck, ForkOrigin, ForkRequest } from '#shared/contract/time-travel.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { OnRunOptions } from './on-run.ts';

export interface ForkCommandOptions extends OnRunOptions {
  readonly step: number;
  readonly set: readonly string[];
  readonly drop: readonly string[];
  readonly currentFlow?: boolean;
  readonly check?: boolean;
  readonly run?: boolean;
}

/** `pravah fork RUN --step N`: creates a paused run from a step of another run; `--run` continues it. */
export async function fork(runId: string, options: ForkCommandOptions): Promise<number> {
  const json = options.json ?? false;
  const states = options.set.map(editedState);
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(runId, json, async () => {
    await trustOf(folder, options);
    const history = await historyOptions(folder);
    const journals = await openWorkspaceJournals(folder);
    try {
      const source = await runSource(journals, runId);
      const flow = options.currentFlow ? 'current' : 'recorded';
      const request: ForkRequest = { run_id: source.runId, seq: options.step, states, drop: [...options.drop], flow };
      const planned = await planFork(source.journal, request, history);
      if (options.check) return printCheck(await withPast(source.journal, request, planned), json);
      printNotice(journals.notice);
      const forkId = makeFork(journals.main, planned, uuidV7(), Date.now());
      printFork(forkId, { run_id: source.runId, seq: options.step }, planned.check, options);
      if (!options.run) return exitCodes.success;
      await using session = await executorOptions(folder, journals.main, history.settings, { ...options, json });
      return await drive(RunExecutor.open(session, forkId), session, (executor) => executor.continue());
    } finally {
      closeJournals(journals);
    }
  });
}

/** A value of `--set`: `NAME=JSON`, `NAME=@FILE` or `NAME=-`. */
function editedState(text: string): NamedState {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`Invalid --set value "${text}": use NAME=JSON, NAME=@FILE or NAME=-.`);
  const name = text.slice(0, at);
  return { name, value: readJsonArgument(text.slice(at + 1), `--set ${name}`) };
}

/** Adds how far a replay with another version of the flow agrees with the run. */
async function withPast(journal: Journal, { run_id, seq, flow }: ForkRequest, { check, run }: PlannedFork): Promise<ForkCheck> {
  if (flow === 'recorded') return check;
  return { ...check, first_difference: await firstDifference(journal, { run_id, seq, graph: run.graph }) };
}

function printCheck(check: ForkCheck, json: boolean): number {
  if (json) printLine(JSON.stringify(check));
  else {
    for (const { path, message } of check.misfits) printLine(`invalid  ${path || '/'}\n       ${message}`);
    for (const note of check.notes) printNote(note);
    if (check.first_difference) printPast(check.first_difference);
    if (check.misfits.length === 0) printLine(check.next ? `fits; next: ${check.next}` : 'fits');
  }
  return check.misfits.length === 0 ? exitCodes.success : exitCodes.error;
}

function printPast({ same, of, divergence }: FirstDifference): void {
  if (of === 0) return;
  if (!divergence) printLine(`${countOf(same, 'step')} before the fork: same result with the current flow`);
  else {
    printLine(`${same} of ${countOf(of, 'step')} before the fork: same result with the current flow; step ${divergence.seq} differs`);
    printDivergence(divergence);
  }
}

function printFork(
  runId: string,
  forked_from: ForkOrigin,
  { notes, flow_changed, next }: ForkCheck,
  { json, run }: ForkCommandOptions,
): void {
  if (json) {
    printLine(JSON.stringify({ run_id: runId, forked_from, flow_changed, notes, next }));
    return;
  }
  printLine(`${runId}  forked from ${forked_from.run_id} at step ${forked_from.seq}`);
  for (const note of notes) printNote(note);
  if (!run) printNote(`Continue with: pravah continue ${runId}`);
}
