import { contentsOf } from '#main/capsule/capsule-contents.ts';
import type { Capsule } from '#main/capsule/capsule-format.ts';
import { capsuleText } from '#main/capsule/capsule-text.ts';
import { makeCapsule } from '#main/capsule/make-capsule.ts';
import { openCapsule } from '#main/capsule/open-capsule.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { compareRuns, compareSteps, type RunInJournal } from '#main/time-travel/compare.ts';
import { firstDifference } from '#main/time-travel/first-difference.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { historyOptions, restoreScope } from '#main/time-travel/history-options.ts';
import { replayRun } from '#main/time-travel/replay.ts';
import { previewRestore, restoreFiles, undoRestore, type WantedFile } from '#main/time-travel/restore.ts';
import type {
  CapsuleContents,
  Comparison,
  FlowChoice,
  ForkCheck,
  ForkRequest,
  Redaction,
  ReplayReport,
  RestorePreview,
  RestoreResult,
  StepComparison,
  WholeComparison,
} from '#shared/contract/time-travel.ts';
import type { BackgroundFolder } from './background-folder.ts';
import type { FolderJournals } from './folder-journals.ts';

/** How long the records before a fork are replayed, in milliseconds: the user waits for the result. */
const comparePatience = 5000;

/** Background tasks for time travel. None of them calls a model or a tool. */
export const timeTravelTasks = {
  async forkCheck(
    { folder, journals }: BackgroundFolder,
    { compare_past, ...request }: ForkRequest & { readonly compare_past: boolean },
  ): Promise<ForkCheck> {
    const journal = await journals.holding(request.run_id);
    const { check, run } = await planFork(journal, request, await historyOptions(folder));
    if (!compare_past) return check;
    return { ...check, first_difference: await firstDifference(journal, { ...request, graph: run.graph }, comparePatience) };
  },

  async sources({ journals }: BackgroundFolder, { run_id: runId }: { readonly run_id: string }): Promise<Record<string, string>> {
    const journal = await journals.holding(runId);
    return Object.fromEntries(journal.sourcesOf(journal.row(runId)));
  },

  async fork({ folder, journals }: BackgroundFolder, request: ForkRequest): Promise<{ run_id: string }> {
    const planned = await planFork(await journals.holding(request.run_id), request, await historyOptions(folder));
    const { main } = await journals.openForNewRun();
    return { run_id: makeFork(main, planned, uuidV7(), Date.now()) };
  },

  async replay(
    { folder, journals }: BackgroundFolder,
    { run_id: runId, flow }: { readonly run_id: string; readonly flow: FlowChoice },
  ): Promise<ReplayReport> {
    return replayRun(await journals.holding(runId), runId, flow, await historyOptions(folder));
  },

  async compare({ journals }: BackgroundFolder, { run_id: runId, other_run_id, from, limit }: ComparisonPage): Promise<Comparison> {
    const [first, second] = [await runIn(journals, runId), await runIn(journals, other_run_id)];
    const { steps, ...whole } = remembered(first, second);
    return { ...whole, from, steps: steps.slice(from, from + limit) };
  },

  async compareStep(
    { journals }: BackgroundFolder,
    {
      run_id: runId,
      seq,
      other_run_id,
      other_seq,
    }: Pick<ComparisonPage, 'run_id' | 'other_run_id'> & {
      readonly seq: number | null;
      readonly other_seq: number | null;
    },
  ): Promise<StepComparison> {
    return compareSteps(await runIn(journals, runId), seq, await runIn(journals, other_run_id), other_seq);
  },

  async restorePreview({ folder, journals }: BackgroundFolder, { run_id: runId, seq }: AtRecord): Promise<RestorePreview> {
    return previewRestore(await journals.holding(runId), runId, seq, await restoreScope(folder));
  },

  async restore(
    { folder, journals }: BackgroundFolder,
    { run_id: runId, seq, files }: AtRecord & { readonly files: readonly WantedFile[] },
  ): Promise<RestoreResult> {
    return restoreFiles(await journals.holding(runId), runId, seq, files, await restoreScope(folder), Date.now());
  },

  async undoRestore(
    { folder, journals }: BackgroundFolder,
    { run_id: runId, restore_id }: { readonly run_id: string; readonly restore_id: number },
  ): Promise<RestoreResult> {
    return undoRestore(await journals.holding(runId), runId, restore_id, await restoreScope(folder), Date.now());
  },
  async capsulePreview(folder: BackgroundFolder, request: ExportRequest): Promise<CapsuleContents> {
    return contentsOf(await capsuleOf(folder, request));
  },

  async exportCapsule(folder: BackgroundFolder, request: ExportRequest): Promise<{ file_name: string; content: string }> {
    const capsule = await capsuleOf(folder, request);
    const name = capsule.run.flow_name.replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'run';
    return { file_name: `${name}.capsule.json`, content: capsuleText(capsule) };
  },

  async openCapsule(
    { journals }: BackgroundFolder,
    { content }: { readonly content: string },
  ): Promise<{ run_id: string; contents: CapsuleContents }> {
    const { capsule, journal, runId } = await openCapsule(content, 'The file');
    journals.addCapsule(runId, journal);
    return { run_id: runId, contents: await contentsOf(capsule) };
  },
} as const;

interface ExportRequest {
  readonly run_id: string;
  readonly redact: Redaction;
}

async function capsuleOf({ folder, journals }: BackgroundFolder, { run_id: runId, redact }: ExportRequest): Promise<Capsule> {
  const { secrets, settings } = await historyOptions(folder);
  return makeCapsule(await journals.holding(runId), runId, { ...redact, rules: settings.mask }, secrets);
}

interface AtRecord {
  readonly run_id: string;
  readonly seq: number;
}

interface ComparisonPage {
  readonly run_id: string;
  readonly other_run_id: string;
  readonly from: number;
  readonly limit: number;
}

async function runIn(journals: FolderJournals, runId: string): Promise<RunInJournal> {
  return { journal: await journals.holding(runId), runId };
}

/** Caches the last comparison: it is read in pages, and computing it reads both runs. */
let last: { readonly of: string; readonly comparison: WholeComparison } | undefined;

function remembered(first: RunInJournal, second: RunInJournal): WholeComparison {
  const of = JSON.stringify([first, second].map(({ journal, runId }) => [runId, journal.path, journal.row(runId).last_seq]));
  if (last?.of !== of) last = { of, comparison: compareRuns(first, second) };
  return last.comparison;
}
