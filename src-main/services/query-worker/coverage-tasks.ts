import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCapsule } from '#main/capsule/open-capsule.ts';
import { CoverageCounter } from '#main/debug/coverage.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { fileFailure } from '#main/platform/file-failure.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { Coverage } from '#shared/contract/coverage.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/run/error.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Runs that are counted if none are named. */
const newestRuns = 200;
/** How long counting may take, in milliseconds. Other tasks wait meanwhile. */
const timeLimit = 5000;

interface CoverageRequest {
  readonly flow: string;
  readonly text?: string | undefined;
  readonly runs?: readonly string[] | undefined;
  readonly capsules?: readonly string[] | undefined;
  readonly trusted: boolean;
}

interface Counted {
  readonly journal: Journal;
  readonly row: RunRow;
}

/** Background task that counts what runs took of a flow. */
export const coverageTasks = {
  /** Throws `NotFound` for a run or capsule that is missing, and `Invalid` for a flow that has errors. */
  async coverage(folder: BackgroundFolder, request: CoverageRequest): Promise<Coverage & { left_out: number }> {
    const { flow: path, runs, capsules = [] } = request;
    const counter = new CoverageCounter(path);
    const started = performance.now();
    const inTime = () => performance.now() - started < timeLimit;
    let leftOut = 0;
    for (const { journal, row } of await runsToCount(folder, runs ?? (capsules.length > 0 ? [] : null))) {
      if (inTime()) counter.add(journal, row);
      else leftOut += 1;
    }
    for (const capsule of capsules) {
      if (inTime()) await addCapsule(folder.folder, capsule, counter);
      else leftOut += 1;
    }
    return { ...counter.result(await currentGraph(folder, request)), left_out: leftOut };
  },
} as const;

async function runsToCount({ journals }: BackgroundFolder, runs: readonly string[] | null): Promise<Counted[]> {
  if (runs) {
    return Promise.all(
      runs.map(async (runId) => {
        const journal = await journals.holding(runId);
        return { journal, row: journal.row(runId) };
      }),
    );
  }
  const { main, others } = await journals.open();
  return [main, ...others]
    .flatMap((journal) => journal.rows({ limit: newestRuns }).map((row) => ({ journal, row })))
    .sort((one, other) => other.row.created_at - one.row.created_at)
    .slice(0, newestRuns);
}

async function addCapsule(folder: string, path: string, counter: CoverageCounter): Promise<void> {
  const file = resolveWorkspacePath('', path);
  if (file === null) throw new FlowError('NotFound', `${path} is not in the folder.`, { details: { path } });
  const text = await readFile(join(folder, file), 'utf8').catch((error: unknown) => {
    throw fileFailure("can't be read", path, error);
  });
  const { journal, runId } = await openCapsule(text, path);
  try {
    counter.add(journal, journal.row(runId));
  } finally {
    journal.close();
  }
}

async function currentGraph(folder: BackgroundFolder, { flow: path, text, trusted }: CoverageRequest) {
  const loaded =
    text === undefined
      ? await openFlow(path, { folder: folder.folder, trusted, settings: await loadSettings(folder.folder) })
      : await folder.build({ path, text, trusted });
  if (loaded.graph) return loaded.graph;
  const [problem] = loaded.problems;
  throw new FlowError('Invalid', `${path} has errors: ${problem?.message ?? 'it has no nodes.'} Fix them to see what was never taken.`, {
    details: { path },
  });
}
