import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { type ConsentOptions, commandRule, trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { type VariantOptions, variantsOf } from '#main/hosts/cli/options/variants.ts';
import { printMatrix } from '#main/hosts/cli/output/matrix-output.ts';
import { countOf, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { runSource } from '#main/hosts/cli/session/run-source.ts';
import { onInterrupt, printingRefusals, printNotice } from '#main/hosts/cli/session/session.ts';
import { type SupplyOptions, suppliedOf } from '#main/hosts/cli/session/supply-options.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import type { Journal } from '#main/journal/journal.ts';
import { closeJournals, openWorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { atOnce } from '#main/matrix/at-once.ts';
import { matrixOf } from '#main/matrix/matrix-rows.ts';
import { makeMatrix, planMatrix } from '#main/matrix/plan-matrix.ts';
import { writersOf } from '#main/matrix/writing-tools.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { copyFolder } from '#main/platform/files/copy-folder.ts';
import { createRunEnvironment, type RunEnvironmentOptions } from '#main/runner/run-environment.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import { type Matrix, type MatrixCheck, type MatrixRequest, variantsAtOnce } from '#shared/contract/matrix.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import { FlowError } from '#shared/run/error.ts';

export interface MatrixOptions extends VariantOptions, ConsentOptions, SupplyOptions {
  readonly folder?: string;
  readonly json?: boolean;
  /** Absent with `resume`. */
  readonly step?: number;
  readonly resume?: boolean;
  readonly yes?: boolean;
}

/** `pravah matrix RUN --step N`: runs variants of a run from one of its steps, and prints how they differ. With `--resume`, RUN is a variant: runs those of its matrix that have not finished. */
export async function matrix(source: string, options: MatrixOptions): Promise<number> {
  const json = options.json ?? false;
  const { step, resume = false } = options;
  if (resume === (step !== undefined)) throw new UsageError('Use either --step N, to run variants of a run, or --resume.');
  const variants = resume ? [] : variantsOf(options);
  const folder = await chooseWorkspace(options.folder);
  return printingRefusals(source, json, async () => {
    await trustOf(folder, options);
    const history = await historyOptions(folder);
    const journals = await openWorkspaceJournals(folder);
    try {
      const { journal, runId } = await runSource(journals, source);
      const environment: RunEnvironmentOptions = {
        folder,
        settings: history.settings,
        trusted: history.trusted,
        consented: true,
        allow_commands: options.allowCommand.map(commandRule),
        allow_hosts: options.allowHost,
      };
      const row = journal.row(runId);
      const supplied = await suppliedOfCommand(options, environment, { graph: journal.graphOf(row), path: row.flow_path, folder });
      printNotice(journals.notice);
      const request = { run_id: runId, seq: step ?? 0, variants };
      const started = resume
        ? unfinished(journals.main, runId, supplied)
        : await newMatrix(journal, journals.main, request, { ...history, supplied }, options);
      const { group, run_ids, copies } = started;
      await driveAll(run_ids, { journal: journals.main, environment, supplied, copies });
      const prices = await readPrices(folder);
      const original = (id: string) => (journals.main.has(id) ? journals.main : journal.has(id) ? journal : null);
      const result = matrixOf({ variants: journals.main, original }, group, prices, Date.now());
      if (json) printLine(JSON.stringify(result));
      else printMatrix(result);
      return exitCodeOf(result);
    } finally {
      closeJournals(journals);
    }
  });
}

/** The runs of a matrix that are to be driven. */
interface StartedMatrix {
  readonly group: string;
  readonly run_ids: readonly string[];
  /** Whether each runs in a copy of the folder. */
  readonly copies: boolean;
}

async function newMatrix(
  journal: Journal,
  main: Journal,
  request: MatrixRequest,
  planning: Parameters<typeof planMatrix>[2],
  options: MatrixOptions,
): Promise<StartedMatrix> {
  const planned = await planMatrix(journal, request, planning);
  await confirm(planned.check, options);
  return { ...makeMatrix(main, planned, Date.now()), copies: planned.check.copy !== null };
}

/** Finds the variants of a matrix that have not finished. Throws `UsageError` if they would write to the folder itself. */
function unfinished(journal: Journal, runId: string, supplied: readonly Supplied[]): StartedMatrix {
  const origin = journal.has(runId) ? journal.runOriginOf(journal.row(runId)) : null;
  if (origin?.group === undefined)
    throw new UsageError(`Run ${runId} is not a variant of a matrix. Choose one of its variants from: pravah runs`);
  const { group, copy = false } = origin;
  const rows = journal.rowsOfGroup(group).filter(({ status }) => status === 'paused' || status === 'running');
  const writes = copy ? [] : [...new Set(rows.flatMap((row) => writersOf(journal.graphOf(row), supplied).writes))];
  if (writes.length > 0)
    throw new UsageError(
      `These variants would change files of the folder (${writes.join(', ')}). Repeat the --mock options of the first call.`,
    );
  return { group, run_ids: rows.map(({ run_id }) => run_id), copies: copy };
}

async function suppliedOfCommand(
  options: SupplyOptions,
  environment: RunEnvironmentOptions,
  flow: Omit<Parameters<typeof suppliedOf>[1], 'tools'>,
): Promise<Supplied[]> {
  if (!options.mock?.length && !options.supplied) return [];
  await using opened = await createRunEnvironment(environment);
  return suppliedOf(options, { ...flow, tools: opened.context.tools });
}

/** Says what the variants may use, and asks once. Without a terminal, `--yes` has to answer. */
async function confirm({ variants, estimate, writes, outside, copy }: MatrixCheck, { yes, json }: MatrixOptions): Promise<void> {
  const { tokens, calls, cost } = estimate;
  const price = cost === null ? '' : `, cost about ${cost.toPrecision(3)}`;
  const used =
    calls === 0
      ? 'The run called no model after this step, so their cost is unknown.'
      : `As many as the run itself would be ${countOf(calls, 'model call')} and ${tokens} tokens${price}.`;
  const note = json ? () => {} : printNote;
  note(`${countOf(variants.length, 'variant')}, ${variantsAtOnce} at a time. ${used}`);
  if (copy) note(`Each runs in a copy of the folder (${countOf(copy.files, 'file')}), because of: ${writes.join(', ')}.`);
  if (outside.length > 0) note(`They can also change things outside the folder: ${outside.join(', ')}. Mock these with --mock FILE.`);
  for (const { name, notes } of variants) for (const text of notes) note(`${name}: ${text}`);
  if (yes) return;
  if (!process.stdin.isTTY || json) throw new UsageError('Add --yes to run these variants.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question('Run them? [y/N] ').finally(() => reader.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was run.');
}

interface VariantDrive {
  readonly journal: Journal;
  readonly environment: RunEnvironmentOptions;
  readonly supplied: readonly Supplied[];
  /** Whether each runs in a copy of the folder. */
  readonly copies: boolean;
}

/** Runs the variants, some at a time. Ctrl+C cancels those that run, and leaves the others paused. */
async function driveAll(runIds: readonly string[], { journal, environment, supplied, copies }: VariantDrive): Promise<void> {
  const running = new Set<RunExecutor>();
  let interrupted = false;
  const forget = onInterrupt(() => {
    interrupted = true;
    for (const executor of running) executor.cancel().catch(() => undefined);
  });
  const drive = async (runId: string) => {
    if (interrupted) return;
    await using copy = copies ? await copyFolder(environment.folder) : null;
    await using opened = await createRunEnvironment({ ...environment, folder: copy?.folder ?? environment.folder });
    const executor = RunExecutor.open({ ...opened.executorOptions, journal, supplied, token: randomUUID() }, runId);
    running.add(executor);
    try {
      await executor.continue();
    } catch (error) {
      // A variant that begins with a question waits for its answer.
      if (!(error instanceof FlowError) || error.variant !== 'ResumeRequired') throw error;
    } finally {
      running.delete(executor);
      executor.close();
    }
  };
  try {
    await atOnce(runIds, variantsAtOnce, drive);
  } finally {
    forget();
  }
}

function exitCodeOf({ rows }: Matrix): number {
  const statuses = rows.map(({ status }) => status);
  if (statuses.includes('error')) return exitCodes.error;
  if (statuses.includes('cancelled') || statuses.includes('paused')) return exitCodes.cancelled;
  return statuses.includes('suspended') ? exitCodes.suspended : exitCodes.success;
}
