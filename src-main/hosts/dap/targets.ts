import { resolve } from 'node:path';
import { emptyInput } from '#main/hosts/cli/commands/run.ts';
import { type ConsentOptions, commandRule, trustOf } from '#main/hosts/cli/options/consent.ts';
import { chosenModels } from '#main/hosts/cli/options/model-choice.ts';
import { type SupplyOptions, suppliedIn, suppliedOf } from '#main/hosts/cli/session/supply-options.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import type { Journal } from '#main/journal/journal.ts';
import {
  closeJournals,
  journalOf,
  openExistingJournals,
  openWorkspaceJournals,
  type WorkspaceJournals,
} from '#main/journal/workspace-journals.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import { DebuggedRun, type DebuggedRunOptions } from './debugged-run.ts';
import { FlowSources } from './flow-sources.ts';
import type { Arguments } from './requests.ts';

/** What the user allows with options of `pravah dap`. A launch configuration can't: it may have come with the folder. */
export interface TargetOptions extends ConsentOptions, SupplyOptions {
  readonly folder?: string;
}

type OpenOptions = Pick<DebuggedRunOptions, 'debug' | 'onEvent'>;

/** A flow to run or a run to open, before the client has set its breakpoints. */
export interface DebugTarget {
  readonly graph: FlowGraph;
  readonly flow_path: string;
  readonly sources: FlowSources;
  readonly journals: WorkspaceJournals;
  /** The pins and mocks of the options and of the configuration. Throws `UsageError` for one that doesn't fit the flow. */
  readonly supplied: () => Promise<Supplied[]>;
  readonly open: (options: OpenOptions) => Promise<DebuggedRun>;
  /** Finds a run of the folder. Throws `NotFound`. */
  readonly find: (runId: string) => { readonly journal: Journal; readonly runId: string };
}

/** Prepares a run of a flow. Throws `FlowError` and `UsageError` as `pravah run` does. */
export async function launch(args: Arguments<'launch'>, options: TargetOptions): Promise<DebugTarget> {
  const folder = await chooseWorkspace(args.folder ?? options.folder, args.program);
  const settings = await loadSettings(folder);
  const loaded = await openFlow(args.program, { folder, settings, trusted: await trustOf(folder, options) });
  const { graph, path: flow_path, text } = loaded;
  if (!graph) {
    const errors = loaded.problems.filter(({ severity }) => severity === 'error');
    const untrusted = errors.some(({ message }) => message.includes('--trust'));
    const how = untrusted ? ' Start "pravah dap" with --trust to trust the folder permanently.' : '';
    throw new FlowError('BuildError', `${flow_path} has errors: ${errors.map(({ message }) => message).join(' ')}${how}`);
  }
  const input = args.input ?? emptyInput(graph, 'Add "input" to the launch configuration.');
  const models = await chosenModels([args.model ?? []].flat(), graph, folder);
  const journals = await openWorkspaceJournals(folder);
  const start = (opened: DebuggedRunOptions) => DebuggedRun.start(opened, { flow_path, text, input, models });
  return targetOf({ graph, flow_path, text, sources: loaded.sources }, folder, journals, { options, args }, start);
}

/** Prepares to open a recorded run. Throws `NotFound`. */
export async function attachTo(args: Arguments<'attach'>, options: TargetOptions): Promise<DebugTarget> {
  const folder = await chooseWorkspace(args.folder ?? options.folder);
  const journals = await openExistingJournals(folder);
  try {
    const journal = journalOf(journals, args.run);
    const row = journal.row(args.run);
    const flow = { graph: journal.graphOf(row), flow_path: row.flow_path, text: journal.flowTextOf(row), sources: journal.sourcesOf(row) };
    return targetOf(flow, folder, journals, { options, args }, (opened) => DebuggedRun.open(opened, args.run));
  } catch (error) {
    closeJournals(journals);
    throw error;
  }
}

interface TargetFlow {
  readonly graph: FlowGraph;
  readonly flow_path: string;
  readonly text: string;
  readonly sources: ReadonlyMap<string, string>;
}

/** What launch and attach have in common. */
type SessionArguments = Pick<Arguments<'attach'>, 'mock' | 'supplied'> & Pick<Arguments<'launch'>, 'noDebug'>;

function targetOf(
  { graph, flow_path, text, sources }: TargetFlow,
  folder: string,
  journals: WorkspaceJournals,
  { options, args }: { readonly options: TargetOptions; readonly args: SessionArguments },
  open: (options: DebuggedRunOptions) => Promise<DebuggedRun>,
): DebugTarget {
  const { noDebug = false } = args;
  const consent = { allow_commands: options.allowCommand.map(commandRule), allow_hosts: options.allowHost };
  return {
    graph,
    flow_path,
    journals,
    // The recorded text of a workflow is the flow that it was compiled into, that of code the form of a document.
    sources: new FlowSources(folder, graph, (path) => (path === flow_path && !isReadOnlyFlow(path) ? text : sources.get(path))),
    supplied: () => {
      const files = [args.mock ?? []].flat().map((file) => resolve(folder, file));
      const listed = Array.isArray(args.supplied) ? suppliedIn(args.supplied, '"supplied" of the configuration', flow_path) : [];
      const asked = { mock: [...(options.mock ?? []), ...files], supplied: options.supplied === true || args.supplied === true };
      return suppliedOf(asked, { graph, path: flow_path, folder, tools: builtInTools() }, listed);
    },
    open: async ({ debug, onEvent }) =>
      open({
        folder,
        journals,
        prices: await readPrices(folder),
        ...consent,
        onEvent,
        debug: noDebug ? () => ({ ...debug(), breakpoints: [] }) : debug,
      }),
    find: (runId) => ({ journal: journalOf(journals, runId), runId }),
  };
}
