import { resolve } from 'node:path';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { type ConsentOptions, trustOf } from '#main/hosts/cli/options/consent.ts';
import { UsageError, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { readJsonArgument } from '#main/hosts/cli/options/json-argument.ts';
import { chosenModels } from '#main/hosts/cli/options/model-choice.ts';
import { printReport } from '#main/hosts/cli/output/problems-output.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { type BreakpointOptions, breakpointsOf } from '#main/hosts/cli/session/breakpoint-options.ts';
import { recordScripts } from '#main/hosts/cli/session/record-scripts.ts';
import { drive, executorOptions, printingRefusals, printNotice } from '#main/hosts/cli/session/session.ts';
import { sessionInput } from '#main/hosts/cli/session/session-input.ts';
import { type SupplyOptions, suppliedOf } from '#main/hosts/cli/session/supply-options.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { closeJournals, openWorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { type ExecutorOptions, type NewRun, RunExecutor } from '#main/runner/run-executor.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import { callsPython } from '#shared/flow/calls-python.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { validationReport } from '#shared/flow/validation-report.ts';
import type { Json } from '#shared/json.ts';
import type { Stop } from '#shared/run/stop.ts';

export interface RunOptions extends ConsentOptions, BreakpointOptions, SupplyOptions {
  readonly folder?: string;
  readonly input?: string;
  readonly message?: string;
  readonly session?: string;
  readonly maxSteps?: number;
  /** Seconds for which a run is held inside a step at most. */
  readonly hold?: number;
  readonly record?: string;
  readonly model: readonly string[];
  readonly json?: boolean;
}

/** `pravah run FLOW`: starts a run and drives it until it ends, suspends or reaches `--max-steps`. */
export async function run(flow: string, options: RunOptions): Promise<number> {
  const fromOptions = givenInput(options);
  const folder = await chooseWorkspace(options.folder, flow);
  const given = options.session === undefined ? fromOptions : await sessionInput(folder, options.session, options.message ?? '');
  const settings = await loadSettings(folder);
  const trusted = await trustOf(folder, options);
  const loaded = await openFlow(resolve(flow), { folder, settings, trusted });
  if (!loaded.graph) {
    printReport(validationReport(loaded), options.json ?? false);
    return usageExitCode;
  }
  const input = given ?? emptyInput(loaded.graph);
  if (trusted && !options.json && callsPython(loaded.graph)) {
    const { printPython } = await import('#main/hosts/cli/output/python-output.ts');
    await printPython(loaded.graph, { folder, settings, path: loaded.path });
  }
  const models = await chosenModels(options.model, loaded.graph, folder);
  const breakpoints = await breakpointsOf(options, loaded.graph, loaded.path, folder, options.hold !== undefined);
  const flowOfRun = { graph: loaded.graph, flow_path: loaded.path, flow_text: loaded.text, sources: loaded.sources, input, models };
  return printingRefusals('', options.json ?? false, () => startAndDrive(folder, settings, flowOfRun, breakpoints, options));
}

async function startAndDrive(
  folder: string,
  settings: WorkspaceSettings,
  newRun: NewRun,
  breakpoints: readonly Breakpoint[],
  options: RunOptions,
): Promise<number> {
  const json = options.json ?? false;
  const journals = await openWorkspaceJournals(folder);
  try {
    printNotice(journals.notice);
    await using session = await executorOptions(folder, journals.main, settings, { ...options, json });
    const { graph, flow_path: path } = newRun;
    const supplied = await suppliedOf(options, { graph, path, folder, tools: session.context.tools });
    const executor = RunExecutor.start({ ...session, ...holdingFor(options), breakpoints, supplied }, newRun);
    const code = await drive(executor, session, () => executor.continue(options.maxSteps));
    if (options.record) recordScripts(journals.main, executor.runId, options.record);
    return code;
  } finally {
    closeJournals(journals);
  }
}

/** With `--hold`, the run is held where a breakpoint is inside a step: for a look at it, since no one can answer this command. */
function holdingFor({ hold }: RunOptions): Pick<ExecutorOptions, 'onHold' | 'holdSeconds'> {
  if (hold === undefined) return {};
  const onHold = (stop: Stop | null) => {
    if (stop) printNote(`held  ${stop.text}`);
  };
  return { onHold, holdSeconds: hold };
}

/** The input given by `--input` or `--message`. */
function givenInput({ input, message, session }: RunOptions): Json | undefined {
  if (session !== undefined && input !== undefined) throw new UsageError('Use either --input or --session, not both.');
  if (message === undefined) return input === undefined ? undefined : readJsonArgument(input, '--input');
  if (input !== undefined) throw new UsageError('Use either --input or --message, not both.');
  return { message };
}

/** Returns the input of `--input`, else `{}` if the entry accepts it. Throws `UsageError`. */
export function inputOf(options: RunOptions, graph: FlowGraph): Json {
  return givenInput(options) ?? emptyInput(graph);
}

/** Returns the default input `{}` if it matches the entry's schema. `how`: how to give another one. Throws `UsageError`. */
export function emptyInput(graph: FlowGraph, how = `Add --input with a ${graph.input} as JSON, @FILE or -.`): Json {
  const violation = compileSchema(graph.schemas[graph.input] ?? true)({});
  if (violation) throw new UsageError(`The flow needs an input (${violation.message}). ${how}`);
  return {};
}
