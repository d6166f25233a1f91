import { createHash } from 'node:crypto';
import { agentTurns } from '#main/journal/agent-turns.ts';
import { dataVersion } from '#main/journal/data-version.ts';
import type { RunFilter } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { framesAt } from '#main/runner/run-frames.ts';
import { conversation, detailOf, listRuns, stateAt, summaryOf, timelineOf } from '#main/runner/run-views.ts';
import { filesOfFlow } from '#main/workspace/files-of-flow.ts';
import { readCodeFlow } from '#main/workspace/flow-files.ts';
import { fileToImport, flowFile } from '#main/workspace/flow-path.ts';
import { importState } from '#main/workspace/import-state.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { FlowContent, ImportableFile, ImportReport } from '#shared/contract/flows.ts';
import type { AgentTurn, RunDetail, RunSummary, StateAt, TimelinePage } from '#shared/contract/runs.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import type { TraceStep, ValidationReport } from '#shared/flow/problem.ts';
import { playTrace } from '#shared/flow/soundness/play-trace.ts';
import type { PlayedTrace } from '#shared/flow/soundness/played-trace.ts';
import { validationReport } from '#shared/flow/validation-report.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Message } from '#shared/run/message.ts';
import type { Frame } from '#shared/run/stop.ts';
import { answerDraftTasks } from './answer-draft-tasks.ts';
import type { BackgroundFolder, FlowText } from './background-folder.ts';
import { consentTasks } from './consent-tasks.ts';
import { conversationTasks } from './conversation-tasks.ts';
import { coverageTasks } from './coverage-tasks.ts';
import { debugTasks } from './debug-tasks.ts';
import { fittingTasks } from './fitting-tasks.ts';
import { iterationTasks } from './iteration-tasks.ts';
import { matrixTasks } from './matrix-tasks.ts';
import { modelTasks } from './model-tasks.ts';
import { servedFlowTasks } from './served-flow-tasks.ts';
import { timeTravelTasks } from './time-travel-tasks.ts';

interface Run {
  readonly run_id: string;
}

/** Events of consecutive records. `next` is the record after which to continue; null after the last page. */
export interface RecordedEvents {
  readonly events: readonly RunEvent[];
  readonly next: number | null;
}

/** Number of recent runs that are checked for changes by other processes. */
const watchedRuns = 100;

/** Number of records whose events are read at once. */
const chunk = 256;

/** The tasks of a folder's background thread. Inputs and outputs are plain data. */
export const tasks = {
  ...answerDraftTasks,
  ...consentTasks,
  ...conversationTasks,
  ...coverageTasks,
  ...debugTasks,
  ...fittingTasks,
  ...iterationTasks,
  ...matrixTasks,
  ...modelTasks,
  ...servedFlowTasks,
  ...timeTravelTasks,

  /** The folder's flow files. */
  flows({ flows }: BackgroundFolder): Promise<FlowFile[]> {
    return flows.read();
  },

  /** Returns all problems of a text. Throws for an invalid `pravah.json`. */
  async validate(folder: BackgroundFolder, flow: FlowText & { readonly trusted: boolean }): Promise<ValidationReport> {
    return validationReport(await folder.build(flow));
  },

  /** Returns a flow in code, or a PyFlow workflow, with its problems. Throws `NotFound`. */
  async readCode(folder: BackgroundFolder, { path, trusted }: { readonly path: string; readonly trusted: boolean }): Promise<FlowContent> {
    const [{ file, source, layout }, flow] = await Promise.all([
      readCodeFlow(folder.folder, path),
      folder.build({ path, trusted, text: '' }),
    ]);
    const report = validationReport(flow);
    const hash = createHash('sha256')
      .update(JSON.stringify([flow.text, source, report]))
      .digest('hex');
    return {
      path,
      text: flow.text,
      hash,
      layout,
      revision: null,
      draft: null,
      others: [],
      code: { file, source, report, origins: [...(flow.origins ?? [])] },
    };
  },

  /** Returns the files of the folder that can be imported. */
  async importableFiles({ folder }: BackgroundFolder): Promise<ImportableFile[]> {
    const { importableFiles } = await import('#main/workspace/importable-files.ts');
    return importableFiles(folder, new AbortController().signal);
  },

  /** Writes a PyFlow workflow, or an export of another tool, as a flow. Throws `Conflict` for a file that would be lost. */
  async importWorkflow(
    { folder }: BackgroundFolder,
    { path, update }: { readonly path: string; readonly update: boolean },
  ): Promise<ImportReport> {
    const [settings, { importWorkflow }] = await Promise.all([loadSettings(folder), import('#main/workspace/import-workflow.ts')]);
    const { importForeign, recogniseForeign } = await import('#main/workspace/import-foreign.ts');
    const file = await fileToImport(folder, path);
    const source = recogniseForeign(file);
    if (source) return importForeign(file, source, { folder, settings });
    return importWorkflow(file, { folder, settings, unattended: false, update });
  },

  /** Updates an imported flow from its workflow. Throws `Conflict` if it was not imported. */
  async updateImport({ folder }: BackgroundFolder, { path }: { readonly path: string }): Promise<ImportReport> {
    const state = await importState(folder, path);
    if (!state) throw new FlowError('Conflict', `${path} was not imported from a workflow in this folder.`, { details: { path } });
    const [file, out, settings] = await Promise.all([flowFile(folder, state.source), flowFile(folder, path), loadSettings(folder)]);
    const { importWorkflow } = await import('#main/workspace/import-workflow.ts');
    return importWorkflow(file, { folder, settings, out, unattended: false, update: true });
  },

  /** Returns the markings of a counterexample's firings. Throws `Conflict` if they don't match the text. */
  async playTrace(
    folder: BackgroundFolder,
    { trace, ...flow }: FlowText & { readonly trusted: boolean; readonly trace: readonly TraceStep[] },
  ): Promise<PlayedTrace> {
    const { graph } = await folder.build(flow);
    const played = graph && playTrace(graph, trace);
    if (played) return played;
    throw new FlowError(
      'Conflict',
      'The flow has changed since this problem was found. Wait until it is checked again, then play the new counterexample.',
      {
        details: { path: flow.path },
      },
    );
  },

  /** Schema of the entry state as it is written (`true`, which takes everything, where the text does not say), and the input of the flow's last run. */
  async inputForm({ journals }: BackgroundFolder, { path, text }: FlowText): Promise<{ schema: Json; last_input: Json }> {
    const { outline } = parseFlow(text, path);
    const schema = (outline.input === undefined ? undefined : outline.schemas?.[outline.input]) ?? true;
    const { main } = await journals.open();
    const [last] = main.rows({ flow_path: path, limit: 1 });
    return { schema, last_input: last ? main.inputOf(last) : null };
  },

  /** Files that a flow needs, itself first: its layout, nested flows and bodies, `script://` models. Relative to the workspace, each once. Throws `NotFound`. */
  async filesOfFlow({ folder }: BackgroundFolder, { path }: { readonly path: string }): Promise<string[]> {
    // The dependencies of a flow in code are known only after it is run.
    const trusted = !isCodeFlow(path) || (await isTrusted(folder));
    return filesOfFlow(path, { folder, trusted, settings: await loadSettings(folder) });
  },

  /** Returns the journal for new runs and creates it if it is missing. */
  async journal({ journals }: BackgroundFolder): Promise<string> {
    return (await journals.openForNewRun()).main.path;
  },

  /** Returns a notice if new runs are not stored in the folder itself; else null. */
  async journalNotice({ journals }: BackgroundFolder): Promise<string | null> {
    return (await journals.open()).notice;
  },

  /** Returns the file that contains a run. Throws `NotFound`, and `Conflict` for an imported run, which is read-only. */
  async journalOf({ journals }: BackgroundFolder, { run_id: runId }: Run): Promise<string> {
    return (await journals.drivable(runId)).path;
  },

  async list({ journals }: BackgroundFolder, filter: RunFilter): Promise<RunSummary[]> {
    const { main, others } = await journals.open();
    return listRuns([main, ...others, ...journals.capsules], filter, Date.now());
  },

  /** Returns the latest runs if the journal has been written to since `version`; else none. */
  async changedRuns(
    { journals }: BackgroundFolder,
    { version }: { readonly version: number | null },
  ): Promise<{ version: number; runs: RunSummary[] }> {
    const { main } = await journals.open();
    // Each connection has its own counter; a replacement journal continues above its predecessor's.
    const now = journals.generation * 2 ** 32 + dataVersion(main);
    return { version: now, runs: now === version ? [] : listRuns([main], { limit: watchedRuns }, Date.now()) };
  },

  async summary({ journals }: BackgroundFolder, { run_id: runId }: Run): Promise<RunSummary> {
    const journal = await journals.holding(runId);
    return summaryOf(journal, journal.row(runId), Date.now());
  },

  async detail({ journals }: BackgroundFolder, { run_id: runId }: Run): Promise<RunDetail> {
    return detailOf(await journals.holding(runId), runId, Date.now());
  },

  async timeline(
    { journals }: BackgroundFolder,
    { run_id: runId, from, limit }: Run & { readonly from: number; readonly limit: number },
  ): Promise<TimelinePage> {
    return timelineOf(await journals.holding(runId), runId, from, limit);
  },

  async stateAt({ journals }: BackgroundFolder, { run_id: runId, seq }: Run & { readonly seq: number }): Promise<StateAt> {
    return stateAt(await journals.holding(runId), runId, seq);
  },

  async frames({ journals }: BackgroundFolder, { run_id, seq }: Run & { readonly seq?: number }): Promise<Frame[]> {
    return framesAt(await journals.holding(run_id), run_id, seq);
  },

  async conversation(
    { journals }: BackgroundFolder,
    { run_id: runId, node, seq }: Run & { readonly node: string; readonly seq?: number },
  ): Promise<Message[]> {
    return conversation(await journals.holding(runId), runId, node, seq);
  },

  async turns(
    { journals }: BackgroundFolder,
    { run_id: runId, node, seq }: Run & { readonly node: string; readonly seq?: number },
  ): Promise<AgentTurn[]> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    return agentTurns(journal, row, node, seq ?? row.last_seq);
  },

  /** Returns a page of recorded events after record `after`. */
  async events({ journals }: BackgroundFolder, { run_id: runId, after }: Run & { readonly after: number }): Promise<RecordedEvents> {
    const journal = await journals.holding(runId);
    const row = journal.row(runId);
    const upTo = after + chunk;
    const events: RunEvent[] = [];
    for (const event of new RunReader(journal, row).events(after)) {
      if (event.seq > upTo) break;
      events.push(event);
    }
    return { events, next: upTo < row.last_seq ? upTo : null };
  },

  /** Asks the process that drives a run to cancel it. */
  async requestCancel({ journals }: BackgroundFolder, { run_id: runId }: Run): Promise<void> {
    const journal = await journals.drivable(runId);
    journal.requestCancel(journal.row(runId));
  },

  async remove({ journals }: BackgroundFolder, { run_id: runId }: Run): Promise<void> {
    if (!journals.closeCapsule(runId)) (await journals.drivable(runId)).removeRun(runId, Date.now());
  },
} as const;
