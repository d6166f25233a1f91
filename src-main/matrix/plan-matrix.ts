import type { Journal } from '#main/journal/journal.ts';
import { readModels } from '#main/journal/rows.ts';
import { usageAfter } from '#main/journal/run-usage.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { mostBytes, mostFiles, sizeOfCopy } from '#main/platform/files/copy-folder.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { type ForkOptions, makeFork, type PlannedFork, planForkWith } from '#main/time-travel/fork.ts';
import { chooseFlow } from '#main/time-travel/recorded-flow.ts';
import type { MatrixCheck, MatrixRequest, Variant } from '#shared/contract/matrix.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import { variantFlow, variantModels } from './variant-flow.ts';
import { writersOf } from './writing-tools.ts';

/** A planned matrix: its forks in the order of its variants, and what is to be known before they are made. */
export interface PlannedMatrix {
  readonly forks: readonly { readonly name: string; readonly fork: PlannedFork }[];
  readonly check: MatrixCheck;
}

/** The folder, and what is supplied to the runs in place of tools and nodes. */
export interface MatrixOptions extends ForkOptions {
  readonly supplied?: readonly Supplied[];
}

/** Plans the variants of a run in `journal`. Throws for a missing record, flow or agent, and `Invalid` for a variant whose flow has problems. */
export async function planMatrix(journal: Journal, request: MatrixRequest, options: MatrixOptions): Promise<PlannedMatrix> {
  const prices = await readPrices(options.folder, options.settings);
  const forks: { name: string; fork: PlannedFork; estimate: ReturnType<typeof estimateOf> }[] = [];
  for (const variant of request.variants) {
    const fork = await planVariant(journal, request, variant, options);
    forks.push({ name: variant.name, fork, estimate: estimateOf(journal, request, fork, prices) });
  }
  const writers = forks.map(({ fork }) => writersOf(fork.run.graph, options.supplied));
  const writes = [...new Set(writers.flatMap((each) => each.writes))].sort();
  const check: MatrixCheck = {
    variants: forks.map(({ name, fork }) => ({ name, misfits: fork.check.misfits, notes: fork.check.notes })),
    estimate: {
      tokens: forks.reduce((sum, { estimate }) => sum + estimate.tokens, 0),
      calls: forks.reduce((sum, { estimate }) => sum + estimate.calls, 0),
      cost: forks.reduce<number | null>((sum, { estimate: { cost } }) => (sum === null || cost === null ? null : sum + cost), 0),
    },
    writes,
    outside: [...new Set(writers.flatMap((each) => each.outside))].sort(),
    copy: writes.length > 0 ? await copySize(options.folder) : null,
  };
  return { forks, check };
}

/** Records the variants as paused forks and returns their ids, in order. Throws `SnapLoadError` for a variant that does not fit, and writes nothing then. */
export function makeMatrix(target: Journal, { forks, check }: PlannedMatrix, now: number): { group: string; run_ids: string[] } {
  const misfit = forks.find(({ fork }) => fork.check.misfits.length > 0);
  if (misfit) {
    const [first] = misfit.fork.check.misfits;
    throw new FlowError(
      'SnapLoadError',
      `The variant ${misfit.name} does not fit: at ${first?.path || 'its root'}, ${first?.message}. Nothing was changed.`,
    );
  }
  if (check.copy?.too_large) throw new FlowError('Conflict', check.copy.too_large);
  const group = uuidV7();
  const copy = check.copy !== null;
  const run_ids = forks.map(({ name, fork: { check: fits, run } }) => {
    if (!run.fork) throw new Error('A planned fork has an origin.');
    const origin = { ...run.fork.origin, group, variant: name, ...(copy && { copy: true as const }) };
    return makeFork(target, { check: fits, run: { ...run, fork: { ...run.fork, origin } } }, uuidV7(), now);
  });
  return { group, run_ids };
}

async function planVariant(
  journal: Journal,
  { run_id, seq }: MatrixRequest,
  variant: Variant,
  options: MatrixOptions,
): Promise<PlannedFork> {
  const row = journal.row(run_id);
  const chosen = await chooseFlow(journal, row, variant.flow, options);
  const flow = variantFlow(chosen, variant, options.trusted);
  const request = { run_id, seq, states: variant.states, drop: variant.drop, flow: variant.flow };
  const { check, run } = planForkWith(journal, request, flow, options.secrets);
  const models = { ...readModels(row.models, journal.path), ...variantModels(variant, flow.graph) };
  return { check, run: { ...run, models } };
}

/** What the original used after the step, at the prices of the variant's models. */
function estimateOf(journal: Journal, { run_id, seq }: MatrixRequest, { run }: PlannedFork, prices: Prices) {
  const { models = {} } = run;
  return usageAfter(journal, journal.row(run_id), seq, prices, (node, model) => models[node] ?? models[anyAgent] ?? model);
}

async function copySize(folder: string): Promise<MatrixCheck['copy']> {
  const { files, bytes, tooLarge } = await sizeOfCopy(folder);
  const why = `The folder is too large to be copied for each variant: over ${mostFiles} files or ${mostBytes / 1024 / 1024} MiB. Mock the tools that write, or move large files elsewhere.`;
  return { files, bytes, too_large: tooLarge ? why : null };
}
