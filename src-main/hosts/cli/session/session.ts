import { randomUUID } from 'node:crypto';
import { type ConsentOptions, commandRule, trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { namesIn } from '#main/hosts/cli/output/names-in.ts';
import { eventPrinter } from '#main/hosts/cli/output/run-output.ts';
import { printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { commandThread } from '#main/hosts/cli/thread/command-thread.ts';
import type { DrivenRun } from '#main/hosts/cli/thread/messages.ts';
import type { Journal } from '#main/journal/journal.ts';
import { type DriveResult, endStream } from '#main/runner/drive-result.ts';
import { createRunEnvironment } from '#main/runner/run-environment.ts';
import type { ExecutorOptions, RunExecutor } from '#main/runner/run-executor.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { toTransferable } from '#shared/run/error.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';

export interface SessionOptions extends ConsentOptions {
  readonly json: boolean;
  readonly record?: string;
  /** `live`: the events of nodes that work ahead are printed, too, as they happen. */
  readonly order?: 'record' | 'live';
}

/** What a command needs to drive a run. Dispose of it to stop what the run's tools have started; otherwise the process does not exit. */
export type CommandSession = ExecutorOptions &
  AsyncDisposable & {
    /** What another thread needs to take a run of this session over. */
    readonly description: Omit<DrivenRun, 'run_id'>;
  };

/** What a command needs to drive a run of a folder. Naming the run on the command line is the consent to what the flow does inside the folder. */
export async function executorOptions(
  folder: string,
  journal: Journal,
  settings: WorkspaceSettings,
  options: SessionOptions,
): Promise<CommandSession> {
  if (options.order === 'live' && !options.json)
    throw new UsageError('--order live needs --json: lines of several nodes cannot be told apart.');
  const trusted = await trustOf(folder, options);
  const environment = await createRunEnvironment({
    folder,
    settings,
    consented: true,
    trusted,
    allow_commands: options.allowCommand.map(commandRule),
    allow_hosts: options.allowHost,
  });
  const token = randomUUID();
  const { json, allowCommand, allowHost, record, order } = options;
  const asked = { json, allow_commands: allowCommand, allow_hosts: allowHost, ...(record !== undefined && { record }) };
  return {
    ...environment.executorOptions,
    journal,
    ...(commandThread && {
      context: { ...environment.context, stopRequested: () => commandThread?.stopRequested === true },
      bodies: commandThread.bodies,
    }),
    description: { folder, journal_path: journal.path, token, ...asked },
    token,
    onEvent: eventPrinter(options.json, namesIn(journal)),
    ...(order === 'live' && { onAhead: (event: AheadEvent) => printLine(JSON.stringify(event)) }),
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
}

/**
 * Calls `act` with the executor of a run and returns the exit code. Ctrl+C cancels the run. A refusal is printed like a failure, as the
 * last line; it means that nothing was changed.
 */
export async function drive(
  executor: RunExecutor,
  session: CommandSession,
  act: (executor: RunExecutor) => Promise<DriveResult>,
): Promise<number> {
  const { description } = session;
  const forget = onInterrupt(() => {
    executor.cancel().catch(() => undefined);
  });
  commandThread?.reportRun({ ...description, run_id: executor.runId });
  try {
    const stop = await act(executor);
    return exitCodes[stop.status];
  } catch (error) {
    return printRefusal(error, executor.runId, description.json, statesOf(executor));
  } finally {
    commandThread?.reportRun(null);
    forget();
    executor.close();
  }
}

/** Calls `interrupt` once when the user asks the command to stop. Returns an unsubscribe function. */
export function onInterrupt(interrupt: () => void): () => void {
  if (commandThread) return commandThread.onInterrupt(interrupt);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  return () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
}

/** Runs a command and prints what it throws as a failure that changed nothing, except `UsageError`s, which are rethrown. */
export async function printingRefusals(runId: string, json: boolean, command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return printRefusal(error, runId, json);
  }
}

/** Prints why a command did nothing: an `end_stream` with `--json`, else a line. Returns the exit code. */
function printRefusal(error: unknown, runId: string, json: boolean, states: DriveResult['states'] = []): number {
  const end = endStream({ status: 'error', error: toTransferable(error), states, duration_ms: 0, tokens: 0, stop: null });
  eventPrinter(json)({ run_id: runId, seq: 0, timestamp: Date.now(), ...end } as RunEvent);
  return exitCodes.error;
}

/** Returns the states of a run that could not continue; empty if its journal can't be read. */
function statesOf(executor: RunExecutor): DriveResult['states'] {
  try {
    return executor.states();
  } catch {
    return [];
  }
}

/** Prints where runs are stored if that is not the folder's own journal. */
export function printNotice(notice: string | null): void {
  if (notice) printNote(notice);
}
